// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"
#include "server/api/encode.hpp"
#include "server/api/resources.hpp"

namespace crosswarp::api {
namespace {

namespace json = boost::json;

constexpr std::size_t kDefaultLimit = 100;
constexpr std::int64_t kMostRows = 1000;
constexpr std::size_t kLongestLabel = 200;

json::array of_severity(const std::vector<Diagnostic>& diagnostics, Severity severity) {
  json::array array;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == severity) array.push_back(to_json(diagnostic));
  }
  return array;
}

http::Response submitted_answer(const runs::Submitted& submitted) {
  if (!submitted.ok()) {
    json::array errors = of_severity(submitted.diagnostics, Severity::error);
    const std::string count = std::to_string(errors.size()) + (errors.size() == 1 ? " mistake" : " mistakes");
    return http::problem(422, "the matrix has " + count, std::move(errors));
  }
  const std::string url = "/runs/" + std::to_string(submitted.run);
  http::Response response = json_answer(201, {{"run", submitted.run},
                                              {"combinations", submitted.combinations},
                                              {"jobs", submitted.jobs},
                                              {"unsupported", submitted.unsupported},
                                              {"url", url},
                                              {"warnings", of_severity(submitted.diagnostics, Severity::warning)}});
  response.headers.set("Location", "/api/v1" + url);
  return response;
}

asio::awaitable<Result<http::Response>> submit(runs::Runs& runs, const http::Request& request) {
  const Result<bool> verify = flag_parameter(request, "verify");
  if (verify.has_error()) co_return verify.error();
  runs::Submission submission;
  submission.yaml = request.body;
  submission.label = request.parameter("label").value_or("");
  submission.verify = *verify;
  if (submission.label.size() > kLongestLabel) {
    co_return Error{ErrorCode::invalid_argument, "parameter \"label\": at most 200 bytes"};
  }
  const Result<runs::Submitted> submitted = co_await runs.submit(std::move(submission));
  if (submitted.has_error()) co_return submitted.error();
  co_return submitted_answer(*submitted);
}

asio::awaitable<Result<http::Response>> list(runs::Runs& runs, const http::Request& request) {
  const auto limit = integer_parameter(request, "limit", 1, kMostRows);
  if (limit.has_error()) co_return limit.error();
  const auto cursor = integer_parameter(request, "cursor");
  if (cursor.has_error()) co_return cursor.error();
  const Result<runs::RunPage> page = co_await runs.list(limit->value_or(kDefaultLimit), *cursor);
  if (page.has_error()) co_return page.error();
  co_return json_answer(200, {{"runs", to_json_array(page->runs)},
                              {"next", page->next ? json::value(*page->next) : json::value(nullptr)}});
}

asio::awaitable<Result<http::Response>> get(runs::Runs& runs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const Result<runs::Run> run = co_await runs.get(*id);
  if (run.has_error()) co_return run.error();
  co_return json_answer(200, to_json(*run));
}

Result<std::vector<std::string>> run_statuses(const http::Request& request) {
  std::vector<std::string> statuses = values_of(request, "status");
  for (const std::string& status : statuses) {
    if (status == "pending" || status_from_text(status)) continue;
    return Error{ErrorCode::invalid_argument,
                 "parameter \"status\": unknown \"" + status +
                     "\"; known: passed, failed, unsupported, skipped, untested, broken, pending"};
  }
  return statuses;
}

asio::awaitable<Result<http::Response>> combinations(runs::Runs& runs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const Result<std::vector<std::string>> statuses = run_statuses(request);
  if (statuses.has_error()) co_return statuses.error();
  const auto limit = integer_parameter(request, "limit", 1, kMostRows);
  if (limit.has_error()) co_return limit.error();
  const auto cursor = integer_parameter(request, "cursor");
  if (cursor.has_error()) co_return cursor.error();
  const Result<runs::CombinationPage> page =
      co_await runs.combinations(*id, *statuses, limit->value_or(kDefaultLimit), cursor->value_or(0));
  if (page.has_error()) co_return page.error();
  co_return json_answer(200, {{"combinations", to_json_array(page->combinations)},
                              {"next", page->next ? json::value(*page->next) : json::value(nullptr)}});
}

asio::awaitable<Result<http::Response>> jobs_of(jobs::Jobs& jobs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const Result<std::vector<jobs::Job>> found = co_await jobs.of_run(*id);
  if (found.has_error()) co_return found.error();
  json::array outlines;
  for (const jobs::Job& job : *found) outlines.push_back(outline(job));
  co_return json_answer(200, {{"jobs", std::move(outlines)}});
}

asio::awaitable<Result<http::Response>> cancel(runs::Runs& runs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const Result<runs::Run> run = co_await runs.cancel(*id);
  if (run.has_error()) co_return run.error();
  co_return json_answer(200, to_json(*run));
}

}  // namespace

void add_run_routes(Routes& routes, runs::Runs& runs, jobs::Jobs& jobs, std::uint64_t body_limit) {
  http::RouteLimits large;
  large.body_bytes = body_limit;
  large.time = std::chrono::minutes(2);
  routes.add("POST", "/api/v1/runs", Access::submit, large,
             [&runs](const http::Request& request) { return submit(runs, request); });
  routes.get("/api/v1/runs", Access::read, [&runs](const http::Request& request) { return list(runs, request); });
  routes.get("/api/v1/runs/{id}", Access::read, [&runs](const http::Request& request) { return get(runs, request); });
  routes.get("/api/v1/runs/{id}/combinations", Access::read,
             [&runs](const http::Request& request) { return combinations(runs, request); });
  routes.get("/api/v1/runs/{id}/jobs", Access::read,
             [&jobs](const http::Request& request) { return jobs_of(jobs, request); });
  http::RouteLimits small;
  small.body_bytes = 4096;  // clients that send "{}" with every POST
  routes.add("POST", "/api/v1/runs/{id}/cancel", Access::submit, small,
             [&runs](const http::Request& request) { return cancel(runs, request); });
}

}  // namespace crosswarp::api
