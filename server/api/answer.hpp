// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "server/http/message.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::api {

/// The HTTP status of a failure: the one place where that is decided.
int status_of(ErrorCode code);

/// `error` as a problem document.
http::Response error_answer(const Error& error);

http::Response json_answer(int status, const boost::json::value& value);

/// The captured segment `name` as an id. Errors: not_found for anything but a positive whole number, since no resource
/// has such an id.
Result<std::int64_t> id_of(const http::Request& request, std::string_view name = "id");

/// The parameter `name` as a whole number. Errors: invalid_argument, saying what is accepted.
Result<std::optional<std::int64_t>> integer_parameter(
    const http::Request& request, std::string_view name, std::int64_t least = 0,
    std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// As integer_parameter, for true and false.
Result<bool> flag_parameter(const http::Request& request, std::string_view name);

/// Every value of a parameter that may be repeated.
std::vector<std::string> values_of(const http::Request& request, std::string_view name);

/// The body as JSON of at most 32 levels. Errors: invalid_argument with the place.
Result<boost::json::value> json_body(const http::Request& request);

}  // namespace crosswarp::api
