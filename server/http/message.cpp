// SPDX-License-Identifier: Apache-2.0
#include "server/http/message.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace crosswarp::http {
namespace {

auto named(std::string_view name) {
  return [name](const auto& field) { return boost::beast::iequals(field.first, name); };
}

}  // namespace

void Headers::set(std::string_view name, std::string_view value) {
  std::erase_if(fields_, named(name));
  add(name, value);
}

std::optional<std::string_view> Headers::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), named(name));
  if (found == fields_.end()) return std::nullopt;
  return found->second;
}

std::size_t Headers::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(fields_.begin(), fields_.end(), named(name)));
}

std::string_view Request::capture(std::string_view name) const {
  const auto found = captures.find(name);
  return found == captures.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::string_view> Request::parameter(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
}

Response text_response(int status, std::string_view content_type, std::string body) {
  Response response;
  response.status = status;
  response.headers.set("Content-Type", content_type);
  response.body = std::move(body);
  return response;
}

Response problem(int status, std::string_view detail, boost::json::array errors) {
  boost::json::object body{
      {"type", "about:blank"}, {"title", reason_phrase(status)}, {"status", status}, {"detail", detail}};
  if (!errors.empty()) body["errors"] = std::move(errors);
  Response response = text_response(status, "application/problem+json", boost::json::serialize(body));
  response.headers.set("Cache-Control", "no-store");
  if (status == 503) response.headers.set("Retry-After", "1");
  return response;
}

std::string_view reason_phrase(int status) {
  if (status == 422) return "Unprocessable Content";
  const auto known = boost::beast::http::int_to_status(static_cast<unsigned>(status));
  const auto phrase = boost::beast::http::obsolete_reason(known);
  return phrase.starts_with("<") ? std::string_view("Unknown") : std::string_view(phrase.data(), phrase.size());
}

}  // namespace crosswarp::http
