// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gpu-smoke/suite/case_result.hpp"
#include "gpu-smoke/support/guarded.hpp"

namespace crosswarp::smoke {

/// Judges an fp32 output that has one right answer: the reference `exact` rounded once to nearest even, by bits, where
/// any NaN answers a NaN. Sets verdict, reason, a, h and worst_index of `result`. In this order a kernel-fault is: a
/// changed guard band, an element never written, an element with other bits.
void judge_by_bits(const std::vector<double>& exact, const GuardedImage& output, CaseResult& result);

/// A kernel-fault when an input or its guard bands differ after the run; else leaves `result` as it is.
void judge_input(const char* name, const GuardedImage& before, const GuardedImage& after, CaseResult& result);

}  // namespace crosswarp::smoke
