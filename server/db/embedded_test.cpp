// SPDX-License-Identifier: Apache-2.0
#include "server/db/embedded.hpp"

#include "tests/support/temp_database.hpp"

#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace crosswarp::db {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kQuick{"fsync=off"};

/// The first field of the answer to `sql`, by a connection of its own.
std::string ask(const std::string& url, const char* sql) {
  const std::unique_ptr<PGconn, void (*)(PGconn*)> link(PQconnectdb(url.c_str()), PQfinish);
  const std::unique_ptr<PGresult, void (*)(PGresult*)> answer(PQexec(link.get(), sql), PQclear);
  return PQntuples(answer.get()) > 0 ? PQgetvalue(answer.get(), 0, 0) : PQerrorMessage(link.get());
}

TEST(Embedded, KeepsItsDataOverAStopAndCleansUp) {
  const tests::TempFolder folder;
  std::string sockets;
  {
    const auto server = Embedded::start(folder.path(), kQuick);
    ASSERT_TRUE(server.has_value()) << server.error().message;
    ask(server->url(), "create table kept as select 42 as n");
    sockets = ask(server->url(), "show unix_socket_directories");
    EXPECT_EQ(running_url(folder.path()), server->url());
  }
  EXPECT_FALSE(fs::exists(sockets));
  EXPECT_EQ(running_url(folder.path()), std::nullopt);
  const auto again = Embedded::start(folder.path(), kQuick);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(ask(again->url(), "select n from kept"), "42");
}

TEST(Embedded, WorksInAVeryLongFolderThatOthersMayNotEnter) {
  const tests::TempFolder folder;
  const auto deep = folder.path() / std::string(100, 'a') / std::string(100, 'b');
  fs::create_directories(deep);
  fs::permissions(folder.path(), fs::perms::owner_all);
  const auto server = Embedded::start(deep, kQuick);
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_EQ(ask(server->url(), "select 1"), "1");
}

TEST(Embedded, RefusesAFolderThatIsInUse) {
  const tests::TempFolder folder;
  const auto server = Embedded::start(folder.path(), kQuick);
  ASSERT_TRUE(server.has_value());
  const auto second = Embedded::start(folder.path(), kQuick);
  ASSERT_TRUE(second.has_error());
  EXPECT_EQ(second.error().code, ErrorCode::conflict);
  EXPECT_EQ(ask(server->url(), "select 1"), "1");
}

TEST(Embedded, TakesOverFromAProcessThatWasKilled) {
  const tests::TempFolder folder;
  const auto ready = folder.path() / "ready";
  const pid_t holder = ::fork();
  if (holder == 0) {
    const auto server = Embedded::start(folder.path(), kQuick);
    ask(server->url(), "create table kept as select 42 as n");
    std::ofstream(ready) << 1;
    ::pause();
  }
  while (!fs::exists(ready)) ASSERT_EQ(::waitpid(holder, nullptr, WNOHANG), 0);
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  const auto server = Embedded::start(folder.path(), kQuick);
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_EQ(ask(server->url(), "select n from kept"), "42");
}

TEST(Embedded, StartsAgainWhatWasKilled) {
  const tests::TempFolder folder;
  const auto server = Embedded::start(folder.path(), kQuick);
  ASSERT_TRUE(server.has_value()) << server.error().message;
  ask(server->url(), "create table kept as select 42 as n");
  ask(server->url(), "checkpoint");
  int first = 0;
  std::ifstream(folder.path() / "postgres/data/postmaster.pid") >> first;
  ASSERT_GT(first, 0);
  ::kill(first, SIGKILL);
  std::string answer;
  for (int i = 0; i < 300 && answer != "42"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    answer = ask(server->url(), "select n from kept");
  }
  EXPECT_EQ(answer, "42");
}

TEST(Embedded, IgnoresANoteOfAProcessThatIsAnother) {
  const tests::TempFolder folder;
  { ASSERT_TRUE(Embedded::start(folder.path(), kQuick).has_value()); }
  std::ofstream(folder.path() / "postgres/data/postmaster.pid") << ::getpid() << "\n";
  const auto server = Embedded::start(folder.path(), kQuick);
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_EQ(ask(server->url(), "select 1"), "1");
}

TEST(Embedded, SaysInPostgresOwnWordsWhyItDidNotStart) {
  const tests::TempFolder folder;
  const auto server = Embedded::start(folder.path(), {"no_such_setting=1"});
  ASSERT_TRUE(server.has_error());
  EXPECT_NE(server.error().message.find("no_such_setting"), std::string::npos) << server.error().message;
}

}  // namespace
}  // namespace crosswarp::db
