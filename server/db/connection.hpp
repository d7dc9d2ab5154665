// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "server/db/query.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

struct pg_conn;

namespace crosswarp::db {

namespace asio = boost::asio;

/// A message by NOTIFY.
struct Notification {
  std::string channel;
  std::string payload;
};

/// One connection to PostgreSQL, used by one coroutine at a time; it never blocks the thread.
/// Every call may suspend. It throws SqlError when PostgreSQL refuses the statement, and ErrorException with the code
/// `unavailable` when PostgreSQL is away. A call that is cancelled midway leaves the connection unusable, and has
/// PostgreSQL told to stop the statement when the connection is closed.
class Connection {
 public:
  /// Connects to `url` (a libpq connection string or URI) within `limit`, with time in UTC.
  static asio::awaitable<std::unique_ptr<Connection>> open(std::string url, std::chrono::milliseconds limit);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Runs `query` with `values` as $1, $2, ...; prepared at its first use.
  template <class... Values>
  asio::awaitable<Rows> execute(const Query& query, const Values&... values) {
    std::vector<Param> params;
    params.reserve(sizeof...(values));
    (params.push_back(Param(values)), ...);
    return execute_with(query, std::move(params));
  }
  asio::awaitable<Rows> execute_with(Query query, std::vector<Param> params);

  /// Runs a script of several statements without values.
  asio::awaitable<void> run_script(std::string sql);

  /// Sends rows by COPY: `next` gives a piece of the text format (tab-separated lines), an empty one ends it.
  asio::awaitable<void> copy_in(std::string sql, std::function<std::string_view()> next);

  /// Waits for a message on a channel that this connection listens to.
  asio::awaitable<Notification> next_notification();

  /// Whether the connection can take a further statement: neither lost nor left in the middle of one.
  bool usable() const;
  /// Whether a transaction is open, failed ones included.
  bool in_transaction() const;

 private:
  struct Finish {
    void operator()(pg_conn* connection) const noexcept;
  };

  Connection(asio::any_io_executor executor, std::unique_ptr<pg_conn, Finish> connection);
  asio::awaitable<void> connect(std::chrono::milliseconds limit);
  asio::awaitable<void> flush();
  asio::awaitable<void> wait_readable();
  asio::awaitable<Rows> finish_statement();
  asio::awaitable<pg_result*> next_result();
  asio::awaitable<void> prepare(Query query);
  void watch_socket();
  [[noreturn]] void lost() const;

  std::unique_ptr<pg_conn, Finish> connection_;
  asio::posix::stream_descriptor socket_;  ///< of a duplicate of libpq's descriptor
  std::unordered_set<std::string_view> prepared_;  ///< names, which outlive the program's connections
  bool busy_ = false;  ///< in the middle of a statement
};

/// `field` as it stands in a line of COPY's text format.
std::string copy_text(std::string_view field);

}  // namespace crosswarp::db
