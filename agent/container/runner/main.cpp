// SPDX-License-Identifier: Apache-2.0
// crosswarp-runner [IN OUT]: starts and watches commands for an agent, inside a container or without one. IN and OUT
// are the numbers of open files, 0 and 1 where they are not given. See supervisor.hpp for what is said over them.
#include "agent/container/runner/supervisor.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>

int main(int argc, char** argv) {
  // A job runs as the same user: it must not look into this process, where the files are through which it speaks.
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int in = argc == 3 ? std::atoi(argv[1]) : STDIN_FILENO;
  const int out = argc == 3 ? std::atoi(argv[2]) : STDOUT_FILENO;
  return crosswarp::runner::Supervisor(in, out, getpid() == 1).serve();
}
