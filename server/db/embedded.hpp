// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace crosswarp::db {

/// A private PostgreSQL in a folder: made there at the first start, reachable by a unix socket only, stopped when this
/// dies. It does not outlive the process. Blocks the thread that starts and stops it (about a second).
/// As root it runs as the system user `postgres`, else `nobody`, who is given the folder.
class Embedded {
 public:
  /// Starts the cluster in `state` (made when absent). A server left by a killed predecessor is stopped first.
  /// Errors: unavailable when no PostgreSQL programs are found or the server does not come up, with its own words;
  /// conflict when another process serves from that folder.
  static Result<Embedded> start(const std::filesystem::path& state, const std::vector<std::string>& settings = {});
  Embedded(Embedded&& other) noexcept;
  Embedded& operator=(Embedded&&) = delete;
  ~Embedded();

  /// Connection string of the database `name`.
  std::string url(std::string_view name = "crosswarp") const;
  pid_t process() const { return process_; }

  /// Stops the server at once (for tests of its loss), and starts it again.
  void stop();
  Result<void> start_again();

 private:
  Embedded() = default;

  std::filesystem::path programs_;
  std::filesystem::path data_;
  std::filesystem::path socket_folder_;
  std::vector<std::string> settings_;
  int lock_ = -1;  ///< of the folder, held as long as this lives
  uid_t uid_ = 0;
  gid_t gid_ = 0;
  pid_t process_ = -1;
};

}  // namespace crosswarp::db
