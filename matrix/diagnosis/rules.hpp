// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/diagnosis/diagnosis.hpp"
#include "matrix/diagnosis/log_lines.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace crosswarp::diagnosis {

/// How much a matching line says; a stronger one wins over a weaker one wherever they stand, and among equals the
/// earlier one.
enum class Weight {
  environment,  ///< the machine itself is at fault, whatever else the log says
  cause,        ///< a tool's own diagnostic
  exception,    ///< a Python exception of no known kind: often a wrapper around a diagnostic
  consequence,  ///< printed because something else failed
};

/// What a line of a log means. `pattern` is searched in the line without the blanks at its ends. `remedy` is typed
/// text in which \1 to \9 stand for the groups of the pattern.
struct Rule {
  const char* pattern = "";
  const char* code = "";
  Weight weight = Weight::cause;
  bool our_fault = false;
  const char* remedy = "";
  /// Looks at the lines around to say more than the line itself; null where the line is the reason.
  void (*refine)(const LogLines& lines, std::size_t at, const UnitTrace& trace, Diagnosis& found) = nullptr;
};

/// The rules of each family of tools; where two match one line, the one that stands first counts.
std::span<const Rule> system_rules();
std::span<const Rule> resolver_rules();
std::span<const Rule> python_rules();
std::span<const Rule> compiler_rules();

/// Follows Python tracebacks through a log.
class TracebackReader {
 public:
  enum class Part { outside, frames, exception };

  /// What `line` is, given the lines before it.
  Part read(std::string_view line);

 private:
  bool inside_ = false;
  std::string_view prefix_;  ///< what stands in front of the traceback's header, in which its lines begin too
};

/// Why a network failure is one's fault: a stage that may fetch had a right to an answer.
void blame_network(const UnitTrace& trace, Diagnosis& found);

}  // namespace crosswarp::diagnosis
