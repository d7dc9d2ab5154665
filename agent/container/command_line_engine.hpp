// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/container/container.hpp"

#include <string>
#include <vector>

namespace crosswarp::container {

/// podman, by its command line, or docker by the same. Options go on the command line only, so that no file of the
/// user's is needed or changed.
struct CommandLine {
  std::string binary = "podman";
  std::string oci_runtime;  ///< podman only: "runc", "crun"; empty: podman's own choice
  bool podman() const { return binary.ends_with("podman"); }
};

class CommandLineEngine final : public ContainerRuntime {
 public:
  CommandLineEngine(CommandLine line, RuntimeOptions options)
      : line_(std::move(line)), options_(std::move(options)), name_(line_.binary) {}

  /// Asks the engine for its version and runs a trivial container, from which it is seen which limits hold.
  /// Errors: unavailable with the engine's words.
  asio::awaitable<Result<void>> probe();

  asio::awaitable<Result<std::unique_ptr<Container>>> start(const ContainerSpec& spec) override;
  asio::awaitable<Result<int>> sweep() override;
  std::string name() const override { return name_; }
  bool sandboxed() const override { return true; }
  std::vector<std::string> unenforced() const override { return unenforced_; }

  /// `host` needs podman's view of a root; docker has none.
  bool offers_image(std::string_view image) const override { return image != "host" || line_.podman(); }

 private:
  std::vector<std::string> engine() const;
  asio::awaitable<Result<std::vector<std::string>>> containers_with(std::vector<std::string> labels) const;

  CommandLine line_;
  RuntimeOptions options_;
  std::string name_;
  std::vector<std::string> unenforced_;
};

}  // namespace crosswarp::container
