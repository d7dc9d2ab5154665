// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/connection.hpp"

#include <boost/asio/steady_timer.hpp>

#include <list>
#include <string>
#include <vector>

namespace crosswarp::db {

struct PoolOptions {
  std::size_t connections = 8;
  std::chrono::milliseconds connect_limit{5000};
  std::chrono::milliseconds wait_limit{10000};  ///< for a free connection
};

/// A bounded set of connections to one database. A connection that was lost or left in the middle of a statement is
/// thrown away and replaced when next needed, so the pool recovers by itself once PostgreSQL is back.
/// Lives on one thread (the one of its executor).
class Pool {
 public:
  /// A connection out of the pool; goes back when this dies.
  class Lease {
   public:
    Lease() = default;  ///< of nothing; co_spawn wants one
    Lease(Pool& pool, std::unique_ptr<Connection> connection) : pool_(&pool), connection_(std::move(connection)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_.get(); }

   private:
    Pool* pool_ = nullptr;
    std::unique_ptr<Connection> connection_;
  };

  Pool(asio::any_io_executor executor, std::string url, PoolOptions options = {});

  /// A connection. Errors: unavailable when PostgreSQL is away or none came free in time.
  asio::awaitable<Result<Lease>> acquire();

  const std::string& url() const { return url_; }
  const asio::any_io_executor& executor() const { return executor_; }

 private:
  void give_back(std::unique_ptr<Connection> connection);
  void release_place();
  asio::awaitable<bool> wait_for_place();
  asio::awaitable<Result<Lease>> open_new();

  asio::any_io_executor executor_;
  std::string url_;
  PoolOptions options_;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t taken_ = 0;
  std::list<asio::steady_timer> waiting_;
};

}  // namespace crosswarp::db
