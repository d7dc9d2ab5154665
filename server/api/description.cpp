// SPDX-License-Identifier: Apache-2.0
#include "server/api/description.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cctype>

namespace crosswarp::api {
namespace {

namespace json = boost::json;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& letter : out) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return out;
}

const json::value* member(const json::value* value, std::string_view name) {
  return value != nullptr && value->is_object() ? value->as_object().if_contains(name) : nullptr;
}

/// A parameter whose value is an object stands for the members of that object: any name.
void take(const json::object& parameter, QueryParameters& parameters) {
  if (parameter.at("in").as_string() != "query") return;
  const auto& type = parameter.at("schema").at("type").as_string();
  if (type == "object") {
    parameters.open = true;
  } else {
    parameters.known.emplace(parameter.at("name").as_string(), type == "array");
  }
}

Error unknown(const std::string& name, const QueryParameters& parameters) {
  std::string names;
  for (const auto& [known, several] : parameters.known) names += (names.empty() ? "" : ", ") + known;
  return {ErrorCode::invalid_argument,
          "unknown parameter \"" + name + "\"; " + (names.empty() ? "there is none here" : "known: " + names)};
}

}  // namespace

Result<void> QueryParameters::check(const http::Parameters& query) const {
  for (const auto& [name, value] : query) {
    const auto found = known.find(name);
    if (found == known.end() && !open) return unknown(name, *this);
    const bool several = found == known.end() || found->second;
    const auto count = std::count_if(query.begin(), query.end(), [&](const auto& other) { return other.first == name; });
    if (!several && count > 1) return Error{ErrorCode::invalid_argument, "parameter \"" + name + "\" comes twice"};
  }
  return {};
}

Description::Description(std::string_view text) : document_(json::parse(text)) {}

QueryParameters Description::query_parameters(std::string_view method, std::string_view pattern) const {
  QueryParameters parameters;
  const json::value* operation = member(member(member(&document_, "paths"), pattern), lower(method));
  if (const json::value* described = member(operation, "parameters")) {
    for (const json::value& parameter : described->as_array()) take(parameter.as_object(), parameters);
  }
  return parameters;
}

}  // namespace crosswarp::api
