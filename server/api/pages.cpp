// SPDX-License-Identifier: Apache-2.0
#include "server/ui/pages.hpp"

#include "server/api/answer.hpp"
#include "server/api/log_text.hpp"
#include "server/api/resources.hpp"
#include "server/ui/assets.hpp"

#include <algorithm>

namespace crosswarp::api {
namespace {

constexpr std::size_t kLatestRuns = 5;
constexpr std::size_t kRunsOnAPage = 50;
constexpr std::size_t kCombinationsOnAPage = 500;
constexpr std::size_t kVerdictsAtATime = 1000;
constexpr std::size_t kMostVerdicts = 50'000;  // of one library in one grid
constexpr std::uint64_t kLogTailBytes = 32 * 1024;

http::Response page_answer(int status, std::string html) {
  http::Response response = http::text_response(status, "text/html; charset=utf-8", std::move(html));
  response.headers.set("Content-Security-Policy", ui::kContentSecurityPolicy);
  response.headers.set("Referrer-Policy", "same-origin");
  response.headers.set("Cache-Control", "no-cache");
  return response;
}

/// A page's failures are pages too.
http::Response page_of(const Result<std::string>& html) {
  if (html.has_value()) return page_answer(200, *html);
  const int status = status_of(html.error().code);
  http::Response response = page_answer(status, ui::error_page(status, html.error().message));
  if (status == 503) response.headers.set("Retry-After", "1");
  return response;
}

asio::awaitable<Result<std::vector<table::Verdict>>> all_verdicts(table::Table& table, std::string library) {
  table::VerdictFilter filter;
  filter.library = std::move(library);
  filter.limit = kVerdictsAtATime;
  std::vector<table::Verdict> all;
  bool more = true;
  while (more && all.size() < kMostVerdicts) {
    Result<table::VerdictPage> page = co_await table.query(filter);
    if (page.has_error()) co_return page.error();
    std::move(page->verdicts.begin(), page->verdicts.end(), std::back_inserter(all));
    more = page->next.has_value();
    filter.cursor = page->next.value_or(0);
  }
  co_return all;
}

asio::awaitable<Result<std::string>> home(table::Table& table, runs::Runs& runs) {
  const auto libraries = co_await table.libraries();
  if (libraries.has_error()) co_return libraries.error();
  const auto latest = co_await runs.list(kLatestRuns, std::nullopt);
  if (latest.has_error()) co_return latest.error();
  co_return ui::home_page(*libraries, latest->runs);
}

asio::awaitable<Result<std::string>> library(table::Table& table, const http::Request& request) {
  const std::string name(request.capture("library"));
  const auto axes = co_await table.axes_of(name);
  if (axes.has_error()) co_return axes.error();
  const auto verdicts = co_await all_verdicts(table, name);
  if (verdicts.has_error()) co_return verdicts.error();
  co_return ui::library_page(name, *verdicts, *axes, request.query, std::chrono::system_clock::now());
}

/// The jobs that its run has planned for the combination, first one first, whether they were reached or not.
asio::awaitable<Result<std::vector<jobs::Job>>> chain_of(runs::Runs& runs, jobs::Jobs& jobs,
                                                         const table::Verdict& verdict) {
  std::vector<jobs::Job> chain;
  if (!verdict.run) co_return chain;
  const auto ids = co_await runs.chain(*verdict.run, verdict.library, verdict.id);
  if (ids.has_error()) co_return ids.error();
  for (const std::int64_t id : *ids) {
    Result<jobs::Job> job = co_await jobs.get(id);
    if (job.has_error()) co_return job.error();
    chain.push_back(std::move(*job));
  }
  co_return chain;
}

asio::awaitable<Result<std::string>> combination(table::Table& table, runs::Runs& runs, jobs::Jobs& jobs,
                                                 const http::Request& request) {
  const std::string library(request.capture("library"));
  const std::string id(request.capture("id"));
  const auto verdict = co_await table.get(library, id);
  if (verdict.has_error()) co_return verdict.error();
  const auto chain = co_await chain_of(runs, jobs, *verdict);
  if (chain.has_error()) co_return chain.error();
  co_return ui::combination_page(*verdict, *chain, std::chrono::system_clock::now());
}

asio::awaitable<Result<std::string>> list_runs(runs::Runs& runs, const http::Request& request) {
  const auto cursor = integer_parameter(request, "cursor");
  if (cursor.has_error()) co_return cursor.error();
  const auto page = co_await runs.list(kRunsOnAPage, *cursor);
  if (page.has_error()) co_return page.error();
  co_return ui::runs_page(*page);
}

asio::awaitable<Result<std::string>> run(runs::Runs& runs, const http::Request& request) {
  const auto id = id_of(request);
  if (id.has_error()) co_return id.error();
  const auto cursor = integer_parameter(request, "cursor");
  if (cursor.has_error()) co_return cursor.error();
  const auto found = co_await runs.get(*id);
  if (found.has_error()) co_return found.error();
  const auto page = co_await runs.combinations(*id, {}, kCombinationsOnAPage, cursor->value_or(0));
  if (page.has_error()) co_return page.error();
  co_return ui::run_page(*found, *page);
}

/// The end of the newest attempt's log; nothing where nobody has begun.
asio::awaitable<Result<std::optional<ui::LogTail>>> log_tail(jobs::Jobs& jobs, std::int64_t job) {
  const Result<jobs::LogPiece> begin = co_await jobs.read_log(job, std::nullopt, 0, 0);
  if (begin.has_error() && begin.error().code == ErrorCode::not_found) co_return std::optional<ui::LogTail>();
  if (begin.has_error()) co_return begin.error();
  const std::uint64_t from = begin->size > kLogTailBytes ? begin->size - kLogTailBytes : 0;
  const Result<jobs::LogPiece> piece = co_await jobs.read_log(job, begin->attempt, from, kLogTailBytes);
  if (piece.has_error()) co_return piece.error();
  ui::LogTail tail{piece->attempt, repaired_utf8(piece->text), piece->size, piece->ended, from > 0};
  co_return std::optional<ui::LogTail>(std::move(tail));
}

asio::awaitable<Result<std::string>> job(jobs::Jobs& jobs, const http::Request& request) {
  const auto id = id_of(request);
  if (id.has_error()) co_return id.error();
  const auto found = co_await jobs.get(*id);
  if (found.has_error()) co_return found.error();
  const auto tail = co_await log_tail(jobs, *id);
  if (tail.has_error()) co_return tail.error();
  co_return ui::job_page(*found, *tail);
}

asio::awaitable<Result<std::string>> list_agents(agents::Agents& agents) {
  const auto found = co_await agents.list();
  if (found.has_error()) co_return found.error();
  co_return ui::agents_page(*found, std::chrono::system_clock::now());
}

asio::awaitable<Result<http::Response>> asset(const http::Request& request) {
  const auto found = ui::find_asset(request.capture("name"));
  if (!found) co_return Error{ErrorCode::not_found, "no such file"};
  const std::string tag = '"' + found->digest + '"';
  const auto known = request.headers.find("If-None-Match");
  http::Response response = http::text_response(200, found->content_type, std::string(found->text));
  if (known && known->find(tag) != std::string_view::npos) response = http::Response{.status = 304};
  response.headers.set("ETag", tag);
  response.headers.set("Cache-Control", request.parameter("v") ? "public, max-age=31536000, immutable" : "no-cache");
  co_return response;
}

/// Adds a page: `make` answers its HTML.
template <class Make>
void add_page(Routes& routes, std::string_view pattern, Make make) {
  routes.get(pattern, Access::read, [make](const http::Request& request) -> asio::awaitable<Result<http::Response>> {
    const Result<std::string> html = co_await make(request);
    co_return page_of(html);
  });
}

}  // namespace

void add_page_routes(Routes& routes, runs::Runs& runs, jobs::Jobs& jobs, agents::Agents& agents, table::Table& table) {
  using http::Request;
  add_page(routes, "/", [&](const Request&) { return home(table, runs); });
  add_page(routes, "/libraries/{library}", [&](const Request& request) { return library(table, request); });
  add_page(routes, "/combinations/{library}/{id}",
           [&](const Request& request) { return combination(table, runs, jobs, request); });
  add_page(routes, "/runs", [&](const Request& request) { return list_runs(runs, request); });
  add_page(routes, "/runs/{id}", [&](const Request& request) { return run(runs, request); });
  add_page(routes, "/jobs/{id}", [&](const Request& request) { return job(jobs, request); });
  add_page(routes, "/agents", [&](const Request&) { return list_agents(agents); });
  routes.get("/assets/{name}", Access::open, asset);
}

}  // namespace crosswarp::api
