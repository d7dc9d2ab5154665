// SPDX-License-Identifier: Apache-2.0
#include "server/db/connection.hpp"

#include "server/db/listener.hpp"
#include "tests/support/coroutine.hpp"
#include "tests/support/temp_database.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gtest/gtest.h>

namespace crosswarp::db {
namespace {

constexpr std::chrono::seconds kLimit{5};

class ConnectionTest : public testing::Test {
 protected:
  std::unique_ptr<Connection> open() { return tests::run(context_, Connection::open(database_.url(), kLimit)); }

  template <class... Values>
  Rows execute(Connection& connection, const Query& query, const Values&... values) {
    return tests::run(context_, connection.execute(query, values...));
  }

  tests::TempDatabase database_;
  asio::io_context context_;
};

TEST_F(ConnectionTest, CarriesEveryTypeThereAndBack) {
  static constexpr Query kAll{"test.all", R"sql(
    select $1::bigint as number, $2::text as text, $3::text[] as texts, $4::bigint[] as numbers, $5::bytea as bytes,
           $6::jsonb as json, $7::text as nothing, '2026-11-30 12:00:00.5+01'::timestamptz as time,
           $8::bool as yes)sql"};
  const auto connection = open();
  const std::vector<std::string> texts{"a,b", "q\"\\ {}", "", "NULL"};
  const std::string bytes("\0\x7f\xff", 3);
  const boost::json::value json{{"arch", "sm_90"}};
  const auto rows = execute(*connection, kAll, std::int64_t{1} << 40, "täb\t", texts, std::vector<std::int64_t>{1, -2},
                            bytea(bytes), json, std::nullopt, true);
  ASSERT_EQ(rows.size(), 1u);
  const auto row = rows.front();
  EXPECT_EQ(row.integer("number"), std::int64_t{1} << 40);
  EXPECT_EQ(row.text("text"), "täb\t");
  EXPECT_EQ(row.strings("texts"), texts);
  EXPECT_EQ(row.integers("numbers"), (std::vector<std::int64_t>{1, -2}));
  EXPECT_EQ(row.bytes("bytes"), bytes);
  EXPECT_EQ(row.json("json"), json);
  EXPECT_EQ(row.optional_string("nothing"), std::nullopt);
  EXPECT_EQ(row.time("time"), "2026-11-30T11:00:00.5Z");
  EXPECT_TRUE(row.boolean("yes"));
  EXPECT_THROW(row.text("nothing"), std::logic_error);
  EXPECT_THROW(row.text("elsewhere"), std::logic_error);
}

TEST_F(ConnectionTest, GivesAnEmptyArrayAsNoItems) {
  static constexpr Query kEmpty{"test.empty", "select '{}'::text[] as texts"};
  const auto connection = open();
  EXPECT_TRUE(execute(*connection, kEmpty).front().strings("texts").empty());
}

TEST_F(ConnectionTest, TellsTheStateOfARefusalAndStaysUsable) {
  static constexpr Query kDivide{"test.divide", "select 1 / $1::int as x"};
  const auto connection = open();
  try {
    execute(*connection, kDivide, 0);
    FAIL() << "a division by zero was answered";
  } catch (const SqlError& error) {
    EXPECT_EQ(error.state(), "22012");
    EXPECT_FALSE(error.retryable());
  }
  EXPECT_TRUE(connection->usable());
  EXPECT_EQ(execute(*connection, kDivide, 1).front().integer("x"), 1);
}

TEST_F(ConnectionTest, CopiesRowsWithEveryAwkwardCharacter) {
  static constexpr Query kRead{"test.read", "select text from target order by id"};
  const auto connection = open();
  tests::run(context_, connection->run_script("create table target (id int, text text)"));
  const std::string awkward = "tab\t newline\n return\r back\\slash \\N";
  std::vector<std::string> lines{"1\t" + copy_text(awkward) + "\n", "2\t\\\\.\n"};
  std::size_t at = 0;
  tests::run(context_, connection->copy_in("copy target from stdin", [&] {
    return at < lines.size() ? std::string_view(lines[at++]) : std::string_view();
  }));
  const auto rows = execute(*connection, kRead);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].text("text"), awkward);
  EXPECT_EQ(rows[1].text("text"), "\\.");
}

TEST_F(ConnectionTest, RefusesACopyOfWrongRowsAndStaysUsable) {
  const auto connection = open();
  tests::run(context_, connection->run_script("create table target (id int)"));
  bool sent = false;
  const auto next = [&] { return std::exchange(sent, true) ? std::string_view() : std::string_view("word\n"); };
  EXPECT_THROW(tests::run(context_, connection->copy_in("copy target from stdin", next)), SqlError);
  EXPECT_THROW(tests::run(context_, connection->copy_in("copy nowhere from stdin", next)), SqlError);
  EXPECT_TRUE(connection->usable());
}

TEST_F(ConnectionTest, StopsTheStatementOfACancelledCall) {
  static constexpr Query kSleep{"test.sleep", "select pg_sleep(60)"};
  static constexpr Query kCount{"test.count", R"sql(
    select count(*) as n from pg_stat_activity
    where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid())sql"};
  auto connection = open();
  const auto other = open();
  asio::cancellation_signal cancel;
  bool cancelled = false;
  asio::co_spawn(context_, connection->execute(kSleep),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr failure, Rows) {
                   cancelled = failure != nullptr;
                 }));
  while (execute(*other, kCount).front().integer("n") == 0) {
  }
  cancel.emit(asio::cancellation_type::terminal);
  context_.restart();
  context_.run();
  EXPECT_TRUE(cancelled);
  EXPECT_FALSE(connection->usable());
  connection.reset();
  const auto deadline = std::chrono::steady_clock::now() + kLimit;
  while (execute(*other, kCount).front().integer("n") != 0)
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "the statement goes on";
}

TEST_F(ConnectionTest, SaysThatPostgresIsAwayWhenNobodyListens) {
  try {
    tests::run(context_, Connection::open("host=/nowhere dbname=x", kLimit));
    FAIL() << "connected to nowhere";
  } catch (const ErrorException& error) {
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
  }
}

TEST_F(ConnectionTest, HearsMessagesAndConnectsAgainAfterALoss) {
  std::vector<std::string> heard;
  asio::cancellation_signal cancel;
  asio::co_spawn(context_, listen(database_.url(), "news", [&](std::string_view text) { heard.emplace_back(text); }),
                 asio::bind_cancellation_slot(cancel.slot(), [](std::exception_ptr) {}));
  const auto sender = open();
  const auto wait_for = [&](std::size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + kLimit;
    while (heard.size() < count && std::chrono::steady_clock::now() < deadline)
      context_.run_one_for(std::chrono::milliseconds(50));
    return heard.size() >= count;
  };
  context_.restart();
  ASSERT_TRUE(wait_for(1));
  tests::run(context_, sender->run_script("notify news, 'one'"));
  ASSERT_TRUE(wait_for(2));
  tests::run(context_, sender->run_script("select pg_terminate_backend(pid) from pg_stat_activity"
                                          " where datname = current_database() and pid <> pg_backend_pid()"));
  ASSERT_TRUE(wait_for(3));
  tests::run(context_, sender->run_script("notify news, 'two'"));
  ASSERT_TRUE(wait_for(4));
  EXPECT_EQ(heard, (std::vector<std::string>{"", "one", "", "two"}));
  cancel.emit(asio::cancellation_type::terminal);
  context_.restart();
  context_.run();
}

}  // namespace
}  // namespace crosswarp::db
