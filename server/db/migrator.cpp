// SPDX-License-Identifier: Apache-2.0
#include "server/db/migrator.hpp"

#include "matrix/base/combination.hpp"
#include "server/db/migration_files.hpp"
#include "server/db/transaction.hpp"

#include <algorithm>
#include <set>

namespace crosswarp::db {
namespace {

// Any constant will do, as long as every server uses the same: half the start of SHA-256("crosswarp migrations").
constexpr Query kLock{"migrator.lock", "select pg_advisory_xact_lock(4400773464882724183)"};
constexpr Query kFindTable{"migrator.find_table", "select to_regclass('schema_migration') is not null as there"};
constexpr Query kApplied{"migrator.applied", "select name, checksum from schema_migration order by name"};
constexpr Query kRecord{"migrator.record", "insert into schema_migration (name, checksum) values ($1, $2)"};
constexpr const char* kCreateTable =
    "create table schema_migration (name text primary key, checksum text not null,"
    " applied_at timestamptz not null default now())";

std::optional<Error> compare(const Rows& applied, const std::vector<Migration>& migrations) {
  for (const auto row : applied) {
    const auto name = row.text("name");
    const auto known = std::find_if(migrations.begin(), migrations.end(),
                                    [&](const Migration& migration) { return migration.name == name; });
    if (known == migrations.end())
      return Error{ErrorCode::conflict, "the database has the migration " + std::string(name) +
                                            ", which this version does not know: start the newer version"};
    if (row.text("checksum") != sha256_hex(known->sql))
      return Error{ErrorCode::conflict, "the migration " + std::string(name) +
                                            " was edited after it had been applied: put it back, add a new one"};
  }
  return std::nullopt;
}

/// Applies the first migration that is missing; answers its name, or an empty one when all are there.
asio::awaitable<Result<std::string>> apply_next(Connection& connection, const std::vector<Migration>& migrations) {
  co_await connection.execute(kLock);
  const auto there = co_await connection.execute(kFindTable);
  if (!there.front().boolean("there")) co_await connection.run_script(kCreateTable);
  const auto applied = co_await connection.execute(kApplied);
  if (auto error = compare(applied, migrations)) co_return *error;
  std::set<std::string_view> done;
  for (const auto row : applied) done.insert(row.text("name"));
  for (const auto& migration : migrations) {
    if (done.contains(migration.name)) continue;
    co_await connection.run_script(std::string(migration.sql));
    co_await connection.execute(kRecord, migration.name, sha256_hex(migration.sql));
    co_return std::string(migration.name);
  }
  co_return std::string{};
}

}  // namespace

std::vector<Migration> built_in_migrations() {
  std::vector<Migration> migrations;
  for (const auto& file : kMigrationFiles)
    migrations.push_back({file.name.substr(file.name.rfind('/') + 1), file.text});
  return migrations;
}

asio::awaitable<Result<std::vector<std::string>>> migrate(Pool& pool, std::vector<Migration> migrations) {
  std::vector<std::string> applied;
  const Work<std::string> work = [&migrations](Connection& connection) { return apply_next(connection, migrations); };
  for (;;) {
    auto name = co_await transaction<std::string>(pool, work);
    if (name.has_error()) co_return name.error();
    if (name->empty()) co_return applied;
    applied.push_back(*name);
  }
}

}  // namespace crosswarp::db
