// SPDX-License-Identifier: Apache-2.0
#include "server/db/migrator.hpp"

#include "server/db/transaction.hpp"
#include "tests/support/coroutine.hpp"
#include "tests/support/temp_database.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <gtest/gtest.h>

namespace crosswarp::db {
namespace {

const std::vector<Migration> kTwo{{"0001_one.sql", "create table one (n int);"},
                                  {"0002_two.sql", "create table two (n int); create table three (n int);"}};

class MigratorTest : public testing::Test {
 protected:
  MigratorTest() : pool_(context_.get_executor(), fresh_database()) {}

  Result<std::vector<std::string>> apply(std::vector<Migration> migrations) {
    return tests::run(context_, migrate(pool_, std::move(migrations)));
  }

  bool exists(const std::string& table) {
    static constexpr Query kExists{"test.exists", "select to_regclass($1) is not null as there"};
    return tests::run(context_, query(pool_, kExists, table))->front().boolean("there");
  }

  asio::io_context context_;
  Pool pool_;

 private:
  static std::string fresh_database() {
    static int count = 0;
    return tests::create_empty_database("migrator_" + std::to_string(++count));
  }
};

TEST_F(MigratorTest, AppliesEachFileOnceInOrder) {
  EXPECT_EQ(apply(kTwo).value(), (std::vector<std::string>{"0001_one.sql", "0002_two.sql"}));
  EXPECT_TRUE(exists("three"));
  EXPECT_TRUE(apply(kTwo).value().empty());
}

TEST_F(MigratorTest, LetsTwoServersStartAtOnce) {
  using asio::experimental::awaitable_operators::operator&&;
  const auto both = [&]() -> asio::awaitable<std::size_t> {
    auto [first, second] = co_await (migrate(pool_, kTwo) && migrate(pool_, kTwo));
    co_return first.value().size() + second.value().size();
  };
  EXPECT_EQ(tests::run(context_, both()), kTwo.size());
}

TEST_F(MigratorTest, NoticesAnOldFileThatWasEdited) {
  ASSERT_TRUE(apply(kTwo).has_value());
  auto edited = kTwo;
  edited[0].sql = "create table one (n bigint);";
  const auto refused = apply(edited);
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_EQ(refused.error().message,
            "the migration 0001_one.sql was edited after it had been applied: put it back, add a new one");
}

TEST_F(MigratorTest, RefusesASchemaThatIsNewerThanTheProgram) {
  ASSERT_TRUE(apply(kTwo).has_value());
  const auto refused = apply({kTwo[0]});
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().message,
            "the database has the migration 0002_two.sql, which this version does not know: start the newer version");
}

TEST_F(MigratorTest, LeavesNothingOfAFileThatFails) {
  auto broken = kTwo;
  broken[1].sql = "create table two (n int); create table two (n int);";
  EXPECT_THROW(apply(broken), SqlError);
  EXPECT_TRUE(exists("one"));
  EXPECT_FALSE(exists("two"));
  EXPECT_EQ(apply(kTwo).value(), (std::vector<std::string>{"0002_two.sql"}));
}

TEST_F(MigratorTest, AppliesWhatThisProgramWasBuiltWith) {
  const auto applied = apply(built_in_migrations()).value();
  EXPECT_EQ(applied.size(), built_in_migrations().size());
  EXPECT_EQ(applied.front(), "0001_create_words.sql");
  EXPECT_TRUE(exists("verdict"));
}

}  // namespace
}  // namespace crosswarp::db
