// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/embedded.hpp"

#include <filesystem>
#include <string>

namespace crosswarp::tests {

/// A folder that is removed when this dies.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A migrated database of its own on a private PostgreSQL, which the tests of one program share.
class TempDatabase {
 public:
  TempDatabase();
  ~TempDatabase();
  TempDatabase(const TempDatabase&) = delete;
  TempDatabase& operator=(const TempDatabase&) = delete;

  /// Connection string.
  std::string url() const;
  /// The server below, for tests of its loss.
  static db::Embedded& server();

 private:
  std::string name_;
};

/// An empty database on the same server.
std::string create_empty_database(const std::string& name);

}  // namespace crosswarp::tests
