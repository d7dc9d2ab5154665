// SPDX-License-Identifier: Apache-2.0
#include "cli/filter.hpp"

#include "agent/client/client.hpp"
#include "matrix/base/ladder.hpp"
#include "matrix/version/match.hpp"

#include <algorithm>

namespace crosswarp::cli {
namespace {

Error wrong(const std::string& word, const std::string& why) {
  return {ErrorCode::invalid_argument, '"' + word + "\": " + why};
}

template <class Enum>
std::string listed(std::initializer_list<Enum> values) {
  std::string text;
  for (const Enum value : values) text += (text.empty() ? "" : ", ") + std::string(to_text(value));
  return text;
}

std::string listed_rungs() {
  std::string text;
  for (const Rung rung : kRungs) text += (text.empty() ? "" : ", ") + std::string(to_text(rung));
  return text;
}

/// Words of the ladder are checked here, where the mistake can be told before anything is sent.
Result<void> check_word(const std::string& name, const std::string& value, const std::string& written) {
  if (name == "status" && !status_from_text(value)) {
    return wrong(written, "unknown status; known: " + listed({Status::passed, Status::failed, Status::unsupported,
                                                              Status::skipped, Status::untested, Status::broken}));
  }
  if (name == "rung" && !rung_from_text(value)) return wrong(written, "unknown rung; known: " + listed_rungs());
  if (name == "evidence" && !evidence_from_text(value)) {
    return wrong(written, "unknown evidence; known: " + listed({Evidence::resolved, Evidence::installed,
                                                                Evidence::compiled, Evidence::emulated,
                                                                Evidence::hardware}));
  }
  if (name == "limit" || name == "cursor" || name == "sort") return wrong(written, "not an axis; use --limit");
  return {};
}

/// What an axis is asked for: "3.3" of `=3.3`, ">=3.3" of `>=3.3`.
Result<std::string> asked_value(std::string_view rest, const std::string& written) {
  const bool exact = rest.starts_with('=') && !rest.starts_with("==");
  const std::string value(exact ? rest.substr(1) : rest);
  if (value.empty()) return wrong(written, "no value after \"=\"");
  const Result<void> fine = check_pattern(value);
  if (!fine) return wrong(written, fine.error().message);
  return value;
}

bool has_library(const Filter& filter) {
  return std::any_of(filter.begin(), filter.end(), [](const auto& one) { return one.first == "library"; });
}

}  // namespace

Result<Filter> parse_filter(const std::vector<std::string>& words) {
  Filter filter;
  for (const std::string& word : words) {
    const std::size_t end = word.find_first_of("=<>!~");
    std::string name = word.substr(0, end);
    if (name.empty()) return wrong(word, "expected a library, name=value or name>=version");
    if (end == std::string::npos) {
      if (has_library(filter)) return wrong(word, "a second library; for a value of an axis write name=value");
      filter.emplace_back("library", std::move(name));
      continue;
    }
    Result<std::string> value = asked_value(std::string_view(word).substr(end), word);
    if (!value) return value.error();
    if (const Result<void> fine = check_word(name, *value, word); !fine) return fine.error();
    filter.emplace_back(std::move(name), std::move(*value));
  }
  return filter;
}

std::string verdicts_target(const Filter& filter, std::int64_t limit, std::int64_t cursor) {
  std::string target = "/api/v1/verdicts?limit=" + std::to_string(limit);
  if (cursor > 0) target += "&cursor=" + std::to_string(cursor);
  for (const auto& [name, value] : filter) target += '&' + url_encode(name) + '=' + url_encode(value);
  return target;
}

}  // namespace crosswarp::cli
