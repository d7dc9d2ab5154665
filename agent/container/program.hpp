// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace crosswarp::container {

/// What to start on the host.
struct ProgramSpec {
  std::vector<std::string> argv;                 ///< argv[0] is looked up in this process's PATH
  std::vector<std::string> environment;          ///< "NAME=value"; nothing else is passed
  std::vector<std::pair<int, int>> files;        ///< open files of this process and their numbers in the program;
                                                 ///< 0, 1 and 2 not named here are /dev/null
  std::string folder;                            ///< where it works; empty: where this process does
};

/// A running program of the host, in a session of its own. Killed and waited for by the destructor.
class Program {
 public:
  /// Errors: not_found when the program cannot be started, with the system's words.
  static Result<Program> start(boost::asio::any_io_executor executor, const ProgramSpec& spec);

  Program(Program&& other) noexcept;
  Program& operator=(Program&&) = delete;
  ~Program();

  /// Suspends until it ends; the exit code, or 128 + signal. May be called again.
  boost::asio::awaitable<int> wait();

  /// Blocks until it ends or the time is over; whether it ended.
  bool wait_blocking(std::chrono::milliseconds limit);

  void signal(int number);
  bool ended() const { return ended_; }

 private:
  Program(pid_t pid, boost::asio::posix::stream_descriptor handle) : pid_(pid), handle_(std::move(handle)) {}
  void reap();

  pid_t pid_;
  boost::asio::posix::stream_descriptor handle_;  ///< a pidfd: readable when the program has ended
  bool ended_ = false;
  int code_ = 0;
};

/// A pipe whose ends close themselves and are not inherited.
struct Pipe {
  boost::asio::posix::stream_descriptor read;
  boost::asio::posix::stream_descriptor write;
};
Pipe make_pipe(const boost::asio::any_io_executor& executor);

/// The variables of this process that a container engine or a tool of the host needs (PATH, HOME, XDG_RUNTIME_DIR,
/// DOCKER_HOST, ...), as "NAME=value". Tokens are not among them.
std::vector<std::string> tool_environment();

struct Captured {
  int code = 0;
  std::string output;  ///< standard output and error together, at most as much as asked for
};

/// Runs a program of the host to its end; past `limit` it is killed.
/// Errors: not_found when it cannot be started; unavailable past the limit.
boost::asio::awaitable<Result<Captured>> capture(std::vector<std::string> argv, std::chrono::milliseconds limit,
                                                 std::size_t most_bytes = 65536);

}  // namespace crosswarp::container
