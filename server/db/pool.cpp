// SPDX-License-Identifier: Apache-2.0
#include "server/db/pool.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace crosswarp::db {

Pool::Lease::~Lease() {
  if (connection_) pool_->give_back(std::move(connection_));
}

Pool::Pool(asio::any_io_executor executor, std::string url, PoolOptions options)
    : executor_(std::move(executor)), url_(std::move(url)), options_(options) {}

void Pool::give_back(std::unique_ptr<Connection> connection) {
  if (connection->usable() && !connection->in_transaction()) idle_.push_back(std::move(connection));
  release_place();
}

void Pool::release_place() {
  --taken_;
  if (!waiting_.empty()) waiting_.front().cancel();
}

asio::awaitable<bool> Pool::wait_for_place() {
  const auto deadline = std::chrono::steady_clock::now() + options_.wait_limit;
  while (taken_ >= options_.connections) {
    if (std::chrono::steady_clock::now() >= deadline) co_return false;
    const auto timer = waiting_.emplace(waiting_.end(), executor_, deadline);
    const auto leave = std::shared_ptr<void>(nullptr, [this, timer](void*) { waiting_.erase(timer); });
    co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
  }
  co_return true;
}

asio::awaitable<Result<Pool::Lease>> Pool::acquire() {
  if (!co_await wait_for_place())
    co_return Error{ErrorCode::unavailable, "every connection to PostgreSQL is taken"};
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    if (!connection->usable()) continue;
    ++taken_;
    co_return Lease(*this, std::move(connection));
  }
  co_return co_await open_new();
}

asio::awaitable<Result<Pool::Lease>> Pool::open_new() {
  ++taken_;
  auto place = std::unique_ptr<Pool, void (*)(Pool*)>(this, [](Pool* pool) { pool->release_place(); });
  try {
    auto connection = co_await Connection::open(url_, options_.connect_limit);
    place.release();
    co_return Lease(*this, std::move(connection));
  } catch (const ErrorException& failure) {
    co_return Error{failure.code(), failure.what()};
  }
}

}  // namespace crosswarp::db
