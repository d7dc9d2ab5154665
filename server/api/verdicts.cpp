// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"
#include "server/api/encode.hpp"
#include "server/api/resources.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace crosswarp::api {
namespace {

namespace json = boost::json;

constexpr std::size_t kDefaultLimit = 100;
constexpr std::int64_t kMostRows = 1000;
constexpr std::array<std::string_view, 7> kOwnNames{"library", "version", "status", "rung", "evidence", "cursor",
                                                    "limit"};

/// Every value of a parameter as a word of the ladder.
template <class Enum>
Result<std::vector<Enum>> words_of(const http::Request& request, std::string_view name,
                                   std::optional<Enum> (*parse)(std::string_view)) {
  std::vector<Enum> words;
  for (const std::string& text : values_of(request, name)) {
    const std::optional<Enum> word = parse(text);
    if (!word) {
      return Error{ErrorCode::invalid_argument,
                   "parameter \"" + std::string(name) + "\": unknown word \"" + text + '"'};
    }
    words.push_back(*word);
  }
  return words;
}

Result<void> take_words(const http::Request& request, table::VerdictFilter& filter) {
  Result<std::vector<Status>> statuses = words_of(request, "status", status_from_text);
  if (statuses.has_error()) return statuses.error();
  Result<std::vector<Rung>> rungs = words_of(request, "rung", rung_from_text);
  if (rungs.has_error()) return rungs.error();
  Result<std::vector<Evidence>> evidences = words_of(request, "evidence", evidence_from_text);
  if (evidences.has_error()) return evidences.error();
  filter.statuses = std::move(*statuses);
  filter.rungs = std::move(*rungs);
  filter.evidences = std::move(*evidences);
  return {};
}

/// What the value of an axis may stand for. A "+" in a query is a space, as forms send it; yet who types "2.8.0+cu128"
/// means it. Specifiers never have a space inside a word, values may.
std::vector<std::string> readings_of(const std::string& value) {
  const auto is_word = [](char byte) { return std::isalnum(static_cast<unsigned char>(byte)) != 0; };
  std::string with_plus = value;
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] == ' ' && is_word(value[i - 1]) && is_word(value[i + 1])) with_plus[i] = '+';
  }
  if (with_plus == value) return {value};
  if (std::string_view("=!<>~").find(value.front()) != std::string_view::npos) return {with_plus};
  return {value, with_plus};
}

void append(std::vector<std::string>& values, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(values));
}

/// Every parameter that is none of ours is an axis; `version` is the axis named after the library.
Result<void> take_axes(const http::Request& request, table::VerdictFilter& filter) {
  for (const auto& [name, value] : request.query) {
    if (name == "version") {
      if (filter.library.empty()) return Error{ErrorCode::invalid_argument, "parameter \"version\" needs \"library\""};
      append(filter.axes[filter.library], readings_of(value));
    } else if (std::find(kOwnNames.begin(), kOwnNames.end(), name) == kOwnNames.end()) {
      append(filter.axes[name], readings_of(value));
    }
  }
  return {};
}

Result<table::VerdictFilter> filter_of(const http::Request& request) {
  table::VerdictFilter filter;
  filter.library = request.parameter("library").value_or("");
  if (Result<void> taken = take_words(request, filter); taken.has_error()) return taken.error();
  if (Result<void> taken = take_axes(request, filter); taken.has_error()) return taken.error();
  const auto limit = integer_parameter(request, "limit", 1, kMostRows);
  if (limit.has_error()) return limit.error();
  const auto cursor = integer_parameter(request, "cursor");
  if (cursor.has_error()) return cursor.error();
  filter.limit = static_cast<std::size_t>(limit->value_or(kDefaultLimit));
  filter.cursor = cursor->value_or(0);
  return filter;
}

std::string lines_of(const table::VerdictPage& page) {
  std::string lines;
  for (const table::Verdict& verdict : page.verdicts) lines += json::serialize(to_json(verdict)) + '\n';
  return lines;
}

/// Sends `page` and, where `all`, every page that follows.
asio::awaitable<void> send_lines(table::Table& table, table::VerdictFilter filter, table::VerdictPage page, bool all,
                                 http::Sink& sink) {
  bool more = co_await sink.write(lines_of(page));
  while (more && all && page.next) {
    filter.cursor = *page.next;
    Result<table::VerdictPage> following = co_await table.query(filter);
    page = std::move(following).value();  // cut short is the only way left to say that it failed
    more = co_await sink.write(lines_of(page));
  }
}

asio::awaitable<Result<http::Response>> query(table::Table& table, const http::Request& request) {
  const Result<table::VerdictFilter> filter = filter_of(request);
  if (filter.has_error()) co_return filter.error();
  const Result<table::VerdictPage> page = co_await table.query(*filter);
  if (page.has_error()) co_return page.error();
  const auto accept = request.headers.find("Accept");
  if (!accept || accept->find("application/x-ndjson") == std::string_view::npos) {
    co_return json_answer(200, {{"verdicts", to_json_array(page->verdicts)},
                                {"next", page->next ? json::value(*page->next) : json::value(nullptr)}});
  }
  http::Response response = http::text_response(200, "application/x-ndjson", "");
  response.headers.set("Cache-Control", "no-store");
  const bool all = !request.parameter("limit");
  response.stream = [&table, filter = *filter, page = *page, all](http::Sink& sink) {
    return send_lines(table, filter, page, all, sink);
  };
  co_return response;
}

}  // namespace

void add_verdict_routes(Routes& routes, table::Table& table) {
  routes.get("/api/v1/verdicts", Access::read,
             [&table](const http::Request& request) { return query(table, request); });
}

}  // namespace crosswarp::api
