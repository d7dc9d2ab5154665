// SPDX-License-Identifier: Apache-2.0
#include "agent/container/running.hpp"

#include "agent/container/deadline.hpp"
#include "matrix/base/log.hpp"

#include <boost/asio/io_context.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>

namespace crosswarp::container {
namespace {

constexpr std::chrono::seconds kGreeting{60};
constexpr std::chrono::seconds kRemoval{30};
/// What the runner itself may take beyond a command's time: five seconds of grace, and some for a slow machine.
constexpr std::chrono::seconds kMargin{60};

/// A file in memory that takes the program's standard error, read when it failed.
class ErrorText {
 public:
  ErrorText() : file_(memfd_create("stderr", MFD_CLOEXEC)) {
    if (file_ < 0) throw std::runtime_error("memfd_create failed");
  }
  ErrorText(const ErrorText&) = delete;
  ErrorText& operator=(const ErrorText&) = delete;
  ~ErrorText() { ::close(file_); }

  int file() const { return file_; }

  /// The last 2,000 octets as one line.
  std::string line() const {
    const off_t size = lseek(file_, 0, SEEK_END);
    std::array<char, 2000> tail{};
    const off_t at = size > static_cast<off_t>(tail.size()) ? size - static_cast<off_t>(tail.size()) : 0;
    const ssize_t count = pread(file_, tail.data(), tail.size(), at);
    std::string text(tail.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (char& octet : text) {
      if (static_cast<unsigned char>(octet) < 0x20) octet = ' ';
    }
    return text;
  }

 private:
  int file_;
};

/// Kills the container when the coroutine that runs a command does not come to its end.
class KillUnlessDone {
 public:
  explicit KillUnlessDone(Container& container) : container_(container) {}
  KillUnlessDone(const KillUnlessDone&) = delete;
  KillUnlessDone& operator=(const KillUnlessDone&) = delete;
  ~KillUnlessDone() {
    if (!done_) container_.kill();
  }
  void done() { done_ = true; }

 private:
  Container& container_;
  bool done_ = false;
};

}  // namespace

RunningContainer::RunningContainer(Program program, RunnerChannel channel, Launch launch)
    : program_(std::move(program)), channel_(std::move(channel)), launch_(std::move(launch)) {}

asio::awaitable<Result<std::unique_ptr<Container>>> RunningContainer::start(Launch launch) {
  const auto executor = co_await asio::this_coro::executor;
  const ErrorText error;
  Pipe to_runner = make_pipe(executor);
  Pipe from_runner = make_pipe(executor);
  auto program = Program::start(executor, {launch.argv,
                                           launch.environment,
                                           {{to_runner.read.native_handle(), launch.in},
                                            {from_runner.write.native_handle(), launch.out},
                                            {error.file(), STDERR_FILENO}},
                                           launch.folder});
  if (!program) co_return Error{ErrorCode::unavailable, program.error().message};
  to_runner.read.close();
  from_runner.write.close();
  auto container = std::make_unique<RunningContainer>(
      std::move(*program), RunnerChannel(std::move(to_runner.write), std::move(from_runner.read)), std::move(launch));
  const auto greeted = co_await within<void>(kGreeting, container->channel_.ready());
  if (greeted) co_return std::unique_ptr<Container>(std::move(container));
  const std::string name = container->launch_.argv.front();
  co_await container->close();
  const std::string words = error.line();
  co_return Error{ErrorCode::unavailable, name + ": " + (words.empty() ? greeted.error().message : words)};
}

RunningContainer::~RunningContainer() {
  kill();
  if (program_.ended() || program_.wait_blocking(std::chrono::seconds(10))) return;
  program_.signal(SIGKILL);
  program_.wait_blocking(std::chrono::seconds(1));
  if (launch_.remove.empty()) return;
  asio::io_context blocking;
  auto remover = Program::start(blocking.get_executor(), {launch_.remove, tool_environment(), {}});
  if (remover) remover->wait_blocking(std::chrono::seconds(20));
}

asio::awaitable<Result<UnitExit>> RunningContainer::run(const Command& command, OutputSink output) {
  if (command.argv.empty()) co_return Error{ErrorCode::invalid_argument, "a command needs a program"};
  if (killed_) co_return Error{ErrorCode::unavailable, "the container has been ended"};
  KillUnlessDone guard(*this);
  auto exit = co_await within<UnitExit>(command.time + kMargin, channel_.run(command, output));
  if (exit) {
    guard.done();
    co_return exit;
  }
  if (killed_) co_return UnitExit{.code = 128 + SIGKILL, .signal = SIGKILL, .stopped = Stopped::cancelled};
  co_return in_context("container", exit.error());
}

void RunningContainer::kill() {
  killed_ = true;
  channel_.close();
}

asio::awaitable<void> RunningContainer::close() {
  kill();
  auto ending = [](Program& program) -> asio::awaitable<Result<int>> { co_return co_await program.wait(); };
  const auto code = co_await within<int>(kRemoval, ending(program_));
  if (code && *code < 128) co_return;
  program_.signal(SIGKILL);
  if (launch_.remove.empty()) co_return;
  const auto removed = co_await capture(launch_.remove, kRemoval);
  const bool gone = removed && removed->code == 0;
  log_event(gone ? LogLevel::warning : LogLevel::error, "container.removed_by_force",
            {{"engine", launch_.argv.front()},
             {"outcome", gone ? std::string("gone") : removed ? removed->output : removed.error().message}});
}

std::filesystem::path RunningContainer::inside(const std::filesystem::path& host) const {
  const Mount* best = nullptr;
  for (const Mount& mount : launch_.mounts) {
    const auto relative = host.lexically_relative(mount.from);
    const bool below = !relative.empty() && *relative.begin() != "..";
    if (below && (best == nullptr || mount.from.string().size() > best->from.string().size())) best = &mount;
  }
  if (best == nullptr) return host;
  const auto relative = host.lexically_relative(best->from);
  return relative == "." ? best->to : best->to / relative;
}

}  // namespace crosswarp::container
