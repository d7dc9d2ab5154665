// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <string_view>

namespace crosswarp {

/// Whether `value` (of any axis) is accepted by `pattern`.
/// A pattern that starts as a comparison does (== != <= >= < > ~= ===) is a set of specifiers: PEP 440 for versions
/// (pre-releases only when the pattern names one), by sm number for archs (">=sm_90"; `a` and `f` do not change the
/// order). Any other pattern is the value itself: archs in any spelling ("9.0a" is "sm_90a"), versions by PEP 440
/// equality ("13" is "13.0"), else text. `none` matches only `none`.
/// Errors: invalid_argument for a malformed specifier.
Result<bool> matches(std::string_view value, std::string_view pattern);

/// Whether `text` begins as an operator does, so that it is a specifier (or a mistake in one) and no value.
bool is_specifier(std::string_view text);

/// Whether `pattern` is well formed; the error says what was found and what would do.
Result<void> check_pattern(std::string_view pattern);

}  // namespace crosswarp
