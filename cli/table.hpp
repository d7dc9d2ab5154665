// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal.hpp"
#include "cli/verdict_row.hpp"

#include <string>
#include <vector>

namespace crosswarp::cli {

/// One matrix a library: rows are the library's versions and the other axes that vary, columns the archs (or, where
/// there is one arch, the axis with the most values), a cell the mark of the status and the rung that decided it. What
/// does not fit the width is set below in further blocks. Ends with how many combinations have which status.
std::string render_table(const std::vector<VerdictRow>& rows, const Terminal& terminal);

/// Why combinations are not passed: each reason once, with the combinations that share it.
std::string render_reasons(const std::vector<VerdictRow>& rows, const Terminal& terminal);

}  // namespace crosswarp::cli
