// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/spec/diagnostic.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::config {

/// An address and a port: "127.0.0.1:8080", "[::1]:8080", "localhost:8080".
struct Listen {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  ///< 0: any that is free
};

struct Tls {
  std::filesystem::path certificate;
  std::filesystem::path key;
};

struct Limits {
  std::uint64_t body_bytes = std::uint64_t{1} << 20;  ///< of a submitted matrix
  std::uint64_t header_bytes = 16 * 1024;
  std::uint64_t connections = 1024;
  std::chrono::seconds request_time{30};
  std::chrono::seconds idle_time{60};
};

/// Everything that can be set about a server.
struct Config {
  Listen listen;
  bool open_to_read = true;             ///< `public`: reading needs no token
  std::filesystem::path state_dir;
  std::string database;                 ///< URL of PostgreSQL; empty: a private one in `state_dir`
  std::vector<std::filesystem::path> libraries;  ///< folders of recipes
  std::optional<Tls> tls;
  Limits limits;
  std::chrono::seconds lease{60};
  std::chrono::seconds park_after{30};
  std::uint64_t log_limit_bytes = std::uint64_t{64} << 20;  ///< an attempt
};

using Environment = std::map<std::string, std::string, std::less<>>;

struct ParsedConfig {
  Config config;
  std::vector<Diagnostic> diagnostics;  ///< every mistake of the file, and of the environment (without a place)
};

/// Reads a configuration (YAML; an empty text is all defaults). Paths in it are relative to `folder`.
/// `environment` may hold CROSSWARP_DATABASE, which wins over `database`, and what says where state goes by default:
/// XDG_STATE_HOME, else HOME. Mistakes: unknown keys (with the nearest known one), keys that come twice, values of the
/// wrong form, and values that do not go together.
ParsedConfig parse_config(std::string_view yaml, const std::filesystem::path& folder, const Environment& environment);

/// The values that hold, as a file that parse_config reads; passwords are masked.
std::string effective_text(const Config& config);

/// A connection string with its password as "***".
std::string masked_url(std::string_view url);

/// The variables that parse_config knows, of this process.
Environment process_environment();

}  // namespace crosswarp::config
