// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <span>
#include <string_view>

namespace crosswarp::http {

namespace asio = boost::asio;

/// The octets of one connection, plain or by TLS. Operations end with an error when the socket is cancelled.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual asio::ip::tcp::socket& socket() = 0;
  /// What comes before the first octet of HTTP; false when it fails.
  virtual asio::awaitable<bool> open() = 0;
  /// Waits for octets and answers how many came; 0 when the peer has ended, or on any failure.
  virtual asio::awaitable<std::size_t> read(std::span<char> into) = 0;
  /// Writes everything; false on failure.
  virtual asio::awaitable<bool> write(std::string_view bytes) = 0;
  /// Tells the peer that nothing more will be sent.
  virtual asio::awaitable<void> finish() = 0;
};

std::unique_ptr<Transport> make_plain_transport(asio::ip::tcp::socket socket);
/// `context` must outlive the transport.
std::unique_ptr<Transport> make_tls_transport(asio::ip::tcp::socket socket, asio::ssl::context& context);

}  // namespace crosswarp::http
