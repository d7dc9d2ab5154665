// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/container/channel.hpp"
#include "agent/container/container.hpp"
#include "agent/container/program.hpp"

#include <string>
#include <vector>

namespace crosswarp::container {

/// How a runner is started: by an engine's command line, or as a plain program.
struct Launch {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  int in = 0;   ///< the numbers under which the program gets the runner's two pipes
  int out = 1;
  std::vector<std::string> remove;  ///< removes by force what the engine would not let go; empty: nothing to remove
  std::vector<Mount> mounts;        ///< for inside(); empty where paths are the host's own
  std::string folder;               ///< where it works: podman's conmon leaves a file `oom` there
};

/// The one Container there is: a program of the host (an engine's command line, or the runner itself) that ends by
/// itself soon after the runner's pipe is closed, and the conversation with the runner.
class RunningContainer final : public Container {
 public:
  /// Starts it and waits, at most a minute, for the runner's greeting.
  /// Errors: unavailable with what the program wrote to its standard error.
  static asio::awaitable<Result<std::unique_ptr<Container>>> start(Launch launch);

  RunningContainer(Program program, RunnerChannel channel, Launch launch);
  ~RunningContainer() override;

  asio::awaitable<Result<UnitExit>> run(const Command& command, OutputSink output) override;
  void kill() override;
  asio::awaitable<void> close() override;
  std::filesystem::path inside(const std::filesystem::path& host) const override;

 private:
  asio::awaitable<Result<void>> greet();

  Program program_;
  RunnerChannel channel_;
  Launch launch_;
  bool killed_ = false;
};

}  // namespace crosswarp::container
