// SPDX-License-Identifier: Apache-2.0
#include "server/jobs/signal.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>

namespace crosswarp::jobs {

namespace asio = boost::asio;

void Signal::raise() {
  ++count_;
  for (auto& timer : waiting_) timer.cancel();
}

asio::awaitable<void> Signal::wait(std::uint64_t seen, std::chrono::milliseconds limit) {
  if (count_ != seen) co_return;
  const auto executor = co_await asio::this_coro::executor;
  const auto timer = waiting_.emplace(waiting_.end(), executor, limit);
  const auto leave = std::shared_ptr<void>(nullptr, [this, timer](void*) { waiting_.erase(timer); });
  co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
}

}  // namespace crosswarp::jobs
