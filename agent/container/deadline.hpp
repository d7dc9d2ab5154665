// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <utility>

namespace crosswarp::container {

/// Runs `work`; past `limit` cancels it and answers `unavailable`. Exceptions from `work` pass through.
template <class T>
boost::asio::awaitable<Result<T>> within(std::chrono::milliseconds limit, boost::asio::awaitable<Result<T>> work) {
  namespace asio = boost::asio;
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer{executor, limit};
  auto both = asio::experimental::make_parallel_group(asio::co_spawn(executor, std::move(work), asio::deferred),
                                                      timer.async_wait(asio::deferred));
  auto [order, failure, result, waited] =
      co_await both.async_wait(asio::experimental::wait_for_one{}, asio::use_awaitable);
  if (order[0] == 1) co_return Error{ErrorCode::unavailable, "deadline passed"};
  if (failure) std::rethrow_exception(failure);
  co_return std::move(result);
}

}  // namespace crosswarp::container
