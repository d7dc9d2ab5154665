// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/rules.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace crosswarp::diagnosis {
namespace {

/// Frameworks bring a CUDA of their own; that one of them has no wheel blames another layer than a library's.
bool is_framework(std::string_view package) {
  constexpr std::array<std::string_view, 9> kFrameworks{"torch", "torchvision", "torchaudio", "jax", "jaxlib",
                                                        "tensorflow", "paddlepaddle-gpu", "cupy", "mxnet"};
  return std::find(kFrameworks.begin(), kFrameworks.end(), package) != kFrameworks.end();
}

void append(std::string& text, std::string_view more) {
  if (!text.empty()) text += ' ';
  text += more;
}

/// What uv says under its `error:` line: the causes as one text, and the hints. uv 0.13 writes `cause:`, older ones
/// draw `╰─▶`; both go on in indented lines.
struct Explanation {
  std::vector<std::string> causes;
  std::string hints;
};

std::string_view without_frame(std::string_view line) {
  line = trimmed(line);
  for (const std::string_view frame : {"\xE2\x95\xB0\xE2\x94\x80\xE2\x96\xB6", "\xE2\x94\x9C\xE2\x94\x80\xE2\x96\xB6",
                                       "\xE2\x94\x82", "cause:", "Caused by:"}) {
    if (line.starts_with(frame)) return trimmed(line.substr(frame.size()));
  }
  return line;
}

bool begins_cause(std::string_view line) {
  line = trimmed(line);
  return line.starts_with("cause:") || line.starts_with("Caused by:") || line.starts_with("\xE2\x95\xB0") ||
         line.starts_with("\xE2\x94\x9C");
}

Explanation explanation_after(const LogLines& lines, std::size_t at) {
  constexpr std::size_t kMostLines = 200;
  Explanation said;
  bool in_hints = false;
  for (std::size_t next = at + 1; next < std::min(lines.size(), at + kMostLines); ++next) {
    const std::string_view line = lines[next].text;
    const std::string_view text = without_frame(line);
    if (text.starts_with("hint:")) in_hints = true;
    if (line.starts_with("error:") || line.starts_with("warning:")) break;
    if (in_hints) {
      append(said.hints, text);
    } else if (begins_cause(line)) {
      said.causes.emplace_back(text);
    } else if (!text.empty() && !said.causes.empty()) {
      append(said.causes.back(), text);
    }
  }
  return said;
}

/// No wheel fits: whose it is, and whether a source distribution would do instead.
void refine_wheels(const std::string& cause, Diagnosis& found) {
  static const RE2 pattern("([A-Za-z0-9][\\w.-]*)((?:==|[<>]=?)[^ ]+)? has no (usable )?wheels");
  std::string package;
  std::string version;
  std::string usable;
  if (!RE2::PartialMatch(cause, pattern, &package, &version, &usable)) return;
  if (!usable.empty()) {
    found.code = "build_needed";
    found.remedy = "uv pip install --no-binary " + package + " '" + package + version + "'";
  } else {
    found.code = is_framework(package) ? "no_wheel_framework" : "no_wheel_library";
  }
}

void no_solution(const LogLines& lines, std::size_t at, const UnitTrace& trace, Diagnosis& found) {
  const Explanation said = explanation_after(lines, at);
  if (said.causes.empty()) return;
  found.reason = said.causes.front();
  refine_wheels(found.reason, found);
  static const RE2 unreachable("network was disabled|40[13] (?:Forbidden|Unauthorized)");
  if (RE2::PartialMatch(said.hints, unreachable)) {
    found.reason += ' ' + said.hints;
    blame_network(trace, found);
  }
}

/// uv could not fetch. Where the server answered that there is no such file, the answer stands.
void not_fetched(const LogLines& lines, std::size_t at, const UnitTrace& trace, Diagnosis& found) {
  const Explanation said = explanation_after(lines, at);
  if (!said.causes.empty()) found.reason += ": " + said.causes.back();
  const bool answered = std::any_of(said.causes.begin(), said.causes.end(), [](const std::string& cause) {
    static const RE2 refusal("client error \\(4(?:04|10)|[Hh]ash mismatch");
    return RE2::PartialMatch(cause, refusal);
  });
  if (answered) {
    found.code = "not_fetched";
  } else {
    blame_network(trace, found);
  }
}

/// pip says "no version" also when it reached no index; what tells is its earlier complaint.
void pip_found_nothing(const LogLines& lines, std::size_t at, const UnitTrace& trace, Diagnosis& found) {
  static const RE2 complaint("after connection broken by|Could not fetch URL");
  static const RE2 no_candidates("from versions: none\\)");
  if (!RE2::PartialMatch({found.reason.data(), found.reason.size()}, no_candidates)) return;
  for (std::size_t before = 0; before < at; ++before) {
    const std::string_view text = lines[before].text;
    if (!RE2::PartialMatch({text.data(), text.size()}, complaint)) continue;
    found.reason = std::string(trimmed(text));
    found.offset = lines[before].offset;
    return blame_network(trace, found);
  }
}

constexpr Rule kRules[] = {
    {"(?:^error: |\xC3\x97 )No solution found when resolving", "unsatisfiable", Weight::cause, false, "", no_solution},
    {"^error: (?:Request failed after|Failed to fetch|Failed to download|Could not connect|error sending request)",
     "network", Weight::cause, false, "", not_fetched},
    {"^error: (?:No interpreter found|No virtual environment or system Python|Failed to inspect Python interpreter)",
     "interpreter_missing", Weight::cause, true},
    {"^error: Failed to parse: ", "requirement_invalid"},
    {"^ERROR: Could not find a version that satisfies the requirement ", "unsatisfiable", Weight::cause, false, "",
     pip_found_nothing},
    {"^ERROR: (?:Cannot install .* because these package versions have conflicting|ResolutionImpossible)",
     "unsatisfiable"},
    {"^ERROR: .*THESE PACKAGES DO NOT MATCH THE HASHES", "not_fetched"},
    {"^(?:ERROR: No matching distribution found|(?:error: |\xC3\x97 )?Failed to (?:build|prepare)|"
     "error: subprocess-exited-with-error|ERROR: Failed building wheel)",
     "build_failed", Weight::consequence},
};

}  // namespace

std::span<const Rule> resolver_rules() { return kRules; }

}  // namespace crosswarp::diagnosis
