// SPDX-License-Identifier: Apache-2.0
#include "server/api/answer.hpp"
#include "server/api/encode.hpp"
#include "server/api/log_text.hpp"
#include "server/api/resources.hpp"
#include "server/http/range.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>

namespace crosswarp::api {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kPieceBytes = 256 * 1024;
constexpr auto kEventWait = std::chrono::seconds(15);

asio::awaitable<Result<http::Response>> get(jobs::Jobs& jobs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const Result<jobs::Job> job = co_await jobs.get(*id);
  if (job.has_error()) co_return job.error();
  co_return json_answer(200, to_json(*job));
}

/// Which attempt's log is wanted, and how much of it there is.
asio::awaitable<Result<jobs::LogPiece>> find_log(jobs::Jobs& jobs, const http::Request& request) {
  const Result<std::int64_t> id = id_of(request);
  if (id.has_error()) co_return id.error();
  const auto attempt = integer_parameter(request, "attempt", 1);
  if (attempt.has_error()) co_return attempt.error();
  co_return co_await jobs.read_log(*id, *attempt, 0, 0);
}

/// Sends the octets of `range` in pieces, so that no log is ever held whole.
asio::awaitable<void> send_log(jobs::Jobs& jobs, std::int64_t job, std::int64_t attempt, http::ByteRange range,
                               http::Sink& sink) {
  for (std::uint64_t at = range.first; at <= range.last;) {
    const std::uint64_t length = std::min(kPieceBytes, range.last - at + 1);
    const Result<jobs::LogPiece> piece = co_await jobs.read_log(job, attempt, at, length);
    if (piece.value().text.empty()) co_return;
    if (!co_await sink.write(piece->text)) co_return;
    at += piece->text.size();
  }
}

http::Response log_answer(jobs::Jobs& jobs, std::int64_t job, const jobs::LogPiece& log,
                          const http::RangeAnswer& asked) {
  if (!asked.satisfiable) {
    http::Response response = http::problem(416, "the log has " + std::to_string(log.size) + " bytes");
    response.headers.set("Content-Range", "bytes */" + std::to_string(log.size));
    return response;
  }
  http::Response response = http::text_response(asked.range ? 206 : 200, "text/plain; charset=utf-8", "");
  response.headers.set("Accept-Ranges", "bytes");
  response.headers.set("Cache-Control", "no-store");
  if (asked.range) response.headers.set("Content-Range", http::content_range(*asked.range, log.size));
  if (log.size == 0) return response;
  const http::ByteRange range = asked.range.value_or(http::ByteRange{0, log.size - 1});
  response.stream = [&jobs, job, attempt = log.attempt, range](http::Sink& sink) {
    return send_log(jobs, job, attempt, range, sink);
  };
  return response;
}

/// Only GET has ranges (RFC 9110, 14.2); a log has no validator that If-Range could name, so then all of it is sent.
http::RangeAnswer range_of(const http::Request& request, std::uint64_t size) {
  const auto header = request.headers.find("Range");
  if (!header || request.method != "GET" || request.headers.find("If-Range")) return {};
  return http::read_range(*header, size);
}

asio::awaitable<Result<http::Response>> get_log(jobs::Jobs& jobs, const http::Request& request) {
  const Result<jobs::LogPiece> log = co_await find_log(jobs, request);
  if (log.has_error()) co_return log.error();
  co_return log_answer(jobs, *id_of(request), *log, range_of(request, log->size));
}

std::string text_event(std::uint64_t end, std::string_view text) {
  return "id: " + std::to_string(end) +
         "\ndata: " + json::serialize(json::object{{"text", repaired_utf8(text)}}) + "\n\n";
}

/// Sends the log as it grows, until the attempt is over. A character whose bytes come in two pieces is held back.
asio::awaitable<void> send_events(jobs::Jobs& jobs, std::int64_t job, std::int64_t attempt, std::uint64_t at,
                                  http::Sink& sink) {
  std::uint64_t wanted = at + 1;  // wait until the log is that long
  while (true) {
    const auto grown = co_await jobs.follow_log(job, attempt, wanted - 1, 1, kEventWait);
    const bool over = grown.value().ended;
    const auto piece = co_await jobs.read_log(job, attempt, at, kPieceBytes);
    std::string_view text = piece.value().text;
    const bool last = over && at + text.size() >= piece->size;
    if (!last) text.remove_suffix(unfinished_bytes(text));
    at += text.size();
    wanted = at + piece->text.size() - text.size() + 1;
    std::string event = text.empty() ? std::string() : text_event(at, text);
    if (last) event += "event: end\ndata: {}\n\n";
    if (event.empty()) event = ": still here\n\n";
    const bool more = co_await sink.write(event);
    if (!more || last) co_return;
  }
}

Result<std::uint64_t> last_event(const http::Request& request, std::uint64_t size) {
  const auto header = request.headers.find("Last-Event-ID");
  if (!header || header->empty()) return 0;
  std::uint64_t at = 0;
  const auto [end, failure] = std::from_chars(header->data(), header->data() + header->size(), at);
  if (failure == std::errc() && end == header->data() + header->size() && at <= size) return at;
  return Error{ErrorCode::invalid_argument, "Last-Event-ID: expected an offset in the log, at most " +
                                                std::to_string(size)};
}

asio::awaitable<Result<http::Response>> get_events(jobs::Jobs& jobs, const http::Request& request) {
  const Result<jobs::LogPiece> log = co_await find_log(jobs, request);
  if (log.has_error()) co_return log.error();
  const Result<std::uint64_t> at = last_event(request, log->size);
  if (at.has_error()) co_return at.error();
  http::Response response = http::text_response(200, "text/event-stream", "");
  response.headers.set("Cache-Control", "no-store");
  response.stream = [&jobs, job = *id_of(request), attempt = log->attempt, from = *at](http::Sink& sink) {
    return send_events(jobs, job, attempt, from, sink);
  };
  co_return response;
}

}  // namespace

void add_job_routes(Routes& routes, jobs::Jobs& jobs) {
  routes.get("/api/v1/jobs/{id}", Access::read, [&jobs](const http::Request& request) { return get(jobs, request); });
  routes.get("/api/v1/jobs/{id}/log", Access::read,
             [&jobs](const http::Request& request) { return get_log(jobs, request); });
  routes.get("/api/v1/jobs/{id}/log/events", Access::read,
             [&jobs](const http::Request& request) { return get_events(jobs, request); });
}

}  // namespace crosswarp::api
