// SPDX-License-Identifier: Apache-2.0
#include "server/db/listener.hpp"

#include "matrix/base/log.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace crosswarp::db {
namespace {

constexpr std::chrono::seconds kConnectLimit{5};
constexpr std::chrono::milliseconds kPause{500};

asio::awaitable<void> listen_once(std::string url, std::string channel,
                                  std::function<void(std::string_view)> heard) {
  const auto connection = co_await Connection::open(std::move(url), kConnectLimit);
  co_await connection->run_script("listen " + channel);
  heard("");
  for (;;) {
    const auto message = co_await connection->next_notification();
    heard(message.payload);
  }
}

}  // namespace

asio::awaitable<void> listen(std::string url, std::string channel, std::function<void(std::string_view)> heard) {
  bool lost = false;  // told once: PostgreSQL may be away for long
  const auto hear = [&](std::string_view what) {
    if (lost) log_event(LogLevel::info, "db.listens_again", {{"channel", channel}});
    lost = false;
    heard(what);
  };
  for (;;) {
    try {
      co_await listen_once(url, channel, hear);
    } catch (const ErrorException& failure) {
      if (!lost) log_event(LogLevel::warning, "db.listen_lost", {{"channel", channel}, {"reason", failure.what()}});
      lost = true;
    }
    asio::steady_timer pause(co_await asio::this_coro::executor, kPause);
    co_await pause.async_wait(asio::use_awaitable);
  }
}

}  // namespace crosswarp::db
