// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/pool.hpp"

#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace crosswarp::db {

template <class T>
using Work = std::function<asio::awaitable<Result<T>>(Connection&)>;

/// How often a transaction is tried in all when PostgreSQL reports a serialization failure or a deadlock.
inline constexpr int kTransactionTries = 5;

/// What became of a statement that threw: nothing when it may be tried again, `unavailable` when PostgreSQL is away.
/// Anything else is thrown on.
std::optional<Error> judge_failure(std::exception_ptr failure, int attempt);

/// One try: begin, `work`, commit; rolled back when `work` answers with an error.
template <class T>
asio::awaitable<Result<T>> try_transaction(Connection& connection, const Work<T>& work) {
  static constexpr Query kBegin{"db.begin", "begin"};
  static constexpr Query kCommit{"db.commit", "commit"};
  static constexpr Query kRollback{"db.rollback", "rollback"};
  co_await connection.execute(kBegin);
  Result<T> result = co_await work(connection);
  if (result.has_error()) {
    co_await connection.execute(kRollback);
  } else {
    co_await connection.execute(kCommit);
  }
  co_return result;
}

/// Runs `work` in one transaction (read committed), and again as a whole after a serialization failure or a deadlock,
/// kTransactionTries times in all. An error that `work` answers rolls back and is passed on.
/// Errors: unavailable when PostgreSQL is away, whether or not the commit was still done. Other SqlErrors are thrown.
template <class T>
asio::awaitable<Result<T>> transaction(Pool& pool, Work<T> work) {
  for (int attempt = 1;; ++attempt) {
    auto lease = co_await pool.acquire();
    if (lease.has_error()) co_return lease.error();
    std::exception_ptr failure;
    try {
      co_return co_await try_transaction<T>(**lease, work);
    } catch (...) {
      failure = std::current_exception();
    }
    if (auto error = judge_failure(failure, attempt)) co_return *error;
  }
}

/// Runs one statement, a transaction of its own. Errors: as transaction.
asio::awaitable<Result<Rows>> query_with(Pool& pool, Query query, std::vector<Param> params);

template <class... Values>
asio::awaitable<Result<Rows>> query(Pool& pool, const Query& statement, const Values&... values) {
  std::vector<Param> params;
  params.reserve(sizeof...(values));
  (params.push_back(Param(values)), ...);
  return query_with(pool, statement, std::move(params));
}

/// Whether PostgreSQL answers. Errors: unavailable.
asio::awaitable<Result<void>> ping(Pool& pool);

}  // namespace crosswarp::db
