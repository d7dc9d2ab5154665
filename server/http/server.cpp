// SPDX-License-Identifier: Apache-2.0
#include "server/http/server.hpp"

#include "matrix/base/log.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace crosswarp::http {
namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMostTurnedAway = 64;
constexpr auto kAcceptPause = std::chrono::milliseconds(100);
constexpr auto kDrainPoll = std::chrono::milliseconds(10);

}  // namespace

Server::Server(asio::any_io_executor executor, const Router& router, ServerSettings settings)
    : executor_(executor), router_(router), settings_(std::move(settings)), acceptor_(executor) {}

Server::~Server() = default;

Result<void> Server::listen() {
  if (settings_.tls) {
    Result<void> loaded = load_tls();
    if (loaded.has_error()) return loaded;
  }
  boost::system::error_code failure;
  const auto address = asio::ip::make_address(settings_.address, failure);
  if (failure) return Error{ErrorCode::invalid_argument, "listen: \"" + settings_.address + "\" is no IP address"};
  const asio::ip::tcp::endpoint endpoint(address, settings_.port);
  acceptor_.open(endpoint.protocol(), failure);
  if (!failure) acceptor_.set_option(asio::socket_base::reuse_address(true), failure);
  if (!failure) acceptor_.bind(endpoint, failure);
  if (!failure) acceptor_.listen(asio::socket_base::max_listen_connections, failure);
  if (!failure) return {};
  return Error{ErrorCode::unavailable, "listening on " + settings_.address + ":" + std::to_string(settings_.port) +
                                           ": " + failure.message()};
}

Result<void> Server::load_tls() {
  tls_.emplace(asio::ssl::context::tls_server);
  boost::system::error_code failure;
  SSL_CTX_set_min_proto_version(tls_->native_handle(), TLS1_2_VERSION);
  tls_->use_certificate_chain_file(settings_.tls->certificate, failure);
  if (failure) {
    return Error{ErrorCode::invalid_argument,
                 "tls.certificate: " + settings_.tls->certificate + ": " + failure.message()};
  }
  tls_->use_private_key_file(settings_.tls->key, asio::ssl::context::pem, failure);
  if (!failure) return {};
  return Error{ErrorCode::invalid_argument, "tls.key: " + settings_.tls->key + ": " + failure.message()};
}

std::uint16_t Server::port() const { return acceptor_.local_endpoint().port(); }

asio::awaitable<void> Server::run() {
  bool more = true;  // g++ 12 lays out the frame of a coroutine wrongly whose body is a loop and no variable
  while (more) more = co_await accept_one();
}

/// False when the acceptor is closed.
asio::awaitable<bool> Server::accept_one() {
  auto [failure, socket] = co_await acceptor_.async_accept(kTuple);
  if (!acceptor_.is_open()) co_return false;
  if (!failure) {
    start(std::move(socket));
    co_return true;
  }
  // Out of descriptors, most likely: the peer waits in the backlog until some are given back.
  log_event(LogLevel::warning, "http.accept_failed", {{"error", failure.message()}});
  asio::steady_timer pause(executor_, kAcceptPause);
  co_await pause.async_wait(kTuple);
  co_return acceptor_.is_open();
}

void Server::start(asio::ip::tcp::socket socket) {
  boost::system::error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  const bool excess = served_.size() >= settings_.connections;
  if (excess && turned_away_.size() >= kMostTurnedAway) return;
  auto transport =
      tls_ ? make_tls_transport(std::move(socket), *tls_) : make_plain_transport(std::move(socket));
  auto connection =
      std::make_shared<Connection>(std::move(transport), router_, settings_.limits, settings_.observer);
  spawn(excess ? turned_away_ : served_, std::move(connection), excess);
}

void Server::spawn(Connections& among, std::shared_ptr<Connection> connection, bool turned_away) {
  const auto place = among.insert(among.end(), connection);
  const auto end = [this, &among, place](std::exception_ptr failure) {
    among.erase(place);
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      log_event(LogLevel::error, "http.connection_failed", {{"error", error.what()}});
    }
  };
  asio::co_spawn(executor_, turned_away ? connection->turn_away() : connection->serve(), end);
}

asio::awaitable<void> Server::stop(std::chrono::milliseconds grace) {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (const auto& connection : served_) connection->finish();
  if (co_await drained(grace)) co_return;
  for (const auto& connection : served_) connection->abort();
  for (const auto& connection : turned_away_) connection->abort();
  bool done = false;
  while (!done) done = co_await drained(grace);
}

asio::awaitable<bool> Server::drained(std::chrono::milliseconds within) {
  asio::steady_timer poll(executor_);
  const auto end = std::chrono::steady_clock::now() + within;
  while (!served_.empty() || !turned_away_.empty()) {
    if (std::chrono::steady_clock::now() >= end) co_return false;
    poll.expires_after(kDrainPoll);
    co_await poll.async_wait(kTuple);
  }
  co_return true;
}

}  // namespace crosswarp::http
