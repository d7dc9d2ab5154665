// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/diagnosis/diagnosis.hpp"
#include "matrix/diagnosis/log_lines.hpp"

#include <optional>

namespace crosswarp::diagnosis {

/// The strongest, and among equals earliest, line that a rule of any family knows. With `by_signal` what Python says is
/// passed over: a process that a signal ended did not end by an exception. Linear in the log.
std::optional<Diagnosis> scan(const LogLines& lines, const UnitTrace& trace, bool by_signal);

}  // namespace crosswarp::diagnosis
