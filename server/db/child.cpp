// SPDX-License-Identifier: Apache-2.0
#include "server/db/child.hpp"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace crosswarp::db {
namespace {

constexpr int kCannotRun = 127;

bool become(const User& user) {
  if (::geteuid() != 0) return true;
  return ::setgroups(0, nullptr) == 0 && ::setgid(user.gid) == 0 && ::setuid(user.uid) == 0;
}

/// Runs in the child between fork and exec: only what is safe there.
[[noreturn]] void run(char* const* arguments, const User& user, int output, pid_t parent) {
  static char path[] = "PATH=/usr/bin:/bin";
  static char language[] = "LC_ALL=C";
  char* environment[] = {path, language, nullptr};
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::setsid();
  // Asked for after the change of user, which clears it; a parent that is gone already would never be noticed.
  if (!become(user) || ::prctl(PR_SET_PDEATHSIG, SIGINT) != 0 || ::getppid() != parent) ::_exit(kCannotRun);
  if (::dup2(output, STDOUT_FILENO) < 0 || ::dup2(output, STDERR_FILENO) < 0 || ::chdir("/") != 0)
    ::_exit(kCannotRun);
  ::execve(arguments[0], arguments, environment);
  ::_exit(kCannotRun);
}

}  // namespace

Result<pid_t> start_child(const ChildCommand& command) {
  const int output = ::open(command.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (output < 0)
    return Error{ErrorCode::unavailable, "cannot write " + command.output.string() + ": " + std::strerror(errno)};
  std::vector<char*> arguments;
  for (const auto& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) run(arguments.data(), command.user, output, parent);
  const int failure = errno;
  ::close(output);
  if (process < 0)
    return Error{ErrorCode::unavailable, std::string("cannot start a process: ") + std::strerror(failure)};
  return process;
}

int wait_for_child(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace crosswarp::db
