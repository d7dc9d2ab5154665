// SPDX-License-Identifier: Apache-2.0
#include "server/http/connection.hpp"

#include "matrix/base/log.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/string.hpp>

#include <sys/socket.h>

#include <array>
#include <charconv>
#include <ctime>

namespace crosswarp::http {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Socket = asio::ip::tcp::socket;

constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr auto kTurnAwayTime = std::chrono::milliseconds(2'000);

std::string http_date() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 40> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), length};
}

void append_field(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ");
  for (const char byte : value) head += byte == '\r' || byte == '\n' ? ' ' : byte;  // a value is never two fields
  head += "\r\n";
}

bool status_has_body(int status) { return status >= 200 && status != 204 && status != 304; }

std::string head_of(const Response& response, bool keep_alive, bool chunked) {
  std::string head =
      "HTTP/1.1 " + std::to_string(response.status) + ' ' + std::string(reason_phrase(response.status)) + "\r\n";
  for (const auto& [name, value] : response.headers.fields()) append_field(head, name, value);
  append_field(head, "Date", http_date());
  append_field(head, "X-Content-Type-Options", "nosniff");
  if (!keep_alive) append_field(head, "Connection", "close");
  if (chunked) {
    append_field(head, "Transfer-Encoding", "chunked");
  } else if (!response.stream && status_has_body(response.status)) {
    append_field(head, "Content-Length", std::to_string(response.body.size()));
  }
  return head + "\r\n";
}

std::string peer_address(const Socket& socket) {
  boost::system::error_code failure;
  const auto endpoint = socket.remote_endpoint(failure);
  return failure ? std::string("unknown") : endpoint.address().to_string();
}

bool peer_has_closed(Socket& socket) {
  char byte = 0;
  const ssize_t count = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
}

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown exception";
  }
}

}  // namespace

struct Deadline::State {
  explicit State(Socket& at) : socket(&at), timer(at.get_executor()) {}

  Socket* socket;  ///< null once the owner is gone
  asio::steady_timer timer;
  bool armed = false;
  bool passed = false;
};

Deadline::Deadline(Socket& socket) : state_(std::make_shared<State>(socket)) {}

Deadline::~Deadline() {
  state_->socket = nullptr;
  state_->timer.cancel();
}

void Deadline::set(std::chrono::milliseconds from_now) {
  state_->passed = false;
  state_->armed = true;
  state_->timer.expires_after(from_now);
  state_->timer.async_wait([state = state_](boost::system::error_code failure) {
    // A wait that had ended before it was set anew finds the new expiry in the future.
    if (failure || !state->armed || state->socket == nullptr || state->timer.expiry() > SteadyClock::now()) return;
    state->passed = true;
    boost::system::error_code ignored;
    state->socket->cancel(ignored);
  });
}

void Deadline::clear() {
  state_->armed = false;
  state_->timer.cancel();
}

bool Deadline::passed() const { return state_->passed; }

/// Frames the pieces of a stream.
class Connection::StreamSink final : public Sink {
 public:
  StreamSink(Connection& connection, bool chunked) : connection_(connection), chunked_(chunked) {}

  asio::awaitable<bool> write(std::string_view bytes) override {
    if (bytes.empty()) co_return true;
    if (!chunked_) co_return co_await connection_.send_pieces(bytes);
    std::array<char, 16> size{};
    const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
    std::string chunk(size.data(), end);
    chunk.append("\r\n").append(bytes).append("\r\n");
    co_return co_await connection_.send_pieces(chunk);
  }

 private:
  Connection& connection_;
  bool chunked_;
};

Connection::Connection(std::unique_ptr<Transport> transport, const Router& router, const ConnectionLimits& limits,
                       const Observer& observer)
    : transport_(std::move(transport)),
      router_(router),
      limits_(limits),
      observer_(observer),
      deadline_(transport_->socket()),
      interrupt_(transport_->socket().get_executor()),
      peer_(peer_address(transport_->socket())) {}

asio::awaitable<void> Connection::serve() {
  deadline_.set(limits_.first_byte);
  if (!co_await transport_->open()) co_return;
  bool more = true;
  while (more && !finishing_) more = co_await exchange();
  co_await close();
}

asio::awaitable<void> Connection::turn_away() {
  idle_ = false;
  deadline_.set(kTurnAwayTime);
  if (!co_await transport_->open()) co_return;
  const Response response = problem(503, "too many connections");
  unread_ = true;
  co_await transport_->write(head_of(response, false, false) + response.body);
  co_await close();
}

void Connection::finish() {
  finishing_ = true;
  if (idle_) {
    boost::system::error_code ignored;
    transport_->socket().cancel(ignored);
  }
  if (streaming_) interrupt(Interrupted::stopped);
}

