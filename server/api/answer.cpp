// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <charconv>

namespace crosswarp::api {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error bad_parameter(std::string_view name, std::string_view found, std::string_view expected) {
  return {ErrorCode::invalid_argument, "parameter \"" + std::string(name) + "\": expected " + std::string(expected) +
                                           ", found \"" + std::string(found) + '"'};
}

}  // namespace

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return 400;
    case ErrorCode::unauthorized: return 401;
    case ErrorCode::forbidden: return 403;
    case ErrorCode::not_found: return 404;
    case ErrorCode::conflict: return 409;
    case ErrorCode::too_large: return 413;
    case ErrorCode::unavailable: break;
  }
  return 503;
}

http::Response error_answer(const Error& error) {
  http::Response response = http::problem(status_of(error.code), error.message);
  if (error.code == ErrorCode::unauthorized) response.headers.set("WWW-Authenticate", "Bearer");
  return response;
}

http::Response json_answer(int status, const boost::json::value& value) {
  http::Response response = http::text_response(status, "application/json", boost::json::serialize(value));
  response.headers.set("Cache-Control", "no-store");
  return response;
}

Result<std::int64_t> id_of(const http::Request& request, std::string_view name) {
  const auto value = whole_number(request.capture(name));
  if (value && *value > 0) return *value;
  return Error{ErrorCode::not_found, "no such thing: \"" + std::string(request.capture(name)) + '"'};
}

Result<std::optional<std::int64_t>> integer_parameter(const http::Request& request, std::string_view name,
                                                      std::int64_t least, std::int64_t most) {
  const auto text = request.parameter(name);
  if (!text) return std::optional<std::int64_t>();
  const auto value = whole_number(*text);
  if (value && *value >= least && *value <= most) return value;
  std::string expected = "a whole number, at least " + std::to_string(least);
  if (most != std::numeric_limits<std::int64_t>::max()) expected += " and at most " + std::to_string(most);
  return bad_parameter(name, *text, expected);
}

Result<bool> flag_parameter(const http::Request& request, std::string_view name) {
  const auto text = request.parameter(name);
  if (!text || *text == "false") return false;
  if (*text == "true") return true;
  return bad_parameter(name, *text, "true or false");
}

std::vector<std::string> values_of(const http::Request& request, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [key, value] : request.query) {
    if (key == name) values.push_back(value);
  }
  return values;
}

Result<boost::json::value> json_body(const http::Request& request) {
  boost::system::error_code failure;
  boost::json::value value = boost::json::parse(request.body, failure);
  if (!failure) return value;
  return Error{ErrorCode::invalid_argument, "body: no JSON: " + failure.message()};
}

}  // namespace crosswarp::api
