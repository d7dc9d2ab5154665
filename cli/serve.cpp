// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "matrix/base/log.hpp"
#include "server/api/serve.hpp"
#include "server/db/migrator.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/json/serialize.hpp>

#include <unistd.h>

#include <csignal>
#include <exception>
#include <memory>

namespace crosswarp::cli {
namespace {

constexpr std::chrono::seconds kGrace{5};  ///< for answers being made when the server is stopped

struct ServeOptions {
  ServerFlags flags;
  int ready_fd = -1;
  bool json = false;
};

/// The address as a client writes it; one that stands for every interface is reached from here as localhost.
std::string url_of(const config::Config& config, std::uint16_t port) {
  std::string host = config.listen.address;
  if (host == "0.0.0.0" || host == "::") host = "localhost";
  if (host.find(':') != std::string::npos) host = '[' + host + ']';
  return (config.tls ? "https://" : "http://") + host + ':' + std::to_string(port);
}

void tell_ready(const ServeOptions& options, const config::Config& config, std::uint16_t port) {
  const std::string url = url_of(config, port);
  const std::string json =
      boost::json::serialize(boost::json::object{{"url", url}, {"page", url + '/'}, {"port", port}}) + '\n';
  print(options.json ? json : "ready: " + url + " (page: " + url + "/)\n");
  log_event(LogLevel::info, "serve.ready", {{"url", url}});
  if (options.ready_fd < 0) return;
  if (::write(options.ready_fd, json.data(), json.size()) < 0) {
    log_event(LogLevel::warning, "serve.ready_fd", {{"fd", options.ready_fd}, {"error", "cannot be written to"}});
  }
  ::close(options.ready_fd);
}

asio::awaitable<Result<void>> migrate(db::Pool& pool) {
  const auto known = db::built_in_migrations();
  const auto applied = co_await db::migrate(pool, known);
  if (!applied) co_return applied.error();
  for (const std::string& name : *applied) log_event(LogLevel::info, "migration.applied", {{"name", name}});
  co_return Result<void>{};
}

/// Where the server is between its start and its end.
struct Stage {
  bool running = false;
  bool stopping = false;
};

/// Ends when the server accepts no more, which is before the answers being made are out.
asio::awaitable<int> serve(api::Service& service, db::Pool& pool, const ServeOptions& options,
                           const config::Config& config, Stage& stage) {
  const Result<void> migrated = co_await migrate(pool);
  if (!migrated) co_return fail(migrated.error());
  if (const Result<void> listening = service.listen(); !listening) co_return fail(listening.error());
  if (stage.stopping) co_return kYes;
  stage.running = true;
  tell_ready(options, config, service.port());
  co_await service.run();
  stage.running = false;
  co_return kYes;
}

/// The first signal lets answers go out; the default action of the second ends the program.
void stop_at_signals(asio::io_context& context, asio::signal_set& signals, api::Service& service, Stage& stage) {
  signals.async_wait([&](const boost::system::error_code& error, int signal) {
    if (error) return;
    log_event(LogLevel::info, "serve.stopping", {{"signal", signal}});
    stage.stopping = true;
    signals.clear();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (!stage.running) return;
    asio::co_spawn(context, service.stop(kGrace), [](std::exception_ptr thrown) {
      if (thrown) std::rethrow_exception(thrown);
    });
  });
}

/// The context is not stopped: it runs until no conversation is left, since what a conversation holds of the service
/// must be given back before the service goes.
int serve_until_stopped(const ServeOptions& options, const config::Config& config, const std::string& database) {
  asio::io_context context{1};
  const SystemClock clock;
  db::Pool pool(context.get_executor(), database);
  api::Service service(config, context, pool, clock, kVersion);
  asio::signal_set signals(context, SIGINT, SIGTERM);
  Stage stage;
  stop_at_signals(context, signals, service, stage);
  int code = kUnknown;
  asio::co_spawn(context, serve(service, pool, options, config, stage), [&](std::exception_ptr thrown, int answer) {
    signals.cancel();
    if (thrown) std::rethrow_exception(thrown);
    code = answer;
  });
  context.run();
  log_event(LogLevel::info, "serve.stopped");
  return code;
}

int execute(const ServeOptions& options) {
  const auto config = config_of(options.flags, process_environment());
  if (!config) return fail(config.error());
  std::fputs(config::effective_text(*config).c_str(), stderr);
  const Result<Database> database = Database::own(*config);
  if (!database) return fail(database.error());
  try {
    return serve_until_stopped(options, *config, database->url());
  } catch (const std::exception& error) {
    return fail({ErrorCode::unavailable, error.what()});
  }
}

}  // namespace

void add_serve(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command = root.add_subcommand("serve", "run the server, with a PostgreSQL of its own where none is set");
  command->footer(
      "Prints a line that begins with `ready:` when it answers. SIGINT or SIGTERM ends it after the answers being\n"
      "made.\n"
      "Examples:\n"
      "  crosswarp serve\n"
      "  crosswarp serve --config /etc/crosswarp/server.yaml");
  add_database_options(*command, options->flags);
  add_serve_options(*command, options->flags);
  command
      ->add_option("--ready-fd", options->ready_fd, "descriptor that gets a line of JSON with the address when ready")
      ->type_name("N");
  add_json_flag(*command, options->json);
  command->callback([options, &chosen] { chosen = [options] { return execute(*options); }; });
}

}  // namespace crosswarp::cli
