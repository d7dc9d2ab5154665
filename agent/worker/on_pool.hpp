// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <type_traits>
#include <utility>

namespace crosswarp::worker {

/// Runs blocking `work` on `pool`; the caller goes on where it was. Exceptions of `work` pass through.
template <class Work>
boost::asio::awaitable<std::invoke_result_t<Work>> on_pool(boost::asio::thread_pool& pool, Work work) {
  co_return co_await boost::asio::co_spawn(
      pool,
      [](Work inner) -> boost::asio::awaitable<std::invoke_result_t<Work>> { co_return inner(); }(std::move(work)),
      boost::asio::use_awaitable);
}

}  // namespace crosswarp::worker
