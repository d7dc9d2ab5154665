// SPDX-License-Identifier: Apache-2.0
#include "server/agents/tokens.hpp"

#include "server/db/transaction.hpp"
#include "tests/support/coroutine.hpp"
#include "tests/support/temp_database.hpp"

#include <gtest/gtest.h>

namespace crosswarp::agents {
namespace {

class TokensTest : public testing::Test {
 protected:
  template <class T>
  T wait(asio::awaitable<T> work) {
    return tests::run(context_, std::move(work));
  }

  tests::TempDatabase database_;
  asio::io_context context_;
  db::Pool pool_{context_.get_executor(), database_.url()};
  Tokens tokens_{pool_};
};

TEST_F(TokensTest, KnowsTheRoleOfATokenUntilItIsRevoked) {
  const auto token = wait(tokens_.create(Role::agent, "box")).value();
  EXPECT_TRUE(token.secret.starts_with("cw_agent_"));
  EXPECT_EQ(wait(tokens_.role_of(token.secret)).value(), Role::agent);
  EXPECT_TRUE(wait(tokens_.revoke(token.id)).has_value());
  EXPECT_EQ(wait(tokens_.role_of(token.secret)).error().code, ErrorCode::unauthorized);
  EXPECT_EQ(wait(tokens_.revoke(token.id)).error().code, ErrorCode::not_found);
  const auto listed = wait(tokens_.list()).value();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].label, "box");
  EXPECT_TRUE(listed[0].revoked.has_value());
}

TEST_F(TokensTest, RefusesWhatIsNoToken) {
  const auto token = wait(tokens_.create(Role::submit, "")).value();
  for (const auto& wrong : {std::string(), std::string("cw_"), token.secret + "0", token.secret.substr(1),
                            "cw_admin_" + token.secret.substr(10), std::string(100'000, 'x')}) {
    SCOPED_TRACE(wrong.substr(0, 80));
    EXPECT_EQ(wait(tokens_.role_of(wrong)).error().code, ErrorCode::unauthorized);
  }
}

TEST_F(TokensTest, KeepsNoSecret) {
  static constexpr db::Query kAll{"test.tokens", "select t::text as row from token t"};
  const auto token = wait(tokens_.create(Role::admin, "me")).value();
  const auto rows = wait(db::query(pool_, kAll)).value();
  EXPECT_EQ(rows.front().text("row").find(token.secret.substr(9)), std::string::npos);
}

TEST(Role, LetsAnAdminDoAll) {
  EXPECT_TRUE(may(Role::admin, Role::agent));
  EXPECT_TRUE(may(Role::submit, Role::submit));
  EXPECT_FALSE(may(Role::submit, Role::agent));
  EXPECT_FALSE(may(Role::agent, Role::admin));
}

}  // namespace
}  // namespace crosswarp::agents
