// SPDX-License-Identifier: Apache-2.0
#include "server/db/transaction.hpp"

namespace crosswarp::db {

std::optional<Error> judge_failure(std::exception_ptr failure, int attempt) {
  try {
    std::rethrow_exception(failure);
  } catch (const SqlError& refusal) {
    if (!refusal.retryable() || attempt >= kTransactionTries) throw;
    return std::nullopt;
  } catch (const ErrorException& error) {
    if (error.code() != ErrorCode::unavailable) throw;
    return Error{error.code(), error.what()};
  }
}

asio::awaitable<Result<Rows>> query_with(Pool& pool, Query query, std::vector<Param> params) {
  for (int attempt = 1;; ++attempt) {
    auto lease = co_await pool.acquire();
    if (lease.has_error()) co_return lease.error();
    std::exception_ptr failure;
    try {
      co_return co_await (*lease)->execute_with(query, params);
    } catch (...) {
      failure = std::current_exception();
    }
    if (auto error = judge_failure(failure, attempt)) co_return *error;
  }
}

asio::awaitable<Result<void>> ping(Pool& pool) {
  static constexpr Query kPing{"db.ping", "select 1"};
  auto rows = co_await query(pool, kPing);
  if (rows.has_error()) co_return rows.error();
  co_return Result<void>{};
}

}  // namespace crosswarp::db
