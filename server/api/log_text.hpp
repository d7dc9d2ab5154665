// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crosswarp::api {

/// How many bytes at the end of `text` begin a UTF-8 character whose rest has not come: 0 to 3.
std::size_t unfinished_bytes(std::string_view text);

/// `text` as UTF-8: each byte that is part of no character becomes U+FFFD.
std::string repaired_utf8(std::string_view text);

}  // namespace crosswarp::api
