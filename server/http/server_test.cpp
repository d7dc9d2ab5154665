// SPDX-License-Identifier: Apache-2.0
#include "server/http/server.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>

#include <gtest/gtest.h>

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <atomic>
#include <filesystem>
#include <thread>

namespace crosswarp::http {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

/// What the handlers of the test server have seen.
struct Seen {
  std::atomic<int> cancelled_waits{0};
  std::atomic<int> ended_streams{0};
};

/// Counts its own end, by whatever way.
struct CountEnd {
  std::atomic<int>& counter;
  ~CountEnd() { ++counter; }
};

asio::awaitable<void> pause(std::chrono::milliseconds duration) {
  asio::steady_timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<Response> hello(const Request& request) {
  Response response = text_response(200, "text/plain", "hello " + std::string(request.capture("name")));
  response.headers.set("X-Split", "a\r\nInjected: yes");
  co_return response;
}

asio::awaitable<Response> echo(const Request& request) {
  co_return text_response(200, "application/octet-stream", request.body);
}

asio::awaitable<Response> fail(const Request&) {
  throw std::runtime_error("a broken invariant");
  co_return Response{};
}

asio::awaitable<void> count_to_three(Sink& sink) {
  for (const char* word : {"one ", "two ", "three"}) co_await sink.write(word);
}

void add_waiting_routes(Router& router, Seen& seen) {
  RouteLimits long_poll;
  long_poll.ends_with_peer = true;
  router.add("GET", "/wait", long_poll, [&seen](const Request&) -> asio::awaitable<Response> {
    const CountEnd end{seen.cancelled_waits};
    co_await pause(1h);
    co_return Response{};
  });
  RouteLimits short_time;
  short_time.time = 50ms;
  router.add("GET", "/slow", short_time, [](const Request&) -> asio::awaitable<Response> {
    co_await pause(1h);
    co_return Response{};
  });
  router.add("GET", "/soon", {}, [](const Request&) -> asio::awaitable<Response> {
    co_await pause(150ms);
    co_return text_response(200, "text/plain", "done");
  });
  router.add("GET", "/endless", {}, [&seen](const Request&) -> asio::awaitable<Response> {
    Response response = text_response(200, "text/event-stream", "");
    response.stream = [&seen](Sink& sink) -> asio::awaitable<void> {
      const CountEnd end{seen.ended_streams};
      while (co_await sink.write("data: tick\n\n")) co_await pause(1h);
    };
    co_return response;
  });
}

Router test_router(Seen& seen) {
  Router router;
  router.add("GET", "/hello/{name}", {}, hello);
  router.add("POST", "/echo", RouteLimits{.body_bytes = 1000}, echo);
  router.add("GET", "/fail", {}, fail);
  router.add("GET", "/big", {}, [](const Request&) -> asio::awaitable<Response> {
    co_return text_response(200, "text/plain", std::string(64 << 20, 'x'));
  });
  router.add("GET", "/stream", {}, [](const Request&) -> asio::awaitable<Response> {
    Response response = text_response(200, "text/plain", "");
    response.stream = count_to_three;
    co_return response;
  });
  add_waiting_routes(router, seen);
  return router;
}

ServerSettings short_limits() {
  ServerSettings settings;
  settings.port = 0;
  settings.connections = 8;
  settings.limits.header_bytes = 2048;
  settings.limits.first_byte = 200ms;
  settings.limits.idle = 200ms;
  settings.limits.request = 200ms;
  settings.limits.linger = 200ms;
  return settings;
}

/// A blocking client of one plain connection.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(context_) {
    socket_.connect(tcp::endpoint(asio::ip::address_v4::loopback(), port));
  }

  Client& send(std::string_view text) {
    boost::system::error_code failure;  // the server may have ended already, which the answer tells
    asio::write(socket_, asio::buffer(text.data(), text.size()), failure);
    return *this;
  }

  /// Everything until the server ends the connection.
  std::string rest() {
    std::string text;
    boost::system::error_code failure;
    asio::read(socket_, asio::dynamic_buffer(text), failure);
    return text;
  }

  /// At least one octet, as it comes.
  std::string some() {
    std::array<char, 65536> piece;
    boost::system::error_code failure;
    const std::size_t count = socket_.read_some(asio::buffer(piece), failure);
    return {piece.data(), count};
  }

