// SPDX-License-Identifier: Apache-2.0
// Logs of attempts: the part of Jobs that keeps and reads them.
#include "server/db/transaction.hpp"
#include "server/jobs/compression.hpp"
#include "server/jobs/jobs.hpp"

#include <algorithm>

namespace crosswarp::jobs {
namespace {

using db::Query;

constexpr std::uint64_t kReadLimit = std::uint64_t{8} << 20;

// $1 attempt, $2 offset, $3 length, $4 frame, $5 limit. The offset is compared under the row's lock, so of two equal
// appends one counts.
constexpr Query kAppend{"jobs.append_log", R"sql(
  with grown as (
    update attempt set log_size = log_size + $3
    where id = $1 and ended_at is null and log_size = $2 and log_size + $3 <= $5 and $3 > 0
    returning id
  ), kept as (
    insert into log_chunk (attempt_id, begin_at, length, frame) select id, $2, $3, $4::bytea from grown
  ), told as (
    select pg_notify('crosswarp', 'log') from grown
  )
  select a.log_size, a.ended_at is not null as ended, (select count(*) from told) as appended
  from attempt a where a.id = $1)sql"};

// $1 job, $2 attempt or null for the newest
constexpr Query kFind{"jobs.find_log", R"sql(
  select id, log_size, ended_at is not null as ended from attempt
  where job_id = $1 and ($2::bigint is null or id = $2) order by number desc limit 1)sql"};

// $1 attempt, $2 begin, $3 end
constexpr Query kChunks{"jobs.log_chunks", R"sql(
  select begin_at, length, frame from log_chunk
  where attempt_id = $1 and begin_at < $3 and begin_at + length > $2 order by begin_at)sql"};

/// The bytes from `begin` to `end` of the chunks, which have no gap.
std::string cut(const db::Rows& chunks, std::uint64_t begin, std::uint64_t end) {
  std::string text;
  for (const auto row : chunks) {
    const auto at = static_cast<std::uint64_t>(row.integer("begin_at"));
    const auto piece = decompress(row.bytes("frame"), static_cast<std::size_t>(row.integer("length")));
    const auto from = begin > at ? begin - at : 0;
    const auto to = std::min<std::uint64_t>(piece.size(), end - at);
    text.append(piece, from, to - from);
  }
  return text;
}

}  // namespace

asio::awaitable<Result<Appended>> Jobs::append_log(std::int64_t attempt, std::uint64_t offset, std::string text) {
  const auto rows = co_await db::query(pool_, kAppend, attempt, offset, text.size(), db::bytea(compress(text)),
                                       options_.log_limit_bytes);
  if (rows.has_error()) co_return rows.error();
  if (rows->empty()) co_return Error{ErrorCode::not_found, "no attempt " + std::to_string(attempt)};
  const auto row = rows->front();
  const auto size = static_cast<std::uint64_t>(row.integer("log_size"));  // as it was before
  if (row.boolean("ended")) co_return Appended{Appended::Outcome::gone, size};
  if (row.integer("appended") > 0) co_return Appended{Appended::Outcome::appended, offset + text.size()};
  if (size != offset) co_return Appended{Appended::Outcome::misplaced, size};
  if (text.empty()) co_return Appended{Appended::Outcome::appended, size};
  // Either full, or another append came in between: then the next one learns the new size.
  const bool full = size + text.size() > options_.log_limit_bytes;
  co_return Appended{full ? Appended::Outcome::full : Appended::Outcome::misplaced, size};
}

asio::awaitable<Result<LogPiece>> Jobs::read_log(std::int64_t job, std::optional<std::int64_t> attempt,
                                                 std::uint64_t begin, std::uint64_t length) {
  const auto found = co_await db::query(pool_, kFind, job, attempt);
  if (found.has_error()) co_return found.error();
  if (found->empty()) co_return Error{ErrorCode::not_found, "no log of job " + std::to_string(job)};
  const auto row = found->front();
  LogPiece piece;
  piece.attempt = row.integer("id");
  piece.size = static_cast<std::uint64_t>(row.integer("log_size"));
  piece.begin = std::min(begin, piece.size);
  piece.ended = row.boolean("ended");
  const auto end = piece.begin + std::min({length, kReadLimit, piece.size - piece.begin});
  if (end == piece.begin) co_return piece;
  const auto chunks = co_await db::query(pool_, kChunks, piece.attempt, piece.begin, end);
  if (chunks.has_error()) co_return chunks.error();
  piece.text = cut(*chunks, piece.begin, end);
  co_return piece;
}

asio::awaitable<Result<LogPiece>> Jobs::follow_log(std::int64_t job, std::int64_t attempt, std::uint64_t begin,
                                                   std::uint64_t length, std::chrono::milliseconds wait) {
  const auto deadline = std::chrono::steady_clock::now() + wait;
  for (;;) {
    const auto seen = logs_.count();
    auto piece = co_await read_log(job, attempt, begin, length);
    if (piece.has_error() || !piece->text.empty() || piece->ended) co_return piece;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) co_return piece;
    co_await logs_.wait(seen, left);
  }
}

}  // namespace crosswarp::jobs
