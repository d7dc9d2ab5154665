// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace crosswarp::spec {

/// What a plain scalar of YAML 1.1 or 1.2 is read as. Strict readers disagree with one another (`on`, 012, 1:30), so
/// whatever one of them takes for something else than text counts as that.
enum class ScalarKind { text, number, boolean, null };

ScalarKind kind_of_plain_scalar(std::string_view text);

/// "90s", "2m", "1h": a whole number and its unit. Errors: invalid_argument, also for zero.
Result<std::chrono::seconds> parse_duration(std::string_view text);

/// "512MiB", "2GiB": a whole number and KiB, MiB or GiB. Errors: invalid_argument, also for zero.
Result<std::uint64_t> parse_size(std::string_view text);

/// The text between double quotes with control characters escaped, cut where it is long, for messages.
std::string in_quotes(std::string_view text);

}  // namespace crosswarp::spec
