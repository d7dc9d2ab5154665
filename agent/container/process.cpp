// SPDX-License-Identifier: Apache-2.0
#include "agent/container/process.hpp"

#include "agent/container/running.hpp"

namespace crosswarp::container {

asio::awaitable<Result<std::unique_ptr<Container>>> ProcessRuntime::start(const ContainerSpec& spec) {
  if (!offers_image(spec.image)) {
    co_return Error{ErrorCode::invalid_argument, "image " + spec.image + ": no container engine on this machine"};
  }
  Launch launch;
  launch.argv = {options_.runner.string()};
  co_return co_await RunningContainer::start(std::move(launch));
}

asio::awaitable<Result<int>> ProcessRuntime::sweep() { co_return 0; }

}  // namespace crosswarp::container
