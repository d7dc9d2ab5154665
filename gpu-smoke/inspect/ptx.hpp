// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "gpu-smoke/inspect/report.hpp"
#include "gpu-smoke/support/result.hpp"

namespace crosswarp::smoke {

/// True when `text` begins, after white space and comments, with PTX's first directive `.version`.
bool looks_like_ptx(std::string_view text);

/// Reads a PTX text (PTX ISA 7.0 to 9.5): version, target, toolkit where the compiler's comment tells it, entries, and
/// the instructions of each, comments and strings left out.
/// Error: no `.version` or no `.target`.
Result<Code> read_ptx(std::string_view text);

}  // namespace crosswarp::smoke
