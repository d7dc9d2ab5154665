// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace crosswarp {

/// The value of an axis that a combination does not have.
inline constexpr std::string_view kNone = "none";

/// One value on every axis. An axis with the value `none` and an absent axis are the same thing.
using Combination = std::map<std::string, std::string, std::less<>>;

/// The value on `axis`; `none` where it is absent.
std::string_view value_of(const Combination& combination, std::string_view axis);

/// The sorted `axis=value` lines, each ended by a newline; axes with the value `none` are left out.
std::string canonical_text(const Combination& combination);

/// The first 80 bits of the SHA-256 of the canonical text, in lower-case base32 (RFC 4648): 16 characters.
std::string combination_id(const Combination& combination);

/// The lower-case hexadecimal SHA-256 of `bytes`.
std::string sha256_hex(std::string_view bytes);

}  // namespace crosswarp
