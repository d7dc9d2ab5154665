// SPDX-License-Identifier: Apache-2.0
#include "server/http/transport.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace crosswarp::http {
namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

template <class Stream>
asio::awaitable<std::size_t> read_from(Stream& stream, std::span<char> into) {
  const auto [failure, count] = co_await stream.async_read_some(asio::buffer(into.data(), into.size()), kTuple);
  co_return failure ? 0 : count;
}

template <class Stream>
asio::awaitable<bool> write_to(Stream& stream, std::string_view bytes) {
  const auto [failure, count] = co_await asio::async_write(stream, asio::buffer(bytes.data(), bytes.size()), kTuple);
  co_return !failure;
}

void shut_down(asio::ip::tcp::socket& socket) {
  boost::system::error_code ignored;  // the peer may be gone, which is what we want
  socket.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}
  asio::ip::tcp::socket& socket() override { return socket_; }
  asio::awaitable<bool> open() override { co_return true; }
  asio::awaitable<std::size_t> read(std::span<char> into) override { return read_from(socket_, into); }
  asio::awaitable<bool> write(std::string_view bytes) override { return write_to(socket_, bytes); }
  asio::awaitable<void> finish() override {
    shut_down(socket_);
    co_return;
  }

 private:
  asio::ip::tcp::socket socket_;
};

class TlsTransport final : public Transport {
 public:
  TlsTransport(asio::ip::tcp::socket socket, asio::ssl::context& context) : stream_(std::move(socket), context) {}
  asio::ip::tcp::socket& socket() override { return stream_.next_layer(); }
  asio::awaitable<bool> open() override {
    const auto [failure] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kTuple);
    co_return !failure;
  }
  asio::awaitable<std::size_t> read(std::span<char> into) override { return read_from(stream_, into); }
  asio::awaitable<bool> write(std::string_view bytes) override { return write_to(stream_, bytes); }
  asio::awaitable<void> finish() override {
    co_await stream_.async_shutdown(kTuple);
    shut_down(stream_.next_layer());
  }

 private:
  asio::ssl::stream<asio::ip::tcp::socket> stream_;
};

}  // namespace

std::unique_ptr<Transport> make_plain_transport(asio::ip::tcp::socket socket) {
  return std::make_unique<PlainTransport>(std::move(socket));
}

std::unique_ptr<Transport> make_tls_transport(asio::ip::tcp::socket socket, asio::ssl::context& context) {
  return std::make_unique<TlsTransport>(std::move(socket), context);
}

}  // namespace crosswarp::http
