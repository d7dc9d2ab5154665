// SPDX-License-Identifier: Apache-2.0
#include "server/agents/agents.hpp"

#include "server/db/transaction.hpp"
#include "tests/support/coroutine.hpp"
#include "tests/support/temp_database.hpp"

#include <gtest/gtest.h>

namespace crosswarp::agents {
namespace {

class AgentsTest : public testing::Test {
 protected:
  template <class T>
  T wait(asio::awaitable<T> work) {
    return tests::run(context_, std::move(work));
  }
  protocol::Registered join(const std::string& name, std::vector<std::string> offers) {
    return wait(agents_.register_({name, "0.1.0", std::move(offers), 1024, 2, {{"os", "debian"}}})).value();
  }

  tests::TempDatabase database_;
  asio::io_context context_;
  db::Pool pool_{context_.get_executor(), database_.url()};
  Agents agents_{pool_, {std::chrono::seconds(60), std::chrono::milliseconds(500)}};
};

TEST_F(AgentsTest, TellsAnAgentItsTimes) {
  const auto registered = join("box", {});
  EXPECT_EQ(registered.lease, std::chrono::seconds(60));
  EXPECT_EQ(registered.heartbeat, std::chrono::milliseconds(500));
}

TEST_F(AgentsTest, TakesTheSameNameForTheSameAgentWithNewOffers) {
  const auto first = join("box", {"python=3.10"});
  EXPECT_EQ(join("box", {"python=3.11"}).agent, first.agent);
  EXPECT_NE(join("other", {}).agent, first.agent);
  const auto listed = wait(agents_.list()).value();
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].host.offers, (std::vector<std::string>{"python=3.11"}));
  EXPECT_EQ(listed[0].host.facts.at("os"), "debian");
  EXPECT_EQ(listed[0].host.slots, 2);
}

TEST_F(AgentsTest, CallsAnAgentLostThatIsNotHeardOf) {
  join("box", {});
  EXPECT_TRUE(wait(agents_.list()).value().at(0).live);
  const auto lease = wait(pool_.acquire());
  wait((*lease)->run_script("update agent set heard_at = now() - interval '61 seconds'"));
  EXPECT_FALSE(wait(agents_.list()).value().at(0).live);
}

}  // namespace
}  // namespace crosswarp::agents
