// SPDX-License-Identifier: Apache-2.0
#include "agent/container/runner/child.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace crosswarp::runner {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> found;
  for (const std::string& text : texts) found.push_back(const_cast<char*>(text.c_str()));
  found.push_back(nullptr);
  return found;
}

/// When memory is used up the kernel takes the job, not the runner. Needs the files under /proc/self, which belong to
/// root while the process may not be inspected.
void prefer_as_victim() {
  prctl(PR_SET_DUMPABLE, 1);
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
  close(file);
}

void default_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
}

[[noreturn]] void fail(const char* step, const char* object) {
  dprintf(STDERR_FILENO, "crosswarp-runner: %s %s: %s\n", step, object, std::strerror(errno));
  _exit(127);
}

[[noreturn]] void become(const RunRequest& request, int output) {
  prefer_as_victim();
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  umask(022);
  default_signals();
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_range(3, ~0U, 0);
  if (chdir(request.cwd.c_str()) != 0) fail("cannot enter", request.cwd.c_str());
  std::vector<char*> environment = pointers(request.environment);
  environ = environment.data();  // execvp looks the program up in the PATH found here
  std::vector<char*> argv = pointers(request.argv);
  execvp(argv[0], argv.data());
  fail("cannot start", argv[0]);
}

}  // namespace

Result<Child> start_child(const RunRequest& request) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{ErrorCode::unavailable, std::string("pipe: ") + std::strerror(errno)};
  const pid_t pid = fork();
  if (pid == 0) become(request, ends[1]);
  const int failure = errno;
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return Error{ErrorCode::unavailable, std::string("fork: ") + std::strerror(failure)};
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Child{pid, ends[0]};
}

}  // namespace crosswarp::runner
