// SPDX-License-Identifier: Apache-2.0
#include "tests/support/temp_database.hpp"

#include "server/db/connection.hpp"
#include "server/db/migrator.hpp"
#include "tests/support/coroutine.hpp"

#include <stdlib.h>

#include <atomic>
#include <stdexcept>

namespace crosswarp::tests {
namespace {

constexpr const char* kTemplate = "template_migrated";

/// The one server of a test program, with the template made.
struct Shared {
  TempFolder folder;
  db::Embedded server =
      db::Embedded::start(folder.path(), {"fsync=off", "synchronous_commit=off", "full_page_writes=off",
                                          "max_connections=200", "shared_buffers=64MB"})
          .value();
};

Shared& shared() {
  static Shared instance;
  return instance;
}

void run_on_server(const std::string& sql) {
  boost::asio::io_context context;
  const auto work = [&]() -> boost::asio::awaitable<void> {
    const auto url = TempDatabase::server().url("postgres");
    const auto connection = co_await db::Connection::open(url, std::chrono::seconds(5));
    co_await connection->run_script(sql);
  };
  run(context, work());
}

void make_template() {
  create_empty_database(kTemplate);
  boost::asio::io_context context;
  db::Pool pool(context.get_executor(), TempDatabase::server().url(kTemplate));
  run(context, db::migrate(pool, db::built_in_migrations())).value();
}

}  // namespace

TempFolder::TempFolder() {
  auto name = (std::filesystem::temp_directory_path() / "crosswarp-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TempDatabase::TempDatabase() {
  static std::atomic<int> count{0};
  static const bool made = (make_template(), true);
  name_ = "test_" + std::to_string(made ? ++count : 0);
  run_on_server("create database " + name_ + " template " + kTemplate);
}

TempDatabase::~TempDatabase() {
  try {
    run_on_server("drop database " + name_ + " with (force)");
  } catch (const std::exception&) {
    // A test that took the server down leaves nothing to drop.
  }
}

std::string TempDatabase::url() const { return server().url(name_); }

db::Embedded& TempDatabase::server() { return shared().server; }

std::string create_empty_database(const std::string& name) {
  run_on_server("create database " + name);
  return TempDatabase::server().url(name);
}

}  // namespace crosswarp::tests
