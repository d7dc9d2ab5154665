// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::db {

/// A private PostgreSQL in a folder: made there at the first start, reachable by a unix socket only, stopped when this
/// dies. It does not outlive the process, and is started again within seconds when it dies by itself. Blocks the thread that starts and stops it (about a second).
/// As root it runs as the system user `postgres`, else `nobody`, who is given the folder.
class Embedded {
 public:
  /// Starts the cluster in `state` (made when absent), with a database `crosswarp` in it. `settings` are further
  /// settings of PostgreSQL ("fsync=off"). A server left by a killed predecessor is stopped first.
  /// Errors: unavailable when no PostgreSQL programs are found or the server does not come up, with its own words;
  /// conflict when another process serves from that folder.
  static Result<Embedded> start(const std::filesystem::path& state, std::vector<std::string> settings = {});
  Embedded(Embedded&&) noexcept;
  Embedded& operator=(Embedded&&) = delete;
  ~Embedded();

  /// Connection string of the database `name`.
  std::string url(std::string_view name = "crosswarp") const;

  /// Ends the server as a crash would, to stay so, and starts it again (for tests of its loss).
  void crash();
  Result<void> start_again();

 private:
  class Cluster;
  explicit Embedded(std::unique_ptr<Cluster> cluster);

  std::unique_ptr<Cluster> cluster_;
};

/// The connection string of the embedded server that runs in `state` now, for other commands on the same machine.
std::optional<std::string> running_url(const std::filesystem::path& state);

}  // namespace crosswarp::db
