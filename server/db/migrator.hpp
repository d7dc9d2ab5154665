// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/pool.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::db {

/// One numbered schema change: "0001_create_runs.sql" and its text.
struct Migration {
  std::string_view name;
  std::string_view sql;
};

/// The schema changes that this program was built with, in order.
std::vector<Migration> built_in_migrations();

/// Brings the schema up to `migrations`: each missing one in a transaction of its own, all under an advisory lock, so
/// that several servers may start at once. Returns the names of those applied now.
/// Errors: conflict when an applied file was edited afterwards, or the database knows a migration that this program
/// does not; unavailable.
asio::awaitable<Result<std::vector<std::string>>> migrate(Pool& pool, std::vector<Migration> migrations);

}  // namespace crosswarp::db
