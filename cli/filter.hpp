// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace crosswarp::cli {

/// A question about verdicts: parameters of the verdicts resource, in the order given.
using Filter = std::vector<std::pair<std::string, std::string>>;

/// Reads a question as a person writes it. A word without an operator is the library. `name=value` asks for a value
/// (an axis, or version, status, rung, evidence); `name>=3.3,<4` and the like (== != <= >= < > ~= ===) for PEP 440
/// specifiers. The same name again: either will do.
/// Errors: invalid_argument for a second library, a malformed specifier, an unknown status, rung or evidence.
Result<Filter> parse_filter(const std::vector<std::string>& words);

/// The request target that asks for one page. `cursor` 0: the first one.
std::string verdicts_target(const Filter& filter, std::int64_t limit, std::int64_t cursor);

}  // namespace crosswarp::cli