void Connection::abort() {
  finishing_ = true;
  interrupt(Interrupted::stopped);
  boost::system::error_code ignored;
  transport_->socket().close(ignored);
}

void Connection::interrupt(Interrupted why) {
  interrupted_ = why;
  interrupt_.cancel();
}

asio::awaitable<bool> Connection::exchange() {
  RequestParser parser(limits_.header_bytes);
  if (!co_await wait_for_request()) co_return false;
  if (!co_await read_header(parser)) co_return false;
  Request& request = parser.request();
  request.peer = peer_;
  const RouteMatch match = router_.find(request);
  if (match.route == nullptr) co_return co_await refuse_missing(parser, match);
  parser.read_body(match.route->limits.body_bytes);
  if (!co_await read_body(parser)) co_return false;
  deadline_.clear();
  Response response = co_await answer(*match.route, request);
  if (interrupted_ == Interrupted::peer_gone) co_return false;
  report(request, response.status);
  const bool keep_alive = parser.keeps_alive() && !finishing_;
  co_return co_await send(parser, std::move(response), keep_alive);
}

/// Some clients end a body with an empty line too many (RFC 9112, 2.2).
void Connection::skip_empty_lines() { buffer_.erase(0, std::min(buffer_.find_first_not_of("\r\n"), buffer_.size())); }

asio::awaitable<bool> Connection::wait_for_request() {
  skip_empty_lines();
  idle_ = buffer_.empty();
  if (idle_ && !first_) deadline_.set(limits_.idle);
  first_ = false;
  std::array<char, 8192> piece;
  while (idle_) {
    const std::size_t count = co_await transport_->read(piece);
    if (count == 0) co_return false;
    buffer_.assign(piece.data(), count);
    skip_empty_lines();
    idle_ = buffer_.empty();
  }
  deadline_.set(limits_.request);
  started_ = SteadyClock::now();
  co_return true;
}

asio::awaitable<bool> Connection::feed(RequestParser& parser) {
  std::array<char, 16384> piece;
  const std::size_t used = parser.put(buffer_);
  buffer_.erase(0, used);
  if (used > 0 || parser.refusal()) co_return true;
  const std::size_t count = co_await transport_->read(piece);
  buffer_.append(piece.data(), count);
  co_return count > 0;
}

asio::awaitable<bool> Connection::read_header(RequestParser& parser) {
  bool more = true;
  while (more && !parser.header_done() && !parser.refusal()) more = co_await feed(parser);
  if (!more && !deadline_.passed()) co_return false;
  if (!more) co_return co_await refuse(parser, problem(408, "the request header did not come in time"));
  if (parser.refusal()) co_return co_await refuse(parser, problem(parser.refusal()->status, parser.refusal()->detail));
  co_return true;
}

asio::awaitable<bool> Connection::read_body(RequestParser& parser) {
  const auto expect = parser.request().headers.find("Expect");
  if (expect && !boost::beast::iequals(*expect, "100-continue")) {
    co_return co_await refuse(parser, problem(417, "the only expectation known here is 100-continue"));
  }
  if (expect && !parser.done() && !parser.refusal() && parser.version() == 11 && buffer_.empty()) {
    if (!co_await transport_->write("HTTP/1.1 100 Continue\r\n\r\n")) co_return false;
  }
  bool more = true;
  while (more && !parser.done() && !parser.refusal()) more = co_await feed(parser);
  if (!more && !deadline_.passed()) co_return false;
  if (!more) co_return co_await refuse(parser, problem(408, "the request body did not come in time"));
  if (parser.refusal()) co_return co_await refuse(parser, problem(parser.refusal()->status, parser.refusal()->detail));
  co_return true;
}

/// Answers a request that was not read whole, so nothing can follow it: the connection ends. Always false.
asio::awaitable<bool> Connection::refuse(RequestParser& parser, Response response) {
  unread_ = true;
  deadline_.set(limits_.idle);
  report(parser.request(), response.status);
  co_await send(parser, std::move(response), false);
  co_return false;
}

asio::awaitable<bool> Connection::refuse_missing(RequestParser& parser, const RouteMatch& match) {
  std::string allowed;
  for (const std::string& method : match.allowed) allowed += (allowed.empty() ? "" : ", ") + method;
  Response response = allowed.empty() ? problem(404, "nothing here; GET /openapi.json lists what there is")
                                      : problem(405, "this resource knows " + allowed);
  if (!allowed.empty()) response.headers.set("Allow", allowed);
  if (!parser.done()) co_return co_await refuse(parser, std::move(response));
  deadline_.clear();
  report(parser.request(), response.status);
  const bool keep_alive = parser.keeps_alive() && !finishing_;
  co_return co_await send(parser, std::move(response), keep_alive);
}

