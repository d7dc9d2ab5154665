// SPDX-License-Identifier: Apache-2.0
#include "server/db/connection.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <libpq-fe.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace crosswarp::db {
namespace {

using Socket = asio::posix::stream_descriptor;

constexpr const char* kSession =
    "set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'; set client_min_messages = warning";

std::string first_line(const char* text) {
  const std::string_view whole = text ? text : "";
  return std::string(whole.substr(0, whole.find('\n')));
}

[[noreturn]] void throw_unavailable(const std::string& why) {
  throw ErrorException(Error{ErrorCode::unavailable, "PostgreSQL is away: " + why});
}

/// States in which PostgreSQL is there but takes nobody: shutting down, starting, out of connections; class 08 is the
/// connection itself.
bool means_away(std::string_view state) {
  return state.starts_with("08") || state == "57P01" || state == "57P02" || state == "57P03" || state == "53300";
}

[[noreturn]] void throw_refusal(const pg_result* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const auto message = first_line(PQresultErrorMessage(result));
  if (!state || means_away(state)) throw_unavailable(message);
  throw SqlError(state, message);
}

bool is_failure(const pg_result* result) {
  const auto status = PQresultStatus(result);
  return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
}

/// Has PostgreSQL stop the statement of a connection that is about to be closed; closing alone leaves it running.
/// PQcancel blocks, so it runs on Asio's own threads, which the program joins at its end.
void cancel_statement(pg_conn* connection) {
  std::shared_ptr<PGcancel> cancel(PQgetCancel(connection), PQfreeCancel);
  if (!cancel) return;
  asio::post(asio::system_executor(), [cancel] {
    std::array<char, 256> error{};
    PQcancel(cancel.get(), error.data(), static_cast<int>(error.size()));
  });
}

/// Waits for the socket or the timer; false when it was the timer.
asio::awaitable<bool> ready_before(Socket& socket, Socket::wait_type what, asio::steady_timer& timer) {
  auto both = asio::experimental::make_parallel_group(socket.async_wait(what, asio::deferred),
                                                      timer.async_wait(asio::deferred));
  const auto [order, failure, elapsed] =
      co_await both.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
  if (order[0] == 1) co_return false;
  if (failure) throw boost::system::system_error(failure);
  co_return true;
}

}  // namespace

void Connection::Finish::operator()(pg_conn* connection) const noexcept { PQfinish(connection); }

Connection::Connection(asio::any_io_executor executor, std::unique_ptr<pg_conn, Finish> connection)
    : connection_(std::move(connection)), socket_(std::move(executor)) {}

Connection::~Connection() {
  if (busy_ && PQstatus(connection_.get()) == CONNECTION_OK) cancel_statement(connection_.get());
}

asio::awaitable<std::unique_ptr<Connection>> Connection::open(std::string url, std::chrono::milliseconds limit) {
  const auto executor = co_await asio::this_coro::executor;
  const std::array keywords{"fallback_application_name", "dbname", static_cast<const char*>(nullptr)};
  const std::array values{"crosswarp", url.c_str(), static_cast<const char*>(nullptr)};
  std::unique_ptr<pg_conn, Finish> raw(PQconnectStartParams(keywords.data(), values.data(), 1));
  if (!raw) throw std::bad_alloc();
  PQsetNoticeProcessor(raw.get(), [](void*, const char*) {}, nullptr);  // else they go to stderr
  std::unique_ptr<Connection> connection(new Connection(executor, std::move(raw)));
  co_await connection->connect(limit);
  co_await connection->run_script(kSession);
  co_return connection;
}

asio::awaitable<void> Connection::connect(std::chrono::milliseconds limit) {
  asio::steady_timer timer(socket_.get_executor(), limit);
  auto next = PGRES_POLLING_WRITING;
  if (PQstatus(connection_.get()) == CONNECTION_BAD) lost();
  while (next != PGRES_POLLING_OK) {
    watch_socket();  // libpq may go on to another address, with another socket
    const auto what = next == PGRES_POLLING_READING ? Socket::wait_read : Socket::wait_write;
    if (!co_await ready_before(socket_, what, timer)) throw_unavailable("no connection in time");
    next = PQconnectPoll(connection_.get());
    if (next == PGRES_POLLING_FAILED) lost();
  }
  watch_socket();
  if (PQsetnonblocking(connection_.get(), 1) != 0) lost();
}

void Connection::watch_socket() {
  // Asio closes what it is given, and so does libpq: each gets a descriptor of its own.
  const int copy = ::dup(PQsocket(connection_.get()));
  if (copy < 0) throw boost::system::system_error(errno, boost::system::system_category());
  if (socket_.is_open()) socket_.close();
  socket_.assign(copy);
}

