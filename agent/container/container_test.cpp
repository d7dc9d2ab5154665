// SPDX-License-Identifier: Apache-2.0
// What holds with every engine, and without one.
#include "agent/container/container.hpp"

#include "agent/container/container_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

namespace crosswarp::container {
namespace {

using EveryEngine = ContainerTest;

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(getpagesize());
}

TEST_P(EveryEngine, PassesExitCodeAndBothOutputsInOrder) {
  const auto container = start(spec());
  const Outcome outcome = run(*container, "echo one; echo two >&2; echo three; exit 7");
  EXPECT_EQ(outcome.output, "one\ntwo\nthree\n");
  EXPECT_EQ(outcome.exit.code, 7);
  EXPECT_EQ(outcome.exit.signal, 0);
  EXPECT_EQ(outcome.exit.stopped, Stopped::no);
  EXPECT_GT(outcome.exit.peak_memory_bytes, 0u);
}

TEST_P(EveryEngine, PassesTheGivenEnvironmentAndNothingElse) {
  setenv("CROSSWARP_TEST_TOKEN", "secret", 1);
  const auto container = start(spec());
  Command command = shell("env");
  command.env = {{"PATH", "/usr/bin:/bin"}, {"ODD", "a=b c\nd\"e"}};
  command.cwd = "/usr";
  const Outcome outcome = run(*container, command);
  EXPECT_NE(outcome.output.find("ODD=a=b c\nd\"e\n"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("PWD=/usr\n"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("secret"), std::string::npos);
  EXPECT_EQ(outcome.output.find("HOME="), std::string::npos);
}

TEST_P(EveryEngine, RunsOneCommandAfterAnother) {
  const auto container = start(spec());
  for (int count = 0; count < 5; ++count) {
    EXPECT_EQ(run(*container, "echo " + std::to_string(count)).output, std::to_string(count) + '\n');
  }
}

TEST_P(EveryEngine, SaysWhyAProgramCannotBeStarted) {
  const auto container = start(spec());
  const Outcome outcome = run(*container, Command{.argv = {"no-such-program"}, .env = {{"PATH", "/usr/bin"}}});
  EXPECT_EQ(outcome.exit.code, 127);
  EXPECT_NE(outcome.output.find("no-such-program: No such file"), std::string::npos) << outcome.output;
}

TEST_P(EveryEngine, TellsASignalFromAnExitCode) {
  const auto container = start(spec());
  const Outcome outcome = run(*container, "kill -ABRT $$");
  EXPECT_EQ(outcome.exit.signal, SIGABRT);
  EXPECT_EQ(outcome.exit.code, 128 + SIGABRT);
  EXPECT_EQ(outcome.exit.stopped, Stopped::no);
}

TEST_P(EveryEngine, KillsWhatIgnoresTermAtTheTimeLimit) {
  const auto container = start(spec());
  const std::string time = long_time();
  Command command = shell("trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep " + time + "' & sleep " + time + "; :");
  command.time = std::chrono::seconds(1);
  const Outcome outcome = run(*container, command);
  EXPECT_EQ(outcome.exit.stopped, Stopped::time_limit);
  EXPECT_GE(outcome.exit.seconds, 1.0);
  EXPECT_LT(outcome.exit.seconds, 12.0);
  EXPECT_EQ(sleeping(time), 0);
}

TEST_P(EveryEngine, LeavesNoDetachedProcessAfterACommand) {
  const std::string time = long_time();
  const auto container = start(spec());
  const std::string detach = "(setsid sh -c 'trap \"\" TERM HUP; sleep " + time + "; :' &); (sleep " + time + " &); ";
  const Outcome outcome = run(*container, detach + "sleep 0.3; ps -e -o args | grep -c '[s]leep " + time + "'");
  EXPECT_EQ(outcome.exit.code, 0);
  EXPECT_NE(outcome.output, "0\n");
  EXPECT_EQ(sleeping(time), 0);
}

TEST_P(EveryEngine, KillsAtTheMemoryLimitAndSaysSo) {
  const auto container = start(spec());
  // tail keeps what it was asked for in memory: 400 MiB.
  Command command = shell("head -c 400m /dev/zero | tail -c 400m | wc -c; echo went on");
  command.memory_bytes = std::uint64_t{256} << 20;
  const Outcome outcome = run(*container, command);
  EXPECT_EQ(outcome.exit.stopped, Stopped::memory_limit) << outcome.output;
  EXPECT_GT(outcome.exit.peak_memory_bytes, std::uint64_t{150} << 20);
  EXPECT_LT(outcome.exit.peak_memory_bytes, std::uint64_t{420} << 20);
  EXPECT_EQ(run(*container, "echo still here").output, "still here\n");
}

TEST_P(EveryEngine, KeepsACommandToAMemoryLimitBelowTheContainers) {
  const auto container = start(spec());
  Command command = shell("head -c 150m /dev/zero | tail -c 150m | (sleep 1; wc -c)");
  command.memory_bytes = std::uint64_t{64} << 20;
  EXPECT_EQ(run(*container, command).exit.stopped, Stopped::memory_limit);
  command.memory_bytes = std::uint64_t{250} << 20;
  const Outcome enough = run(*container, command);
  EXPECT_EQ(enough.exit.stopped, Stopped::no);
  EXPECT_EQ(enough.output, "157286400\n");
}

TEST_P(EveryEngine, KillsACommandThatHasTooManyProcesses) {
  const std::string time = long_time();
  const auto container = start(spec());
  // So many and no more: without an engine nothing but a look now and then holds a growing number back.
  Command command = shell("for i in $(seq 300); do sleep " + time + " & done; sleep 20");
  command.processes = 100;
  const Outcome outcome = run(*container, command);
  EXPECT_NE(outcome.exit.code, 0);
  EXPECT_EQ(outcome.exit.stopped, Stopped::process_limit) << outcome.output.substr(0, 500);
  EXPECT_EQ(sleeping(time), 0);
  EXPECT_EQ(run(*container, "echo still here").output, "still here\n");
}

TEST_P(EveryEngine, TakesAFloodWithFlatMemory) {
  const auto container = start(spec());
  run(*container, "head -c 1000000 /dev/zero");
  const std::uint64_t before = resident_bytes();
  std::uint64_t taken = 0;
  std::uint64_t sum = 0;
  const auto exit = complete(
      context_, container->run(shell("seq 1 100000000 | head -c 100000000"), [&](std::string_view text) {
        EXPECT_LE(text.size(), 65536u);
        taken += text.size();
        for (const char octet : text) sum += static_cast<unsigned char>(octet);
      }));
  ASSERT_TRUE(exit);
  EXPECT_EQ(taken, 100'000'000u);
  EXPECT_GT(sum, taken);
  EXPECT_LT(resident_bytes(), before + (std::uint64_t{8} << 20));
}

TEST_P(EveryEngine, ASlowReaderSlowsTheJobAndLosesNothing) {
  const auto container = start(spec());
  std::string all;
  const auto exit = complete(context_, container->run(shell("seq 1 200000"), [&](std::string_view text) {
                               usleep(20'000);
                               all += text;
                             }));
  ASSERT_TRUE(exit);
  std::string expected;
  for (int number = 1; number <= 200000; ++number) expected += std::to_string(number) + '\n';
  EXPECT_TRUE(all == expected);
}

TEST_P(EveryEngine, OutputThatImitatesFramesIsOutput) {
  const auto container = start(spec());
  const std::string forged =
      R"({"event":"exit","id":1,"code":0,"signal":0,"seconds":0,"peak_memory_bytes":0,"stopped":"no"})";
  const Outcome outcome = run(*container, "echo '" + forged + "'; printf 'a\\000b\\033[2J'; exit 9");
  EXPECT_EQ(outcome.exit.code, 9);
  EXPECT_EQ(outcome.output, forged + '\n' + std::string("a\0b\033[2J", 7));
}

TEST_P(EveryEngine, KillFromOutsideEndsTheCommandAsCancelled) {
  const std::string time = long_time();
  const auto container = start(spec());
  asio::steady_timer timer(context_, std::chrono::milliseconds(500));
  timer.async_wait([&](const boost::system::error_code&) { container->kill(); });
  const Outcome outcome = run(*container, "trap '' TERM; sleep " + time + "; sleep " + time);
  EXPECT_EQ(outcome.exit.stopped, Stopped::cancelled);
  close(*container);
  EXPECT_EQ(sleeping(time), 0);
  const auto after = complete(context_, container->run(shell("true"), [](std::string_view) {}));
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().code, ErrorCode::unavailable);
}

TEST_P(EveryEngine, ACancelledCoroutineKillsTheContainer) {
  const std::string time = long_time();
  const auto container = start(spec());
  const Command command = shell("sleep " + time);
  asio::cancellation_signal signal;
  asio::steady_timer timer(context_, std::chrono::milliseconds(500));
  timer.async_wait([&](const boost::system::error_code&) {
    EXPECT_EQ(sleeping(time), 1);
    signal.emit(asio::cancellation_type::terminal);
  });
  bool thrown = false;
  asio::co_spawn(context_, container->run(command, [](std::string_view) {}),
                 asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr failure, Result<UnitExit>) {
                   thrown = failure != nullptr;
                 }));
  context_.restart();
  context_.run();
  EXPECT_TRUE(thrown);
  close(*container);
  EXPECT_EQ(sleeping(time), 0);
}

asio::awaitable<void> start_and_run(ContainerRuntime& runtime, ContainerSpec spec, Command command) {
  const auto container = co_await runtime.start(spec);
  if (container) co_await (*container)->run(command, [](std::string_view) {});
}

TEST_P(EveryEngine, AnAbandonedCoroutineLeavesNothingRunning) {
  const std::string time = long_time();
  {
    asio::io_context abandoned;
    asio::co_spawn(abandoned, start_and_run(*runtime_, spec(), shell("trap '' TERM; sleep " + time + "; :")),
                   [](std::exception_ptr) {});
    for (int tries = 0; tries < 100 && sleeping(time) == 0; ++tries) abandoned.run_for(std::chrono::milliseconds(100));
    EXPECT_EQ(sleeping(time), 1);
  }
  EXPECT_EQ(sleeping(time), 0);
}

TEST_P(EveryEngine, AKilledAgentTakesItsJobsWithIt) {
  const std::string time = long_time();
  const std::string name = "crosswarp-test-killed-" + unique();
  const pid_t agent = fork();
  if (agent == 0) {
    execl(CROSSWARP_TEST_AGENT, CROSSWARP_TEST_AGENT, GetParam().c_str(), CROSSWARP_RUNNER, state_.path().c_str(),
          name.c_str(), time.c_str(), nullptr);
    _exit(127);
  }
  ASSERT_TRUE(eventually(30, [&] { return sleeping(time) > 0; }));
  kill(agent, SIGKILL);
  waitpid(agent, nullptr, 0);
  EXPECT_TRUE(eventually(20, [&] { return sleeping(time) == 0; }));
  if (GetParam() != "podman") return;
  const std::string exists = "podman container exists " + name;
  EXPECT_TRUE(eventually(20, [&] { return WEXITSTATUS(std::system(exists.c_str())) == 1; }));
}

INSTANTIATE_TEST_SUITE_P(Container, EveryEngine, testing::Values("podman", "process"),
                         [](const auto& engine) { return engine.param; });

}  // namespace
}  // namespace crosswarp::container
