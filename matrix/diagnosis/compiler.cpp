// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/rules.hpp"

#include <re2/re2.h>

#include <string>

namespace crosswarp::diagnosis {
namespace {

/// An assertion names its function with all of its arguments; place and condition are what one reads.
void shorten_assertion(const LogLines&, std::size_t, const UnitTrace&, Diagnosis& found) {
  static const RE2 pattern("([^ ]+:\\d+): .*(Assertion .*)$");
  std::string place;
  std::string condition;
  if (RE2::PartialMatch(found.reason, pattern, &place, &condition)) found.reason = place + ": " + condition;
}

/// LLVM's last words may stand under the line that says what it could not do.
void add_llvm_error(const LogLines& lines, std::size_t at, const UnitTrace&, Diagnosis& found) {
  if (at + 1 >= lines.size()) return;
  const std::string_view next = trimmed(lines[at + 1].text);
  if (next.starts_with("LLVM ERROR: ")) found.reason += "; " + std::string(next);
}

/// A pass that failed without a diagnostic of its own: what the compiler wrote before it dumped the module says more.
void line_before_dump(const LogLines& lines, std::size_t at, const UnitTrace&, Diagnosis& found) {
  static const RE2 dump("^(?:#\\w+ = |module[ {]|//----|\"builtin\\.module\")");
  for (std::size_t line = 1; line < at; ++line) {
    const std::string_view text = lines[line].text;
    if (!RE2::PartialMatch({text.data(), text.size()}, dump)) continue;
    if (trimmed(lines[line - 1].text).empty()) return;
    found.reason = std::string(trimmed(lines[line - 1].text));
    found.offset = lines[line - 1].offset;
    return;
  }
}

constexpr Rule kRules[] = {
    {"error: Failures have been detected while processing an MLIR pass pipeline", "compiler_error",
     Weight::consequence, false, "", line_before_dump},
    {": Assertion .* failed\\.?$", "compiler_crash", Weight::cause, false, "", shorten_assertion},
    {"^Unsupported conversion from ", "compiler_error", Weight::cause, false, "", add_llvm_error},
    {"^LLVM ERROR: ", "compiler_crash"},
    {"internal compiler error|^PLEASE submit a bug report|^Stack dump:", "compiler_crash"},
    {"Killed signal terminated program|died due to signal 9\\b", "killed", Weight::cause, true},
    {"died due to signal \\d+", "compiler_crash"},
    {"nvcc fatal\\s*: (?:Unsupported gpu architecture|Value 'sm_)", "arch_unsupported", Weight::cause, false,
     "nvcc --list-gpu-code"},
    {"ptxas fatal\\s*: Value 'sm_\\w+' is not defined for option 'gpu-name'", "arch_unsupported"},
    {"ptxas fatal\\s*: Ptx assembly aborted due to errors", "ptxas_error", Weight::consequence},
    {"ptxas (?:.*; )?(?:fatal|error)\\s*:", "ptxas_error"},
    {"#error -- unsupported (?:GNU|clang) version!.*(?:gcc|clang) versions (?:later than|must be less than) (\\d+)",
     "host_compiler_unsupported", Weight::cause, false, "nvcc -ccbin g++-\\1"},
    {"#error -- unsupported (?:GNU|clang) version!", "host_compiler_unsupported"},
    {"fatal error: Python\\.h: No such file", "header_missing", Weight::cause, false, "apt install python3-dev"},
    {"fatal error: \\S+: No such file or directory|fatal error: '.*' file not found|cannot open source file",
     "header_missing"},
    {"undefined reference to|ld: cannot find -l|ld: .*undefined symbol", "link_error"},
    {"nvcc fatal\\s*:", "compiler_error"},
    {"(?:\\(\\d+\\)|:\\d+(?::\\d+)?|loc\\(.*\\)): (?:catastrophic |fatal )?error(?:[ :#]|$)", "compiler_error"},
    {"^(?:cc1plus|gcc|g\\+\\+|cc|c\\+\\+|clang(?:\\+\\+)?(?:-\\d+)?|ld|error): (?:fatal )?error: ", "compiler_error"},
    {"^collect2: error: |^compilation terminated|^ninja: build stopped|^g?make(?:\\[\\d+\\])?: \\*\\*\\*|"
     "^\\d+ errors? (?:detected|generated)|^FAILED: ",
     "build_failed", Weight::consequence},
};

}  // namespace

std::span<const Rule> compiler_rules() { return kRules; }

}  // namespace crosswarp::diagnosis
