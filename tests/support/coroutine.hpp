// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <utility>

namespace crosswarp::tests {

/// Runs `work` on `context` until it is done; answers what it answers, throws what it throws.
template <class T>
T run(boost::asio::io_context& context, boost::asio::awaitable<T> work) {
  auto future = boost::asio::co_spawn(context, std::move(work), boost::asio::use_future);
  context.restart();
  while (future.wait_for(std::chrono::seconds(0)) != std::future_status::ready) context.run_one();
  return future.get();
}

}  // namespace crosswarp::tests