void Connection::lost() const { throw_unavailable(first_line(PQerrorMessage(connection_.get()))); }

bool Connection::usable() const {
  // Reading takes no time on an idle connection and finds out that the other side has closed it.
  return !busy_ && PQconsumeInput(connection_.get()) == 1 && PQstatus(connection_.get()) == CONNECTION_OK;
}

bool Connection::in_transaction() const { return PQtransactionStatus(connection_.get()) != PQTRANS_IDLE; }

asio::awaitable<void> Connection::wait_readable() {
  co_await socket_.async_wait(Socket::wait_read, asio::use_awaitable);
  if (PQconsumeInput(connection_.get()) == 0) lost();
}

asio::awaitable<void> Connection::flush() {
  for (;;) {
    const int left = PQflush(connection_.get());
    if (left < 0) lost();
    if (left == 0) co_return;
    // While much is sent, PostgreSQL may want to be read from before it takes more.
    asio::steady_timer soon(socket_.get_executor(), std::chrono::milliseconds(20));
    co_await ready_before(socket_, Socket::wait_write, soon);
    if (PQconsumeInput(connection_.get()) == 0) lost();
  }
}

asio::awaitable<pg_result*> Connection::next_result() {
  while (PQisBusy(connection_.get())) co_await wait_readable();
  co_return PQgetResult(connection_.get());
}

asio::awaitable<Rows> Connection::finish_statement() {
  co_await flush();
  Rows last(nullptr);
  std::unique_ptr<pg_result, void (*)(pg_result*)> failure(nullptr, PQclear);
  while (pg_result* result = co_await next_result()) {
    if (!is_failure(result)) {
      last = Rows(result);
    } else if (failure) {
      PQclear(result);
    } else {
      failure.reset(result);
    }
  }
  if (PQstatus(connection_.get()) != CONNECTION_OK) lost();
  busy_ = false;
  if (failure) throw_refusal(failure.get());
  co_return last;
}

asio::awaitable<void> Connection::prepare(Query query) {
  if (prepared_.contains(query.name)) co_return;
  busy_ = true;
  const std::string name(query.name);
  const std::string sql(query.sql);
  if (!PQsendPrepare(connection_.get(), name.c_str(), sql.c_str(), 0, nullptr)) lost();
  co_await finish_statement();
  prepared_.insert(query.name);
}

asio::awaitable<Rows> Connection::execute_with(Query query, std::vector<Param> params) {
  co_await prepare(query);
  std::vector<const char*> values;
  values.reserve(params.size());
  for (const auto& param : params) values.push_back(param.text() ? param.text()->c_str() : nullptr);
  const std::string name(query.name);
  busy_ = true;
  if (!PQsendQueryPrepared(connection_.get(), name.c_str(), static_cast<int>(values.size()), values.data(), nullptr,
                           nullptr, 0))
    lost();
  co_return co_await finish_statement();
}

asio::awaitable<void> Connection::run_script(std::string sql) {
  busy_ = true;
  if (!PQsendQuery(connection_.get(), sql.c_str())) lost();
  co_await finish_statement();
}

asio::awaitable<void> Connection::copy_in(std::string sql, std::function<std::string_view()> next) {
  busy_ = true;
  if (!PQsendQuery(connection_.get(), sql.c_str())) lost();
  co_await flush();
  const std::unique_ptr<pg_result, void (*)(pg_result*)> started(co_await next_result(), PQclear);
  if (PQresultStatus(started.get()) == PGRES_COPY_IN) {
    for (auto piece = next(); !piece.empty(); piece = next()) {
      if (PQputCopyData(connection_.get(), piece.data(), static_cast<int>(piece.size())) < 0) lost();
      co_await flush();
    }
    if (PQputCopyEnd(connection_.get(), nullptr) < 0) lost();
  }
  co_await finish_statement();
  if (PQresultStatus(started.get()) != PGRES_COPY_IN) throw_refusal(started.get());
}

asio::awaitable<Notification> Connection::next_notification() {
  for (;;) {
    const std::unique_ptr<PGnotify, void (*)(void*)> found(PQnotifies(connection_.get()), PQfreemem);
    if (found) co_return Notification{found->relname, found->extra};
    co_await wait_readable();
  }
}

std::string copy_text(std::string_view field) {
  std::string out;
  out.reserve(field.size());
  for (const char c : field) {
    switch (c) {
      case '\\': out += "\\\\"; break;
      case '\t': out += "\\t"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace crosswarp::db
