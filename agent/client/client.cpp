// SPDX-License-Identifier: Apache-2.0
#include "agent/client/client.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/json.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <optional>
#include <variant>

namespace crosswarp {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;

using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;

constexpr std::uint64_t kReplyLimit = std::uint64_t{256} << 20;

std::string pretty(const boost::system::system_error& error) {
  if (error.code() == beast::error::timeout) return "no answer in time";
  return error.code().message();
}

}  // namespace

std::string ServerUrl::text() const { return (tls ? "https://" : "http://") + host + ':' + port + prefix; }

Result<ServerUrl> parse_server_url(std::string_view text) {
  const auto wrong = [&] {
    return Error{ErrorCode::invalid_argument,
                 "server address \"" + std::string(text) + "\" is not of the form http://host:port or https://host"};
  };
  const auto parsed = boost::urls::parse_uri(text);
  if (!parsed || parsed->host().empty() || parsed->has_query() || parsed->has_fragment()) return wrong();
  if (parsed->scheme() != "http" && parsed->scheme() != "https") return wrong();
  ServerUrl url;
  url.tls = parsed->scheme() == "https";
  url.host = parsed->host_address();
  url.port = parsed->has_port() ? std::string(parsed->port()) : (url.tls ? "443" : "80");
  url.prefix = std::string(parsed->encoded_path());
  while (url.prefix.ends_with('/')) url.prefix.pop_back();
  return url;
}

Request get(std::string target) {
  Request request;
  request.target = std::move(target);
  return request;
}

Request post(std::string target, std::string body, std::chrono::milliseconds timeout) {
  Request request;
  request.method = http::verb::post;
  request.target = std::move(target);
  request.body = std::move(body);
  request.timeout = timeout;
  return request;
}

struct Client::Impl {
  asio::any_io_executor executor;
  ServerUrl server;
  std::string token;
  ssl::context tls{ssl::context::tls_client};
  std::variant<std::monostate, Plain, Secure> connection;

  asio::awaitable<void> connect(std::chrono::milliseconds timeout);
  http::request<http::string_body> message(const Request& request) const;
  asio::awaitable<Reply> exchange(const Request& request);
  asio::awaitable<void> read_pieces(const Request& request, const std::function<bool(std::string_view)>& take);

  bool connected() const { return connection.index() != 0; }
  void drop() { connection.emplace<std::monostate>(); }
};

asio::awaitable<void> Client::Impl::connect(std::chrono::milliseconds timeout) {
  asio::ip::tcp::resolver resolver(executor);
  const auto endpoints = co_await resolver.async_resolve(server.host, server.port, asio::use_awaitable);
  Plain plain(executor);
  plain.expires_after(timeout);
  co_await plain.async_connect(endpoints, asio::use_awaitable);
  plain.socket().set_option(asio::ip::tcp::no_delay(true));
  if (!server.tls) {
    connection.emplace<Plain>(std::move(plain));
    co_return;
  }
  Secure secure(std::move(plain), tls);
  secure.set_verify_mode(ssl::verify_peer);
  secure.set_verify_callback(ssl::host_name_verification(server.host));
  SSL_set_tlsext_host_name(secure.native_handle(), server.host.c_str());
  co_await secure.async_handshake(ssl::stream_base::client, asio::use_awaitable);
  connection.emplace<Secure>(std::move(secure));
}

http::request<http::string_body> Client::Impl::message(const Request& request) const {
  http::request<http::string_body> out{request.method, server.prefix + request.target, 11};
  out.set(http::field::host, server.host + ':' + server.port);
  out.set(http::field::user_agent, "crosswarp");
  out.set(http::field::accept, request.accept);
  if (!token.empty()) out.set(http::field::authorization, "Bearer " + token);
  if (!request.last_event_id.empty()) out.set("Last-Event-ID", request.last_event_id);
  if (!request.range.empty()) out.set(http::field::range, request.range);
  if (!request.body.empty() || request.method == http::verb::post) {
    out.set(http::field::content_type, request.content_type);
    out.body() = request.body;
    out.prepare_payload();
  }
  return out;
}

