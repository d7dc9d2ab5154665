// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/settings.hpp"
#include "cli/terminal.hpp"
#include "server/agents/tokens.hpp"
#include "server/db/migrator.hpp"

#include <boost/json.hpp>

#include <cstdio>
#include <memory>

namespace crosswarp::cli {
namespace {

using agents::NewToken;
using agents::Role;
using agents::TokenInfo;
using agents::Tokens;

struct TokenOptions {
  ServerFlags flags;
  std::string role = "agent";
  std::string name;
  std::string server;  ///< the address that other machines use
  std::int64_t id = 0;
  bool json = false;
};

/// The address for the other machine: the one given, else the one that the server listens on.
std::string server_text(const TokenOptions& options, const config::Config& config) {
  if (!options.server.empty()) return options.server;
  if (const std::string url = variable(process_environment(), "CROSSWARP_URL"); !url.empty()) return url;
  const std::string& address = config.listen.address;
  const std::string host = address.find(':') == std::string::npos ? address : '[' + address + ']';
  return (config.tls ? "https://" : "http://") + host + ':' + std::to_string(config.listen.port);
}

/// `text` within single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// What to paste on the other machine. The token goes into a file that only its owner can read; a variable set in
/// front of the command would serve too, but the file is there at the next start.
std::string line_to_paste(const std::string& secret, const std::string& role, const std::string& server) {
  const std::string use = role == "agent" ? "crosswarp agent --server " : "export CROSSWARP_URL=";
  return "mkdir -p ~/.config/crosswarp && (umask 077; echo " + secret + " > ~/.config/crosswarp/token) && " + use +
         quoted(server);
}

asio::awaitable<int> create(Tokens& tokens, const TokenOptions& options, const config::Config& config) {
  const Role role = agents::role_from_text(options.role).value();
  const Result<NewToken> made = co_await tokens.create(role, options.name);
  if (!made) co_return fail(made.error());
  const std::string server = server_text(options, config);
  const std::string line = line_to_paste(made->secret, options.role, server);
  if (options.json) {
    print_json({{"id", made->id}, {"role", options.role}, {"token", made->secret}, {"line", line}});
    co_return kYes;
  }
  print(made->secret + '\n');
  std::fprintf(stderr, "\nIt is shown only now. On the machine that is to use it, paste:\n  %s\n", line.c_str());
  if (server.find("//127.") != std::string::npos || server.find("//localhost") != std::string::npos) {
    std::fputs("(That address is reached from this machine only; --server sets another.)\n", stderr);
  }
  co_return kYes;
}

boost::json::object to_json(const TokenInfo& token) {
  return {{"id", token.id},
          {"role", agents::to_text(token.role)},
          {"name", token.label},
          {"created", token.created},
          {"revoked", token.revoked ? boost::json::value(*token.revoked) : boost::json::value()}};
}

asio::awaitable<int> list(Tokens& tokens, const TokenOptions& options) {
  const auto found = co_await tokens.list();
  if (!found) co_return fail(found.error());
  for (const TokenInfo& token : *found) {
    if (options.json) {
      print_json(to_json(token));
      continue;
    }
    print(padded(std::to_string(token.id), 5) + ' ' + padded(agents::to_text(token.role), 7) + ' ' + token.created +
          ' ' + (token.revoked ? "revoked " + *token.revoked : std::string("valid")) + ' ' + one_line(token.label) +
          '\n');
  }
  co_return kYes;
}

asio::awaitable<int> revoke(Tokens& tokens, const TokenOptions& options) {
  const Result<void> done = co_await tokens.revoke(options.id);
  if (!done) co_return fail(done.error());
  if (options.json) print_json({{"revoked", options.id}});
  else print("token " + std::to_string(options.id) + " is revoked\n");
  co_return kYes;
}

using Work = std::function<asio::awaitable<int>(Tokens&, const config::Config&)>;

/// The schema is brought up first, so that tokens can be made before the server's first start.
asio::awaitable<int> with_tokens(asio::any_io_executor executor, const std::string& url, const config::Config& config,
                                 const Work& work) {
  db::Pool pool(executor, url, {.connections = 1});
  const auto known = db::built_in_migrations();
  const auto migrated = co_await db::migrate(pool, known);
  if (!migrated) co_return fail(migrated.error());
  Tokens tokens(pool);
  co_return co_await work(tokens, config);
}

int execute(const TokenOptions& options, const Work& work) {
  const auto config = config_of(options.flags, process_environment());
  if (!config) return fail(config.error());
  const Result<Database> database = Database::reach(*config);
  if (!database) return fail(database.error());
  return run_to_end(
      [&](asio::any_io_executor executor) { return with_tokens(executor, database->url(), *config, work); });
}

CLI::App* add_one(CLI::App& group, const std::shared_ptr<TokenOptions>& options, Action& chosen, const char* name,
                  const char* description, Work work) {
  CLI::App* command = group.add_subcommand(name, description);
  add_database_options(*command, options->flags);
  add_json_flag(*command, options->json);
  command->callback([options, &chosen, work] { chosen = [options, work] { return execute(*options, work); }; });
  return command;
}

}  // namespace

void add_token(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<TokenOptions>();
  CLI::App* group = root.add_subcommand("token", "make, list and revoke the tokens that agents and people show");
  group->require_subcommand(1);
  group->footer(
      "Works on the server's own database, beside a running server or before its first start.\n"
      "Examples:\n"
      "  crosswarp token create --role agent --name lab3 --server https://crosswarp.example.org\n"
      "  crosswarp token list\n"
      "  crosswarp token revoke 4");
  CLI::App* make = add_one(*group, options, chosen, "create", "make a token and show it, once",
                           [options](Tokens& tokens, const config::Config& config) {
                             return create(tokens, *options, config);
                           });
  make->add_option("--role", options->role, "agent: take work; submit: have matrices worked through; admin: both")
      ->check(CLI::IsMember({"agent", "submit", "admin"}))
      ->required();
  make->add_option("--name", options->name, "who holds it, for the list");
  make->add_option("--server", options->server, "address by which the other machine reaches the server")
      ->type_name("URL");
  add_one(*group, options, chosen, "list", "list the tokens, without their secrets",
          [options](Tokens& tokens, const config::Config&) { return list(tokens, *options); });
  add_one(*group, options, chosen, "revoke", "make a token worthless",
          [options](Tokens& tokens, const config::Config&) { return revoke(tokens, *options); })
      ->add_option("id", options->id, "id of the token, as `token list` tells")
      ->required()
      ->type_name("ID");
}

}  // namespace crosswarp::cli
