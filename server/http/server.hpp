// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "server/http/connection.hpp"
#include "server/http/router.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace crosswarp::http {

/// PEM files of a server that speaks TLS itself.
struct TlsFiles {
  std::string certificate;  ///< the chain, the server's own first
  std::string key;
};

struct ServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  ///< 0: any that is free
  std::size_t connections = 1024;  ///< more get 503
  ConnectionLimits limits;
  std::optional<TlsFiles> tls;
  Observer observer;
};

/// HTTP/1.1 (and 1.0) on one address, plain or by TLS 1.2 and newer. All runs on one executor, which is one thread.
class Server {
 public:
  /// `router` must outlive the server.
  Server(asio::any_io_executor executor, const Router& router, ServerSettings settings);
  ~Server();

  /// Binds and listens. Errors: unavailable when the address cannot be had, invalid_argument for bad TLS files.
  Result<void> listen();
  std::uint16_t port() const;

  /// Accepts until stop().
  asio::awaitable<void> run();

  /// Accepts no more, ends idle connections and streams, lets answers being made go out for `grace`, then ends all.
  /// Returns when no connection is left.
  asio::awaitable<void> stop(std::chrono::milliseconds grace);

  std::size_t connections() const { return served_.size(); }

 private:
  using Connections = std::list<std::shared_ptr<Connection>>;

  Result<void> load_tls();
  asio::awaitable<bool> accept_one();
  void start(asio::ip::tcp::socket socket);
  void spawn(Connections& among, std::shared_ptr<Connection> connection, bool turned_away);
  asio::awaitable<bool> drained(std::chrono::milliseconds within);

  asio::any_io_executor executor_;
  const Router& router_;
  ServerSettings settings_;
  std::optional<asio::ssl::context> tls_;
  asio::ip::tcp::acceptor acceptor_;
  Connections served_;
  Connections turned_away_;
};

}  // namespace crosswarp::http