asio::awaitable<Response> Connection::answer(const Route& route, const Request& request) {
  namespace ex = asio::experimental;
  const auto executor = co_await asio::this_coro::executor;
  interrupted_ = Interrupted::no;
  interrupt_.expires_after(route.limits.time);
  if (route.limits.ends_with_peer) watch_peer();
  auto both = ex::make_parallel_group(asio::co_spawn(executor, route.handler(request), asio::deferred),
                                      interrupt_.async_wait(asio::deferred));
  auto [order, failure, response, waited] = co_await both.async_wait(ex::wait_for_one(), asio::use_awaitable);
  if (route.limits.ends_with_peer) {
    boost::system::error_code ignored;
    transport_->socket().cancel(ignored);  // the watch
  }
  if (order[0] == 0 && !failure) co_return std::move(response);
  if (order[0] == 1) {
    const bool stopped = interrupted_ == Interrupted::stopped;
    co_return problem(503, stopped ? "the server is stopping" : "the answer took longer than it may");
  }
  log_event(LogLevel::error, "http.handler_failed", {{"route", route.pattern}, {"error", text_of(failure)}});
  co_return problem(500, "the server could not answer; its log says why");
}

/// Interrupts what is being run when the peer closes. A peer that sends more is not watched any longer.
void Connection::watch_peer() {
  transport_->socket().async_wait(Socket::wait_read,
                                  [self = shared_from_this()](boost::system::error_code failure) {
                                    if (failure || !peer_has_closed(self->transport_->socket())) return;
                                    self->interrupt(Interrupted::peer_gone);
                                  });
}

asio::awaitable<bool> Connection::send(const RequestParser& parser, Response response, bool keep_alive) {
  const bool body_wanted = parser.request().method != "HEAD" && status_has_body(response.status);
  const bool streamed = static_cast<bool>(response.stream);
  const bool chunked = streamed && parser.version() == 11;
  if (streamed && !chunked) keep_alive = false;
  std::string head = head_of(response, keep_alive, chunked);
  const bool at_once = body_wanted && !streamed && response.body.size() <= kPieceBytes;
  if (at_once) head += response.body;
  bool whole = co_await send_pieces(head);
  // One co_await a statement: g++ 12 evaluates the right side of || and && in a co_return in any case.
  if (whole && body_wanted && streamed) whole = co_await send_stream(response.stream, chunked);
  if (whole && body_wanted && !streamed && !at_once) whole = co_await send_pieces(response.body);
  co_return whole && keep_alive;
}

asio::awaitable<bool> Connection::send_pieces(std::string_view bytes) {
  while (!bytes.empty()) {
    deadline_.set(limits_.idle);
    const bool written = co_await transport_->write(bytes.substr(0, kPieceBytes));
    deadline_.clear();
    if (!written) co_return false;
    bytes.remove_prefix(std::min(kPieceBytes, bytes.size()));
  }
  co_return true;
}

asio::awaitable<bool> Connection::send_stream(const Stream& stream, bool chunked) {
  namespace ex = asio::experimental;
  if (finishing_) co_return false;
  const auto executor = co_await asio::this_coro::executor;
  StreamSink sink(*this, chunked);
  interrupted_ = Interrupted::no;
  interrupt_.expires_at(SteadyClock::time_point::max());
  streaming_ = true;
  watch_peer();
  auto both = ex::make_parallel_group(asio::co_spawn(executor, stream(sink), asio::deferred),
                                      interrupt_.async_wait(asio::deferred));
  auto [order, failure, waited] = co_await both.async_wait(ex::wait_for_one(), asio::use_awaitable);
  streaming_ = false;
  boost::system::error_code ignored;
  transport_->socket().cancel(ignored);
  if (failure && order[0] == 0) log_event(LogLevel::error, "http.stream_failed", {{"error", text_of(failure)}});
  if (failure || order[0] == 1 || interrupted_ != Interrupted::no) co_return false;
  if (!chunked) co_return true;
  co_return co_await send_pieces("0\r\n\r\n");
}

/// Says goodbye, and hears a peer that is still sending out for a while: closing over unread octets resets the
/// connection, and the peer may lose the answer.
asio::awaitable<void> Connection::close() {
  deadline_.set(unread_ ? limits_.linger : std::min(limits_.idle, limits_.linger));
  co_await transport_->finish();
  if (!unread_) co_return;
  std::array<char, 16384> piece;
  std::size_t count = 1;
  while (count > 0) count = co_await transport_->read(piece);
}

void Connection::report(const Request& request, int status) {
  if (observer_) observer_({request.method, request.route, status, SteadyClock::now() - started_});
}

}  // namespace crosswarp::http
