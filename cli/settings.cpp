// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.hpp"

#include "cli/terminal.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

namespace crosswarp::cli {
namespace {

namespace fs = std::filesystem;

/// Where no password stands in it, a connection string may be seen by everybody.
void warn_of_password(const std::string& url) {
  if (config::masked_url(url) == url) return;
  std::fputs("crosswarp: warning: the password in --database can be seen by every user of this machine; use "
             "$CROSSWARP_DATABASE or a file\n", stderr);
}

std::string as_yaml(std::string_view key, std::string_view value) {
  std::string line = std::string(key) + ": \"";
  for (const char c : value) line += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return line + "\"\n";
}

bool tell_mistakes(const std::vector<Diagnostic>& diagnostics, const std::string& file) {
  for (const Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", one_line(render(diagnostic, file)).c_str());
  }
  return has_errors(diagnostics);
}

/// Flags are read by the reader of the file, so that a value means the same in both.
Result<void> lay_flags_over(const ServerFlags& flags, config::Config& config) {
  std::string text;
  if (!flags.listen.empty()) text += as_yaml("listen", flags.listen);
  if (!flags.database.empty()) text += as_yaml("database", flags.database);
  if (!flags.state_dir.empty()) text += as_yaml("state_dir", flags.state_dir);
  config::ParsedConfig parsed = config::parse_config(text, fs::current_path(), {});
  for (Diagnostic& diagnostic : parsed.diagnostics) diagnostic.place = {};
  if (tell_mistakes(parsed.diagnostics, "command line")) {
    return Error{ErrorCode::invalid_argument, "the command line has mistakes"};
  }
  if (!flags.listen.empty()) config.listen = parsed.config.listen;
  if (!flags.database.empty()) config.database = parsed.config.database;
  if (!flags.state_dir.empty()) config.state_dir = parsed.config.state_dir;
  warn_of_password(flags.database);
  return {};
}

Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Error{ErrorCode::invalid_argument, path + ": cannot be read"};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// `libraries` of the file counts; its default, a folder beside the file, only where it is there.
Result<void> choose_libraries(const ServerFlags& flags, const Environment& environment, const fs::path& folder,
                              config::Config& config) {
  std::error_code failure;
  const bool by_default = config.libraries == std::vector<fs::path>{folder / "libraries"};
  const bool there = fs::is_directory(folder / "libraries", failure);
  if (!flags.libraries.empty() || flags.config.empty() || (by_default && !there)) {
    const auto found = library_dirs(flags.libraries, environment, program_dir());
    if (!found.empty()) config.libraries = found;
    return {};
  }
  for (const fs::path& one : config.libraries) {
    if (fs::is_directory(one, failure)) continue;
    return Error{ErrorCode::invalid_argument, flags.config + ": libraries: there is no folder " + one.string()};
  }
  return {};
}

}  // namespace

void add_database_options(CLI::App& command, ServerFlags& flags) {
  command.add_option("--config", flags.config, "configuration of the server")->type_name("FILE");
  command
      .add_option("--database", flags.database,
                  "PostgreSQL to use (else `database` of the file, else a private one)")
      ->type_name("URL");
  command
      .add_option("--state-dir", flags.state_dir,
                  "where the server keeps its data (else ~/.local/state/crosswarp)")
      ->type_name("DIR");
}

void add_serve_options(CLI::App& command, ServerFlags& flags) {
  command.add_option("--listen", flags.listen, "address and port (else 127.0.0.1:8080); port 0: any that is free")
      ->type_name("ADDRESS:PORT");
  command.add_option("--libraries", flags.libraries, "folders of recipes (else those that came with the program)")
      ->type_name("DIR");
}

Result<config::Config> config_of(const ServerFlags& flags, const Environment& environment) {
  std::string text;
  if (!flags.config.empty()) {
    Result<std::string> read = read_file(flags.config);
    if (!read) return read.error();
    text = std::move(*read);
  }
  const fs::path folder = flags.config.empty() ? fs::current_path() : fs::absolute(flags.config).parent_path();
  config::ParsedConfig parsed = config::parse_config(text, folder, environment);
  if (tell_mistakes(parsed.diagnostics, flags.config.empty() ? "environment" : flags.config)) {
    return Error{ErrorCode::invalid_argument, "the configuration has mistakes"};
  }
  if (const Result<void> laid = lay_flags_over(flags, parsed.config); !laid) return laid.error();
  if (const Result<void> chosen = choose_libraries(flags, environment, folder, parsed.config); !chosen) {
    return chosen.error();
  }
  return std::move(parsed.config);
}

Result<Database> Database::own(const config::Config& config) {
  Database database;
  database.url_ = config.database;
  if (!config.database.empty()) return database;
  Result<db::Embedded> embedded = db::Embedded::start(config.state_dir);
  if (!embedded) return embedded.error();
  database.embedded_.emplace(std::move(*embedded));
  database.url_ = database.embedded_->url();
  return database;
}

Result<Database> Database::reach(const config::Config& config) {
  if (config.database.empty()) {
    if (auto url = db::running_url(config.state_dir)) {
      Database database;
      database.url_ = std::move(*url);
      return database;
    }
  }
  return own(config);
}

}  // namespace crosswarp::cli