namespace {

template <class Stream>
asio::awaitable<Reply> exchange_on(Stream& stream, const http::request<http::string_body>& message,
                                   std::chrono::milliseconds timeout, bool& keep) {
  beast::get_lowest_layer(stream).expires_after(timeout);
  co_await http::async_write(stream, message, asio::use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(kReplyLimit);
  co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
  keep = parser.keep_alive();
  co_return Reply{parser.get().result_int(), std::move(parser.get().body())};
}

template <class Stream>
asio::awaitable<void> pieces_on(Stream& stream, const http::request<http::string_body>& message,
                                std::chrono::milliseconds timeout, const std::function<bool(std::string_view)>& take) {
  beast::get_lowest_layer(stream).expires_after(timeout);
  co_await http::async_write(stream, message, asio::use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::buffer_body> parser;
  parser.body_limit(boost::none);
  co_await http::async_read_header(stream, buffer, parser, asio::use_awaitable);
  std::array<char, 65536> piece;
  std::string problem;
  const bool good = parser.get().result_int() < 300;
  while (!parser.is_done()) {
    beast::get_lowest_layer(stream).expires_after(timeout);
    parser.get().body().data = piece.data();
    parser.get().body().size = piece.size();
    boost::system::error_code error;
    co_await http::async_read_some(stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
    if (error && error != http::error::need_buffer) throw boost::system::system_error(error);
    const std::string_view got(piece.data(), piece.size() - parser.get().body().size);
    if (!good) {
      if (problem.size() < 65536) problem += got;
    } else if (!got.empty() && !take(got)) {
      co_return;
    }
  }
  if (!good) throw ErrorException(error_of(Reply{parser.get().result_int(), problem}));
}

}  // namespace

asio::awaitable<Reply> Client::Impl::exchange(const Request& request) {
  const auto out = message(request);
  bool keep = false;
  Reply reply;
  if (auto* plain = std::get_if<Plain>(&connection)) {
    reply = co_await exchange_on(*plain, out, request.timeout, keep);
  } else {
    reply = co_await exchange_on(std::get<Secure>(connection), out, request.timeout, keep);
  }
  if (!keep) drop();
  co_return reply;
}

asio::awaitable<void> Client::Impl::read_pieces(const Request& request,
                                                const std::function<bool(std::string_view)>& take) {
  const auto out = message(request);
  if (auto* plain = std::get_if<Plain>(&connection)) {
    co_await pieces_on(*plain, out, request.timeout, take);
  } else {
    co_await pieces_on(std::get<Secure>(connection), out, request.timeout, take);
  }
}

Client::Client(asio::any_io_executor executor, ServerUrl server, std::string token) : impl_(std::make_unique<Impl>()) {
  impl_->executor = std::move(executor);
  impl_->server = std::move(server);
  impl_->token = std::move(token);
  impl_->tls.set_default_verify_paths();
}

Client::~Client() = default;
Client::Client(Client&&) noexcept = default;

asio::awaitable<Result<Reply>> Client::send(Request request) {
  for (int attempt = 0;; ++attempt) {
    const bool reused = impl_->connected();
    try {
      if (!reused) co_await impl_->connect(request.timeout);
      co_return co_await impl_->exchange(request);
    } catch (const boost::system::system_error& error) {
      impl_->drop();
      if (error.code() == asio::error::operation_aborted) throw;
      if (reused && attempt == 0 && error.code() != beast::error::timeout) continue;
      co_return Error{ErrorCode::unavailable, "server " + impl_->server.text() + ": " + pretty(error)};
    }
  }
}

asio::awaitable<Result<boost::json::value>> Client::call(Request request) {
  const auto reply = co_await send(std::move(request));
  if (!reply) co_return reply.error();
  if (!reply->ok()) co_return error_of(*reply);
  if (reply->body.empty()) co_return boost::json::value(nullptr);
  boost::system::error_code error;
  auto parsed = boost::json::parse(reply->body, error);
  if (error) co_return Error{ErrorCode::unavailable, "server " + impl_->server.text() + " answered what is not JSON"};
  co_return parsed;
}

asio::awaitable<Result<void>> Client::stream(Request request, std::function<bool(std::string_view)> take) {
  try {
    impl_->drop();
    co_await impl_->connect(request.timeout);
    co_await impl_->read_pieces(request, take);
    impl_->drop();
    co_return Result<void>{};
  } catch (const boost::system::system_error& error) {
    impl_->drop();
    if (error.code() == asio::error::operation_aborted) throw;
    co_return Error{ErrorCode::unavailable, "server " + impl_->server.text() + ": " + pretty(error)};
  } catch (const ErrorException& error) {
    impl_->drop();
    co_return Error{error.code(), error.what()};
  }
}

Error error_of(const Reply& reply) {
  ErrorCode code = ErrorCode::unavailable;
  if (reply.status == 400 || reply.status == 422) code = ErrorCode::invalid_argument;
  if (reply.status == 401) code = ErrorCode::unauthorized;
  if (reply.status == 403) code = ErrorCode::forbidden;
  if (reply.status == 404) code = ErrorCode::not_found;
  if (reply.status == 409 || reply.status == 410) code = ErrorCode::conflict;
  if (reply.status == 413) code = ErrorCode::too_large;
  std::string message;
  boost::system::error_code error;
  const auto json = boost::json::parse(reply.body, error);
  if (!error && json.is_object()) {
    const auto& problem = json.as_object();
    for (const char* key : {"detail", "title"}) {
      const auto* text = problem.if_contains(key);
      if (message.empty() && text && text->is_string()) message = text->as_string().c_str();
    }
  }
  if (message.empty()) message = "server answered HTTP status " + std::to_string(reply.status);
  return Error{code, message};
}

std::string url_encode(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const unsigned char byte : text) {
    if (kPlain.find(static_cast<char>(byte)) != std::string_view::npos) {
      out += static_cast<char>(byte);
    } else {
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

}  // namespace crosswarp
