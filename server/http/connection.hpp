// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/message.hpp"
#include "server/http/parser.hpp"
#include "server/http/router.hpp"
#include "server/http/transport.hpp"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace crosswarp::http {

/// Bounds that hold for every connection.
struct ConnectionLimits {
  std::uint32_t header_bytes = 16 * 1024;
  std::chrono::milliseconds first_byte{10'000};  ///< from the connection's begin, a TLS handshake included
  std::chrono::milliseconds idle{60'000};        ///< between requests, and for the peer to take a piece of an answer
  std::chrono::milliseconds request{30'000};     ///< from a request's first octet to its last
  std::chrono::milliseconds linger{5'000};       ///< for the peer to stop sending after a refusal
};

/// What became of one request, for counting.
struct Exchange {
  std::string method;
  std::string route;  ///< empty when no route was found
  int status = 0;
  std::chrono::steady_clock::duration duration{};
};
using Observer = std::function<void(const Exchange&)>;

/// Ends what waits on a socket when its time is up.
class Deadline {
 public:
  explicit Deadline(asio::ip::tcp::socket& socket);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  void set(std::chrono::milliseconds from_now);
  void clear();
  /// Whether the last one set has passed.
  bool passed() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// One peer: reads requests, has them answered, one after the other. Owned by the coroutine that runs serve().
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::unique_ptr<Transport> transport, const Router& router, const ConnectionLimits& limits,
             const Observer& observer);

  /// Serves the peer to its end.
  asio::awaitable<void> serve();
  /// Answers 503 without reading anything: there are too many connections.
  asio::awaitable<void> turn_away();

  /// Ends after the answer being made; at once where none is, and where the answer is a stream.
  void finish();
  /// Ends now.
  void abort();

 private:
  enum class Interrupted { no, time, peer_gone, stopped };
  class StreamSink;

  asio::awaitable<bool> exchange();
  void skip_empty_lines();
  asio::awaitable<bool> wait_for_request();
  asio::awaitable<bool> read_header(RequestParser& parser);
  asio::awaitable<bool> read_body(RequestParser& parser);
  asio::awaitable<bool> feed(RequestParser& parser);
  asio::awaitable<bool> refuse(RequestParser& parser, Response response);
  asio::awaitable<bool> refuse_missing(RequestParser& parser, const RouteMatch& match);
  asio::awaitable<Response> answer(const Route& route, const Request& request);
  asio::awaitable<bool> send(const RequestParser& parser, Response response, bool keep_alive);
  asio::awaitable<bool> send_pieces(std::string_view bytes);
  asio::awaitable<bool> send_stream(const Stream& stream, bool chunked);
  asio::awaitable<void> close();
  void watch_peer();
  void interrupt(Interrupted why);
  void report(const Request& request, int status);

  std::unique_ptr<Transport> transport_;
  const Router& router_;
  const ConnectionLimits& limits_;
  const Observer& observer_;
  Deadline deadline_;
  asio::steady_timer interrupt_;  ///< its end, by time or by interrupt(), ends the handler or stream being run
  Interrupted interrupted_ = Interrupted::no;
  std::string peer_;
  std::string buffer_;  ///< octets received and not yet used
  std::chrono::steady_clock::time_point started_{};
  bool first_ = true;
  bool idle_ = true;
  bool streaming_ = false;
  bool finishing_ = false;
  bool unread_ = false;  ///< the peer may still be sending what nobody will read
};

}  // namespace crosswarp::http