  void end_sending() { socket_.shutdown(tcp::socket::shutdown_send); }

 private:
  asio::io_context context_;
  tcp::socket socket_;
};

class ServerTest : public testing::Test {
 protected:
  void start(ServerSettings settings = short_limits()) {
    settings.observer = [this](const Exchange& exchange) { last_status_ = exchange.status; };
    server_.emplace(context_.get_executor(), router_, std::move(settings));
    const Result<void> listening = server_->listen();
    ASSERT_TRUE(listening.has_value()) << listening.error().message;
    asio::co_spawn(context_, server_->run(), asio::detached);
    thread_ = std::thread([this] { context_.run(); });
  }

  void stop(std::chrono::milliseconds grace) {
    asio::co_spawn(context_, server_->stop(grace), asio::use_future).get();
  }

  void TearDown() override {
    if (!thread_.joinable()) return;
    stop(1s);
    work_.reset();
    thread_.join();
    EXPECT_EQ(server_->connections(), 0u);
  }

  Client connect() { return Client(server_->port()); }

  std::string ask(std::string_view request) { return connect().send(request).rest(); }

  Seen seen_;
  Router router_ = test_router(seen_);
  asio::io_context context_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  std::optional<Server> server_;
  std::thread thread_;
  std::atomic<int> last_status_{0};
};

/// "HTTP/1.1 200 OK" of an answer.
std::string status_line(const std::string& answer) { return answer.substr(0, answer.find("\r\n")); }

