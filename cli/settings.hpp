// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/environment.hpp"
#include "matrix/base/error.hpp"
#include "server/config/config.hpp"
#include "server/db/embedded.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace crosswarp::cli {

/// What the command line says of a server's configuration; flags win over the file.
struct ServerFlags {
  std::string config;  ///< path of a file; empty: none
  std::string listen;
  std::string state_dir;
  std::string database;
  std::vector<std::filesystem::path> libraries;
};

/// Adds --config, --database and --state-dir, which every command that reaches the database has.
void add_database_options(CLI::App& command, ServerFlags& flags);
/// Adds --listen and --libraries.
void add_serve_options(CLI::App& command, ServerFlags& flags);

/// The configuration that holds. Every mistake of file and environment is told on standard error.
/// Errors: invalid_argument, when there were mistakes or the file cannot be read.
Result<config::Config> config_of(const ServerFlags& flags, const Environment& environment);

/// A database to work with.
class Database {
 public:
  /// The configured one, else a private one that lives as long as this does.
  /// Errors: those of db::Embedded::start, conflict where another server works in the state folder.
  static Result<Database> own(const config::Config& config);
  /// As own(), but where a server works in the state folder, that server's.
  static Result<Database> reach(const config::Config& config);

  const std::string& url() const { return url_; }

 private:
  std::optional<db::Embedded> embedded_;
  std::string url_;
};

}  // namespace crosswarp::cli
