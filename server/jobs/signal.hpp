// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <list>

namespace crosswarp::jobs {

/// Something that happens now and then, and that coroutines of one thread wait for.
class Signal {
 public:
  /// Ends every wait that goes on.
  void raise();
  /// How often it has been raised: taken before looking whether there is something to wait for, it lets nothing slip by
  /// that happens while one looks.
  std::uint64_t count() const { return count_; }
  /// Returns when the signal has been raised more often than `seen`, which may be at once, or `limit` has gone by.
  boost::asio::awaitable<void> wait(std::uint64_t seen, std::chrono::milliseconds limit);

 private:
  std::uint64_t count_ = 0;
  std::list<boost::asio::steady_timer> waiting_;
};

}  // namespace crosswarp::jobs
