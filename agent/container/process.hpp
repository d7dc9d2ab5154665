// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/container/container.hpp"

namespace crosswarp::container {

/// No engine: the runner as a plain program of this user. It still keeps to time and memory by looking ten times a
/// second, and leaves nothing behind; the number of processes it looks at too, but what doubles between two looks can
/// outrun it, so that is not called enforced. A job sees and may change whatever this user may.
class ProcessRuntime final : public ContainerRuntime {
 public:
  explicit ProcessRuntime(RuntimeOptions options) : options_(std::move(options)) {}

  asio::awaitable<Result<std::unique_ptr<Container>>> start(const ContainerSpec& spec) override;
  asio::awaitable<Result<int>> sweep() override;  ///< nothing can be left: a runner ends with its agent
  std::string name() const override { return "process"; }
  bool sandboxed() const override { return false; }
  std::vector<std::string> unenforced() const override {
    return {"processes", "files", "network", "devices", "privileges"};
  }
  bool offers_image(std::string_view image) const override { return image == "host"; }

 private:
  RuntimeOptions options_;
};

}  // namespace crosswarp::container
