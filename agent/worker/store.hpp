// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/protocol.hpp"
#include "matrix/base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::worker {

/// The agent's folders:
///   fetch/cache       package cache, shared by all fetching containers
///   fetch/envs/KEY    environments being made; one mount with the cache, so that files are hard links
///   envs/KEY.TIME     finished environments, mounted read-only
///   recipes/HASH      recipe trees by the content of all their files
///   blobs/SHA256      files by content
///   jobs/ATTEMPT      a job's own folder, removed when it ends
/// Blocking and safe to call from several threads; call it on a pool.
class Store {
 public:
  explicit Store(std::filesystem::path root);

  std::filesystem::path fetch_dir() const { return root_ / "fetch"; }
  std::filesystem::path cache_dir() const { return fetch_dir() / "cache"; }

  /// Where the environment `key` is made, or (made already) seen; the same path under fetch_dir() in both cases.
  std::filesystem::path building_dir(std::string_view key) const;

  /// An empty folder to make the environment in; what a dead attempt left there is removed.
  void begin_environment(std::string_view key);

  /// Moves what was made out of reach of fetching containers and makes it the environment of `key`.
  /// `leave_link`: the old path stays valid as a link (for jobs that run without mounts).
  void seal_environment(std::string_view key, bool leave_link);

  /// The newest finished environment of `key`.
  std::optional<std::filesystem::path> environment(std::string_view key) const;

  /// A blob's path when it is here.
  std::optional<std::filesystem::path> blob(std::string_view sha256) const;

  /// Keeps a blob. Errors: invalid_argument when the bytes are not those of the digest; unavailable on a full disk.
  Result<void> put_blob(std::string_view sha256, std::string_view bytes);

  /// The tree of the files, all of whose blobs are here: each path below it. Errors: invalid_argument for a path that
  /// leaves the tree.
  Result<std::filesystem::path> recipe_tree(const std::vector<protocol::FileRef>& files);

  /// An empty folder for an attempt with `work` and `out` in it.
  std::filesystem::path make_job_dir(std::int64_t attempt);
  void remove_job_dir(std::int64_t attempt);

  /// Removes what agents before this one left behind: job folders, half-made environments, and all but the newest
  /// environment of each key.
  void sweep();

 private:
  std::filesystem::path root_;
  std::mutex laying_;  ///< held while blobs and trees are put in place: two jobs may want the same
};

/// Makes `path` hold `bytes`. Errors: unavailable when not all of them could be written (a full disk).
Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

/// Reads a regular file below `folder` without following any link, however the job arranged its folder.
/// Errors: not_found; too_large past `limit_bytes`; invalid_argument for what is no regular file.
Result<std::string> read_beneath(const std::filesystem::path& folder, const std::string& relative,
                                 std::size_t limit_bytes);

}  // namespace crosswarp::worker
