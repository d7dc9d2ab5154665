// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/ladder.hpp"
#include "matrix/base/stopped.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crosswarp {

/// What one unit of a stage left, enough to say why it failed.
struct UnitTrace {
  Rung rung = Rung::resolve;
  std::string_view unit;
  int exit_code = 0;
  int signal = 0;          ///< number of the signal that ended it, 0 for none
  Stopped stopped = Stopped::no;
  std::string_view limit;  ///< the limit that was hit, as a text with unit: "2 GiB", "120 s"
  bool network = false;    ///< the stage may fetch
  std::string_view log;    ///< stdout and stderr as they came; head and tail of a long one
};

/// Why a unit failed.
struct Diagnosis {
  bool our_fault = false;  ///< infrastructure or environment of ours: the attempt is `broken`, never `failed`
  std::string code;        ///< stable word: unsatisfiable, no_wheel_library, no_wheel_framework, build_needed,
                           ///< module_missing, compiler_error, compiler_crash, memory_limit, time_limit, network, ...
  std::string reason;      ///< one line: the first cause, in the tool's own words where it has some
  std::string remedy;      ///< something to type, or empty
  std::optional<std::uint64_t> offset;  ///< where in `log` the evidence line begins
};

/// The first cause in what a failed unit left; the loud last line is not taken where an earlier one caused it.
/// Order of evidence: what stopped it, structured diagnostics (resolver, Python, loader, compiler), signal, last line.
Diagnosis diagnose(const UnitTrace& trace);

}  // namespace crosswarp
