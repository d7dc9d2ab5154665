// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace crosswarp::smoke {

enum class Verdict { within_bound, kernel_fault, skipped, not_run };

/// What became of one case.
struct CaseResult {
  std::string op;
  std::string contract;      // "in=fp32 out=fp32 rounding=rne subnormals=kept"
  std::string distribution;  // "D1"
  std::vector<std::int64_t> shape;
  std::uint64_t seed = 0;
  Verdict verdict = Verdict::not_run;
  std::string reason;         // empty when within bound
  std::optional<double> a;    // largest error over the bound u|c| + least subnormal / 2; absent when not judged
  std::optional<double> h;    // over its hard form, which for one rounding is the same
  std::optional<std::int64_t> worst_index;
  std::optional<double> milliseconds;
  std::uint64_t bytes = 0;
  std::uint64_t flops = 0;
};

/// "within-bound", "kernel-fault", "skipped" or "not-run".
const char* name_of(Verdict verdict);

/// One line of JSON without its newline.
std::string to_json(const CaseResult& result);

/// The same for a person, one line without its newline.
std::string to_text(const CaseResult& result);

/// The exit code for a whole suite: 1 when a case is a kernel-fault, else 3 when one was skipped or not run or there
/// was none at all, else 0.
int exit_code(const std::vector<CaseResult>& results);

}  // namespace crosswarp::smoke