std::string body(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

std::size_t count(const std::string& text, std::string_view word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST_F(ServerTest, AnswersAndEndsWhenAsked) {
  start();
  const std::string answer = ask("GET /hello/w%C3%B6rld?x=1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(status_line(answer), "HTTP/1.1 200 OK");
  EXPECT_EQ(body(answer), "hello w\xc3\xb6rld");
  EXPECT_EQ(count(answer, "\r\nInjected"), 0u);
  EXPECT_EQ(last_status_, 200);
}

TEST_F(ServerTest, ServesPipelinedRequestsInOrder) {
  start();
  const std::string answer = ask(
      "GET /hello/a HTTP/1.1\r\nHost: h\r\n\r\n"
      "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nxyz"
      "\r\nHEAD /hello/b HTTP/1.1\r\nHost: h\r\n\r\n"
      "GET /hello/c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(count(answer, "HTTP/1.1 200 OK"), 4u);
  EXPECT_LT(answer.find("hello a"), answer.find("xyz"));
  EXPECT_LT(answer.find("xyz"), answer.find("hello c"));
  EXPECT_EQ(count(answer, "hello b"), 0u);
  EXPECT_EQ(count(answer, "Content-Length: 7"), 3u);
}

TEST_F(ServerTest, TakesAChunkedBodyAndIgnoresItsTrailer) {
  start();
  const std::string answer = ask(
      "POST /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\n2;note=x\r\nde\r\n0\r\nHost: other\r\n\r\n");
  EXPECT_EQ(body(answer), "abcde");
}

TEST_F(ServerTest, RefusesWhatItCannotTrust) {
  start();
  const std::string long_header(3000, 'a');
  const std::string two_thousand(2000, 'b');
  const struct {
    std::string name, request, status;
  } rows[] = {
      {"no HTTP", "hello\r\n\r\n", "400"},
      {"no host", "GET /hello/a HTTP/1.1\r\n\r\n", "400"},
      {"two hosts", "GET /hello/a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"},
      {"version", "GET /hello/a HTTP/2.0\r\nHost: h\r\n\r\n", "505"},
      {"length and encoding",
       "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
      {"encoding and length",
       "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", "400"},
      {"two lengths", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "400"},
      {"other encoding", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", "501"},
      {"bad length", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", "400"},
      {"bad chunk", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
      {"long header", "GET /hello/a HTTP/1.1\r\nHost: h\r\nX: " + long_header + "\r\n\r\n", "431"},
      {"long body", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n" + two_thousand, "413"},
      {"huge body", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999\r\n\r\n", "413"},
      {"long chunk",
       "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + two_thousand + "\r\n0\r\n\r\n",
       "413"},
      {"long chunk extension",
       "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;note=" + long_header, "431"},
      {"long trailer",
       "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nNote: " + long_header,
       "431"},
      {"body where none is taken", "GET /hello/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", "413"},
      {"expectation", "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: magic\r\nContent-Length: 1\r\n\r\n", "417"},
      {"dot segments", "GET /hello/../../etc/passwd HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
      {"null", "GET /hello/%00 HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
      {"no such path", "GET /nothing HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "404"},
      {"no such method", "DELETE /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "405"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const std::string answer = ask(row.request);
    EXPECT_EQ(status_line(answer).substr(9, 3), row.status);
    EXPECT_EQ(count(answer, "Content-Type: application/problem+json"), 1u);
    EXPECT_EQ(count(answer, "\"status\":" + row.status), 1u);
  }
}

TEST_F(ServerTest, NamesTheMethodsOfAPath) {
  start();
  const std::string answer = ask("PUT /hello/a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(count(answer, "\r\nAllow: GET, HEAD\r\n"), 1u);
}

TEST_F(ServerTest, NeverServesWhatFollowsARefusedRequest) {
  start();
  const std::string answer = ask(
      "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
      "GET /hello/smuggled HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(count(answer, "HTTP/1.1 "), 1u);
  EXPECT_EQ(count(answer, "smuggled"), 0u);
}

TEST_F(ServerTest, CutsThePeerThatFallsSilent) {
  start();
  const struct {
    const char* name;
    const char* request;
    const char* status;  ///< empty: ended without a word
  } rows[] = {
      {"nothing at all", "", ""},
      {"half a header", "GET /hello/a HTTP/1.1\r\nHo", "408"},
      {"half a body", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc", "408"},
      {"half a chunk", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "408"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto begin = std::chrono::steady_clock::now();
    const std::string answer = ask(row.request);
    EXPECT_EQ(answer.empty() ? "" : status_line(answer).substr(9, 3), row.status);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  }
}

TEST_F(ServerTest, CutsThePeerThatTricklesARequest) {
  start();
  Client client = connect();
  const auto begin = std::chrono::steady_clock::now();
  std::thread trickle([&] {
    for (int i = 0; i < 20; ++i) {
      client.send("G");
      std::this_thread::sleep_for(30ms);
    }
  });
  client.rest();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  trickle.join();
}

TEST_F(ServerTest, EndsQuietlyWhenABodyIsCutShort) {
  start();
  Client client = connect();
  client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc").end_sending();
  EXPECT_EQ(client.rest(), "");
}

TEST_F(ServerTest, AsksForTheBodyThatIsHeldBack) {
  start();
  Client client = connect();
  client.send(
      "POST /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.some(), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(body(client.send("ok").rest()), "ok");
}

TEST_F(ServerTest, RefusesAHeldBackBodyWithoutAskingForIt) {
  start();
  const std::string answer =
      ask("POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n");
  EXPECT_EQ(status_line(answer), "HTTP/1.1 413 Payload Too Large");
}

TEST_F(ServerTest, EndsTheConnectionOfAnOldClient) {
  start();
  EXPECT_EQ(body(ask("GET /hello/a HTTP/1.0\r\n\r\n")), "hello a");
  EXPECT_EQ(body(ask("GET /stream HTTP/1.0\r\n\r\n")), "one two three");
}

TEST_F(ServerTest, StreamsInChunks) {
  start();
  const std::string answer = ask("GET /stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(count(answer, "Transfer-Encoding: chunked"), 1u);
  EXPECT_EQ(body(answer), "4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n");
}

TEST_F(ServerTest, TurnsAnExceptionIntoA500) {
  start();
  const std::string answer = ask("GET /fail HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(status_line(answer), "HTTP/1.1 500 Internal Server Error");
  EXPECT_EQ(count(answer, "broken invariant"), 0u);
}

TEST_F(ServerTest, GivesUpAHandlerThatTakesTooLong) {
  start();
  const std::string answer = ask("GET /slow HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(status_line(answer), "HTTP/1.1 503 Service Unavailable");
  EXPECT_EQ(count(answer, "Retry-After: "), 1u);
}

TEST_F(ServerTest, CancelsALongPollWhosePeerIsGone) {
  start();
  { connect().send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n"); }
  for (int i = 0; i < 500 && seen_.cancelled_waits == 0; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(seen_.cancelled_waits, 1);
}

TEST_F(ServerTest, EndsAStreamWhosePeerIsGone) {
  start();
  {
    Client client = connect();
    client.send("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_FALSE(client.some().empty());
  }
  for (int i = 0; i < 500 && seen_.ended_streams == 0; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(seen_.ended_streams, 1);
}

TEST_F(ServerTest, CutsAPeerThatDoesNotTakeItsAnswer) {
  start();
  Client client = connect();
  client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n");
  for (int i = 0; i < 500 && server_->connections() > 0; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(server_->connections(), 0u);
}

TEST_F(ServerTest, TurnsAwayOneConnectionTooMany) {
  ServerSettings settings = short_limits();
  settings.connections = 2;
  settings.limits.first_byte = 5s;
  start(settings);
  Client first = connect();
  Client second = connect();
  const std::string answer = ask("GET /hello/a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(status_line(answer), "HTTP/1.1 503 Service Unavailable");
  EXPECT_EQ(body(first.send("GET /hello/a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").rest()), "hello a");
}

TEST_F(ServerTest, LetsAnswersGoOutWhenItStops) {
  start();
  Client busy = connect();
  busy.send("GET /soon HTTP/1.1\r\nHost: h\r\n\r\n");
  Client stream = connect();
  stream.send("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n");
  std::string begun = stream.some();
  while (count(begun, "tick") == 0) begun += stream.some();
  stop(2s);
  EXPECT_EQ(body(busy.rest()), "done");
  EXPECT_EQ(server_->connections(), 0u);
  EXPECT_EQ(seen_.ended_streams, 1);
}

TEST_F(ServerTest, EndsAHandlerThatOutlivesTheGraceOfItsStop) {
  start();
  Client client = connect();
  client.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n");
  std::this_thread::sleep_for(50ms);
  stop(50ms);
  EXPECT_EQ(seen_.cancelled_waits, 1);
}

TEST_F(ServerTest, SaysWhyItCannotListen) {
  start();
  ServerSettings taken = short_limits();
  taken.port = server_->port();
  Server other(context_.get_executor(), router_, taken);
  const Result<void> listening = other.listen();
  ASSERT_TRUE(listening.has_error());
  EXPECT_EQ(listening.error().code, ErrorCode::unavailable);
  EXPECT_EQ(count(listening.error().message, "Address already in use"), 1u);
}

/// A certificate for localhost that signs itself, as PEM files in a folder of its own.
class SelfSigned {
 public:
  SelfSigned() : folder_(std::filesystem::temp_directory_path() / ("tls-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
    std::FILE* file = std::fopen(files().certificate.c_str(), "w");
    PEM_write_X509(file, certificate);
    std::fclose(file);
    file = std::fopen(files().key.c_str(), "w");
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  ~SelfSigned() { std::filesystem::remove_all(folder_); }

  TlsFiles files() const { return {folder_ / "certificate.pem", folder_ / "key.pem"}; }

 private:
  std::filesystem::path folder_;
};

TEST_F(ServerTest, SpeaksTls) {
  const SelfSigned certificate;
  ServerSettings settings = short_limits();
  settings.tls = certificate.files();
  settings.limits.first_byte = 5s;
  settings.limits.request = 5s;
  start(settings);
  asio::io_context context;
  asio::ssl::context client(asio::ssl::context::tls_client);
  asio::ssl::stream<tcp::socket> stream(context, client);
  stream.next_layer().connect(tcp::endpoint(asio::ip::address_v4::loopback(), server_->port()));
  stream.handshake(asio::ssl::stream_base::client);
  asio::write(stream,
              asio::buffer(std::string_view("GET /hello/tls HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")));
  std::string answer;
  boost::system::error_code failure;
  asio::read(stream, asio::dynamic_buffer(answer), failure);
  EXPECT_EQ(failure, asio::error::eof);
  EXPECT_EQ(body(answer), "hello tls");
}

TEST_F(ServerTest, NamesTheTlsFileThatIsMissing) {
  ServerSettings settings = short_limits();
  settings.tls = TlsFiles{"/no/such.pem", "/no/such.key"};
  Server server(context_.get_executor(), router_, settings);
  const Result<void> listening = server.listen();
  ASSERT_TRUE(listening.has_error());
  EXPECT_EQ(listening.error().message.find("tls.certificate: /no/such.pem: "), 0u);
}

}  // namespace
}  // namespace crosswarp::http
