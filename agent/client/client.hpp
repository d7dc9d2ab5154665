// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace crosswarp {

/// Where a server is: "http://127.0.0.1:8080", "https://host/prefix".
struct ServerUrl {
  bool tls = false;
  std::string host;
  std::string port;
  std::string prefix;  ///< path put in front of every target; no slash at its end

  std::string text() const;
};

/// Errors: invalid_argument saying what a server address looks like.
Result<ServerUrl> parse_server_url(std::string_view text);

struct Request {
  boost::beast::http::verb method = boost::beast::http::verb::get;
  std::string target;  ///< path and query
  std::string body;
  std::string content_type = "application/json";
  std::string accept = "application/json";
  std::string last_event_id;
  std::string range;
  std::chrono::milliseconds timeout{30'000};  ///< for the whole exchange
};

/// Requests by name. GCC 12 destroys an aggregate that is made within a `co_await` expression twice, so a request is
/// made by a function or has a name of its own.
Request get(std::string target);
Request post(std::string target, std::string body, std::chrono::milliseconds timeout = std::chrono::seconds(30));

struct Reply {
  unsigned status = 0;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

/// One conversation with a server over a connection that is kept open and opened again when it broke. Not for use by
/// two coroutines at once.
class Client {
 public:
  Client(boost::asio::any_io_executor executor, ServerUrl server, std::string token);
  ~Client();
  Client(Client&&) noexcept;

  /// Sends and reads the whole reply, of at most 256 MiB; any HTTP status is a reply. A request that failed on a
  /// connection kept open from before is sent once more on a new one: every request of the API may be repeated.
  /// Errors: unavailable when the server cannot be reached or does not answer within the timeout.
  boost::asio::awaitable<Result<Reply>> send(Request request);

  /// Like send, but a status other than 2xx is an error made of the problem document in the reply, and the body is
  /// parsed; an empty body is null.
  boost::asio::awaitable<Result<boost::json::value>> call(Request request);

  /// Hands the pieces of a reply's body to `take` as they come, until it ends or `take` answers false.
  boost::asio::awaitable<Result<void>> stream(Request request, std::function<bool(std::string_view)> take);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The error that a reply's RFC 9457 problem stands for.
Error error_of(const Reply& reply);

/// `text` percent-encoded for use in a query or a path segment.
std::string url_encode(std::string_view text);

}  // namespace crosswarp
