// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::smoke {

/// The texts in `code` by which a kernel library says at run time that a path was compiled out (`Arch conditional MMA`,
/// `without CUTE_ARCH_`, `not implemented`): each printable text around such words once, at most
/// 16 of 200 characters.
std::vector<std::string> find_stub_texts(std::string_view code);

}  // namespace crosswarp::smoke
