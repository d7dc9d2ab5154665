// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/settings.hpp"
#include "server/db/migrator.hpp"

#include <boost/json.hpp>

#include <memory>

namespace crosswarp::cli {
namespace {

struct MigrateOptions {
  ServerFlags flags;
  bool json = false;
};

asio::awaitable<int> migrate(asio::any_io_executor executor, const std::string& url, bool json) {
  db::Pool pool(executor, url, {.connections = 1});
  const auto known = db::built_in_migrations();
  const auto applied = co_await db::migrate(pool, known);
  if (!applied) co_return fail(applied.error());
  if (json) {
    print_json({{"applied", boost::json::array(applied->begin(), applied->end())}});
    co_return kYes;
  }
  for (const std::string& name : *applied) print("applied " + name + '\n');
  if (applied->empty()) print("nothing to apply\n");
  co_return kYes;
}

int execute(const MigrateOptions& options) {
  const auto config = config_of(options.flags, process_environment());
  if (!config) return fail(config.error());
  const Result<Database> database = Database::reach(*config);
  if (!database) return fail(database.error());
  return run_to_end([&](asio::any_io_executor executor) { return migrate(executor, database->url(), options.json); });
}

}  // namespace

void add_migrate(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<MigrateOptions>();
  CLI::App* command = root.add_subcommand("migrate", "bring the schema of the database up to this program");
  command->footer("`crosswarp serve` does the same at its start.");
  add_database_options(*command, options->flags);
  add_json_flag(*command, options->json);
  command->callback([options, &chosen] { chosen = [options] { return execute(*options); }; });
}

}  // namespace crosswarp::cli
