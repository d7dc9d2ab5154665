// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <list>

namespace crosswarp::jobs {

/// Something that happens now and then, and that coroutines of one thread wait for.
class Signal {
 public:
  /// Ends every wait that goes on.
  void raise();
  /// Returns when the signal is raised or `limit` has gone by.
  boost::asio::awaitable<void> wait(std::chrono::milliseconds limit);

 private:
  std::list<boost::asio::steady_timer> waiting_;
};

}  // namespace crosswarp::jobs
