// SPDX-License-Identifier: Apache-2.0
#include "server/db/pool.hpp"

#include "server/db/transaction.hpp"
#include "tests/support/coroutine.hpp"
#include "tests/support/temp_database.hpp"

#include <gtest/gtest.h>

namespace crosswarp::db {
namespace {

constexpr Query kPid{"test.pid", "select pg_backend_pid() as pid"};
constexpr Query kCount{"test.rows", "select count(*) as n from counter"};
constexpr Query kInsert{"test.insert", "insert into counter values ($1)"};

class PoolTest : public testing::Test {
 protected:
  Pool make_pool(PoolOptions options = {}) { return Pool(context_.get_executor(), database_.url(), options); }

  Result<Rows> ask(Pool& pool, const Query& statement) { return tests::run(context_, query(pool, statement)); }

  void run_script(Pool& pool, const std::string& sql) {
    const auto lease = tests::run(context_, pool.acquire());
    tests::run(context_, (*lease)->run_script(sql));
  }

  tests::TempDatabase database_;
  asio::io_context context_;
};

TEST_F(PoolTest, UsesAConnectionAgain) {
  auto pool = make_pool();
  const auto first = ask(pool, kPid)->front().integer("pid");
  EXPECT_EQ(ask(pool, kPid)->front().integer("pid"), first);
}

TEST_F(PoolTest, SaysUnavailableWhenNoneComesFreeInTime) {
  auto pool = make_pool({.connections = 1, .wait_limit = std::chrono::milliseconds(20)});
  const auto taken = tests::run(context_, pool.acquire());
  const auto refused = tests::run(context_, pool.acquire());
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
}

TEST_F(PoolTest, HandsAConnectionToWhoWaitsForIt) {
  auto pool = make_pool({.connections = 1});
  std::optional<Pool::Lease> taken(std::move(*tests::run(context_, pool.acquire())));
  bool served = false;
  asio::co_spawn(context_, pool.acquire(), [&](std::exception_ptr, Result<Pool::Lease> lease) {
    served = lease.has_value();
  });
  context_.restart();
  context_.poll();
  EXPECT_FALSE(served);
  taken.reset();
  context_.restart();
  context_.run();
  EXPECT_TRUE(served);
}

TEST_F(PoolTest, RecoversByItselfFromARestartOfPostgres) {
  auto pool = make_pool();
  ASSERT_TRUE(ask(pool, kPid).has_value());
  tests::TempDatabase::server().crash();
  const auto away = ask(pool, kPid);
  ASSERT_TRUE(away.has_error());
  EXPECT_EQ(away.error().code, ErrorCode::unavailable);
  ASSERT_TRUE(tests::TempDatabase::server().start_again().has_value());
  EXPECT_TRUE(ask(pool, kPid).has_value());
}

TEST_F(PoolTest, SaysUnavailableWhenTheConnectionIsLostInMidStatement) {
  static constexpr Query kEndMyself{"test.end", "select pg_terminate_backend(pg_backend_pid())"};
  auto pool = make_pool();
  const auto lost = ask(pool, kEndMyself);
  ASSERT_TRUE(lost.has_error());
  EXPECT_EQ(lost.error().code, ErrorCode::unavailable);
  EXPECT_TRUE(ask(pool, kPid).has_value());
}

TEST_F(PoolTest, RollsBackATransactionThatAnswersWithAnError) {
  auto pool = make_pool();
  run_script(pool, "create table counter (n int)");
  const Work<int> work = [](Connection& connection) -> asio::awaitable<Result<int>> {
    co_await connection.execute(kInsert, 1);
    co_return Error{ErrorCode::conflict, "no"};
  };
  EXPECT_EQ(tests::run(context_, transaction<int>(pool, work)).error().message, "no");
  EXPECT_EQ(ask(pool, kCount)->front().integer("n"), 0);
}

TEST_F(PoolTest, TriesASerializationFailureAgainAsAWhole) {
  auto pool = make_pool();
  run_script(pool, "create table counter (n int)");
  int tries = 0;
  const Work<int> work = [&](Connection& connection) -> asio::awaitable<Result<int>> {
    co_await connection.execute(kInsert, ++tries);
    if (tries < 3) co_await connection.run_script("do $$ begin raise sqlstate '40001'; end $$");
    co_return tries;
  };
  EXPECT_EQ(tests::run(context_, transaction<int>(pool, work)).value(), 3);
  EXPECT_EQ(ask(pool, kCount)->front().integer("n"), 1);
}

TEST_F(PoolTest, GivesUpOnADeadlockThatNeverEnds) {
  auto pool = make_pool();
  int tries = 0;
  const Work<int> work = [&](Connection& connection) -> asio::awaitable<Result<int>> {
    ++tries;
    co_await connection.run_script("do $$ begin raise sqlstate '40P01'; end $$");
    co_return tries;
  };
  EXPECT_THROW(tests::run(context_, transaction<int>(pool, work)), SqlError);
  EXPECT_EQ(tries, kTransactionTries);
}

}  // namespace
}  // namespace crosswarp::db
