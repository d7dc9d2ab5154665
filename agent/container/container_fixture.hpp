// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/container/container.hpp"
#include "agent/container/test_support.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

/// Verbs for tests of containers: a runtime of one engine, commands of `sh`, folders that go with the test.
namespace crosswarp::container {

struct Outcome {
  UnitExit exit;
  std::string output;
};

/// Tests run once for each engine: "podman", "process". One that does not work here is skipped with its own words.
class ContainerTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { select(GetParam()); }

  void select(const std::string& engine) {
    auto selected = complete(context_, select_runtime({engine, CROSSWARP_RUNNER, state_.path(), "test-" + unique()}));
    if (!selected) GTEST_SKIP() << "no engine " << engine << " here: " << selected.error().message;
    runtime_ = std::move(selected->runtime);
  }

  ContainerSpec spec() {
    static int count = 0;
    ContainerSpec made;
    made.name = "crosswarp-test-" + unique() + '-' + std::to_string(++count);
    made.memory_bytes = std::uint64_t{256} << 20;
    made.processes = 100;
    return made;
  }

  std::unique_ptr<Container> start(const ContainerSpec& wanted) {
    auto container = complete(context_, runtime_->start(wanted));
    EXPECT_TRUE(container) << container.error().message;
    return container ? std::move(*container) : nullptr;
  }

  static Command shell(const std::string& script) {
    return {.argv = {"sh", "-c", script}, .env = {{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}}};
  }

  Outcome run(Container& container, const Command& command) {
    Outcome outcome;
    auto exit = complete(context_, container.run(command, [&](std::string_view text) { outcome.output += text; }));
    EXPECT_TRUE(exit) << exit.error().message;
    if (exit) outcome.exit = *exit;
    return outcome;
  }

  Outcome run(Container& container, const std::string& script) { return run(container, shell(script)); }

  void close(Container& container) { complete(context_, container.close()); }

  /// A number of seconds that no other process of this machine sleeps.
  static std::string long_time() {
    static int count = 0;
    return std::to_string(100'000'000 + 100 * getpid() + ++count);
  }

  static std::string unique() { return std::to_string(getpid()); }

  asio::io_context context_;
  TemporaryFolder state_;
  std::unique_ptr<ContainerRuntime> runtime_;
};

/// How many processes of this machine are `sleep SECONDS`.
inline int sleeping(const std::string& seconds) {
  const std::string wanted = std::string("sleep\0", 6) + seconds + '\0';
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::stringstream text;
    text << file.rdbuf();
    if (text.str() == wanted) ++found;
  }
  return found;
}

/// Waits, at most `seconds`, until `holds()`; for ends that nobody announces.
template <class Condition>
bool eventually(int seconds, Condition holds) {
  for (int tries = 0; tries < seconds * 20; ++tries) {
    if (holds()) return true;
    usleep(50'000);
  }
  return holds();
}

}  // namespace crosswarp::container
