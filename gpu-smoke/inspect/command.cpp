// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/command.hpp"

#include <cstdio>

#include "gpu-smoke/inspect/inspect.hpp"
#include "gpu-smoke/support/exit_codes.hpp"

namespace crosswarp::smoke {
namespace {

struct Options {
  bool json = false;
  std::string arch;
  std::vector<std::string> files;
};

bool is_arch(const std::string& text) {
  if (text.compare(0, 3, "sm_") != 0) return false;
  const std::size_t end = text.find_first_not_of("0123456789", 3);
  if (end == 3 || text.size() == 3) return false;
  return end == std::string::npos || (end + 1 == text.size() && (text[end] == 'a' || text[end] == 'f'));
}

Result<Options> parse(const std::vector<std::string>& arguments) {
  Options options;
  bool only_files = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (only_files || argument.empty() || argument[0] != '-') {
      options.files.push_back(argument);
    } else if (argument == "--") {
      only_files = true;
    } else if (argument == "--json") {
      options.json = true;
    } else if (argument == "--arch") {
      if (++i == arguments.size()) return Error{"--arch: value missing"};
      if (!is_arch(arguments[i])) return Error{"--arch: \"" + arguments[i] + "\" is no arch; such as sm_90a would do"};
      options.arch = arguments[i];
    } else {
      return Error{"unknown option \"" + argument + "\"; known: --json, --arch"};
    }
  }
  if (options.files.empty()) return Error{"no file given"};
  return options;
}

}  // namespace

int run_inspect(const std::vector<std::string>& arguments) {
  const auto options = parse(arguments);
  if (!options) {
    std::fprintf(stderr, "gpu-smoke inspect: %s\nusage: gpu-smoke inspect [--json] [--arch sm_90a] FILE...\n",
                 options.error().message.c_str());
    return kExitUsage;
  }
  int code = kExitPassed;
  for (const std::string& file : options->files) {
    const auto report = inspect_file(file);
    if (!report) {
      std::fprintf(stderr, "gpu-smoke inspect: %s\n", report.error().message.c_str());
      code = kExitNotRun;
      continue;
    }
    std::fputs((options->json ? to_json(*report) + "\n" : to_text(*report)).c_str(), stdout);
    const bool other_code = !options->arch.empty() && !is_exactly_for(*report, options->arch);
    if (other_code && code == kExitPassed) code = kExitFault;
  }
  return code;
}

}  // namespace crosswarp::smoke
