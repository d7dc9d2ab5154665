// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "server/http/message.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::http {

/// The parts of a request target, decoded.
struct Target {
  std::vector<std::string> path;
  Parameters query;
};

/// Decodes the target of a request: "/a%20b/c?x=1&x=2". Segments are split before they are decoded, so an encoded
/// slash stays inside its segment. In the query `+` is a space, as forms send it.
/// Errors: invalid_argument for anything but an absolute path (a full URL is taken too), a fragment, a bad escape, a
/// dot segment, a control character, or bytes that are no UTF-8.
Result<Target> parse_target(std::string_view target);

/// `text` as it may stand in a segment or in the name or value of a parameter.
std::string percent_encode(std::string_view text);

/// Whether `text` is well-formed UTF-8 without surrogates.
bool is_utf8(std::string_view text);

}  // namespace crosswarp::http
