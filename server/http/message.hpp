// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosswarp::http {

namespace asio = boost::asio;

/// Header fields in the order they came; names compare without regard to case.
class Headers {
 public:
  void add(std::string_view name, std::string_view value) { fields_.emplace_back(name, value); }
  /// Takes the place of every field of that name.
  void set(std::string_view name, std::string_view value);
  /// The first field of that name.
  std::optional<std::string_view> find(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// Decoded name and value pairs of a query, in the order they came; a name may come several times.
using Parameters = std::vector<std::pair<std::string, std::string>>;

/// One request, read whole.
struct Request {
  std::string method;                         ///< "GET", as sent
  std::string target;                         ///< as sent
  std::vector<std::string> path;              ///< decoded segments: "/a/b%2Fc" is {"a", "b/c"}
  Parameters query;
  Headers headers;
  std::string body;
  std::map<std::string, std::string, std::less<>> captures;  ///< what the route's `{name}` segments matched
  std::string route;                          ///< template of the route, "/api/v1/jobs/{id}"
  std::string peer;                           ///< address of the other side

  /// The captured segment; empty where the template has no such name.
  std::string_view capture(std::string_view name) const;
  /// The first parameter of that name.
  std::optional<std::string_view> parameter(std::string_view name) const;
};

/// Where a streamed body goes.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Sends `bytes` and suspends until the peer's buffers took them; false when the peer is gone or too slow: stop.
  virtual asio::awaitable<bool> write(std::string_view bytes) = 0;
};

/// Writes a body piece by piece; it may take as long as it likes. Cancelled when the server stops.
using Stream = std::function<asio::awaitable<void>(Sink&)>;

/// One answer: `body`, or `stream` where that is set.
struct Response {
  int status = 200;
  Headers headers;
  std::string body;
  Stream stream;
};

Response text_response(int status, std::string_view content_type, std::string body);

/// An RFC 9457 answer; `errors` is left out when empty.
Response problem(int status, std::string_view detail, boost::json::array errors = {});

/// The reason phrase of a status, "Not Found"; "Unknown" for one this server never sends.
std::string_view reason_phrase(int status);

}  // namespace crosswarp::http
