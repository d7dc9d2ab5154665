// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "gpu-smoke/inspect/command.hpp"
#include "gpu-smoke/support/exit_codes.hpp"

namespace crosswarp::smoke {
namespace {

constexpr const char* kUsage =
    "usage: gpu-smoke inspect [--json] [--arch sm_90a] FILE...   the device code in files\n"
    "       gpu-smoke run [--ops NAME,...] [--device N] [--json] [--list]   kernels, checked against the host\n";

// The program that was started, whatever its working directory or links to it.
std::string own_folder() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) return ".";
  const std::string program(path, static_cast<std::size_t>(length));
  return program.substr(0, program.rfind('/'));
}

// The device part is a program of its own: it opens the driver at run time, which a static program cannot.
int start_device_program(int count, char** arguments) {
  const std::string program = own_folder() + "/gpu-smoke-device";
  std::vector<char*> passed{const_cast<char*>(program.c_str())};
  for (int i = 2; i < count; ++i) passed.push_back(arguments[i]);
  passed.push_back(nullptr);
  ::execv(program.c_str(), passed.data());
  const std::string reason = errno == ENOENT ? "built without CUDA" : std::strerror(errno);
  std::printf("{\"op\":null,\"verdict\":\"skipped\",\"reason\":\"%s\"}\n", reason.c_str());
  std::fprintf(stderr, "gpu-smoke run: skipped: %s\n", reason.c_str());
  return kExitNotRun;
}

int run(int count, char** arguments) {
  const std::string command = count > 1 ? arguments[1] : "";
  if (command == "inspect") return run_inspect({arguments + 2, arguments + count});
  if (command == "run") return start_device_program(count, arguments);
  const bool asked = command == "--help" || command == "-h" || command == "help";
  std::fputs(kUsage, asked ? stdout : stderr);
  return asked ? kExitPassed : kExitUsage;
}

}  // namespace
}  // namespace crosswarp::smoke

int main(int count, char** arguments) { return crosswarp::smoke::run(count, arguments); }
