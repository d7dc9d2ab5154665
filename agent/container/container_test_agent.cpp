// SPDX-License-Identifier: Apache-2.0
// An agent for tests, to be killed: ENGINE RUNNER STATE NAME SECONDS. Starts one container with a command that ignores
// TERM, detaches itself and sleeps for so many seconds.
#include "agent/container/container.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdio>

namespace {

using namespace crosswarp::container;

asio::awaitable<int> hold(std::vector<std::string> words) {
  const RuntimeOptions options{words[1], words[2], words[3], "killed"};
  const auto runtime = co_await select_runtime(options);
  if (!runtime) co_return 2;
  ContainerSpec spec;
  spec.name = words[4];
  spec.memory_bytes = std::uint64_t{256} << 20;
  const auto container = co_await runtime->runtime->start(spec);
  if (!container) co_return 3;
  const std::string sleep = "trap \"\" TERM HUP; sleep " + words[5] + "; :";
  const std::string script = "(setsid sh -c '" + sleep + "' &); " + sleep;
  const Command command{.argv = {"sh", "-c", script}, .env = {{"PATH", "/usr/bin:/bin"}}};
  co_await (*container)->run(command, [](std::string_view) {});
  co_return 4;
}

}  // namespace

int main(int argc, char** argv) {
  asio::io_context context;
  int code = 1;
  asio::co_spawn(context, hold({argv, argv + argc}), [&](std::exception_ptr, int result) { code = result; });
  context.run();
  return code;
}
