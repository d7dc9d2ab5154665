// SPDX-License-Identifier: Apache-2.0
#include "agent/worker/store.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

namespace crosswarp::worker {

namespace fs = std::filesystem;

namespace {

/// Removes a tree whose folders may have been made unwritable by the job.
void remove_tree(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return;
  fs::remove_all(path, ignored);
  if (!fs::exists(fs::symlink_status(path, ignored))) return;
  for (auto at = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, ignored);
       at != fs::recursive_directory_iterator(); at.increment(ignored)) {
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) {
      fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    }
  }
  fs::remove_all(path, ignored);
}

bool safe_relative(const fs::path& path) {
  return !path.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".." || part == "."; });
}

std::int64_t time_of(const fs::path& environment) {
  const std::string text = environment.extension().string();
  return text.size() > 1 ? std::strtoll(text.c_str() + 1, nullptr, 10) : 0;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Result<std::string> read_all(int fd, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = ::read(fd, bytes.data() + got, size - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{ErrorCode::unavailable, std::strerror(errno)};
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  bytes.resize(got);
  return bytes;
}

}  // namespace

Store::Store(fs::path root) : root_(std::move(root)) {
  for (const char* folder : {"fetch/cache", "fetch/envs", "envs", "recipes", "blobs", "jobs"}) {
    fs::create_directories(root_ / folder);
  }
}

fs::path Store::building_dir(std::string_view key) const { return fetch_dir() / "envs" / key; }

void Store::begin_environment(std::string_view key) {
  remove_tree(building_dir(key));
  fs::create_directories(building_dir(key));
}

void Store::seal_environment(std::string_view key, bool leave_link) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto time = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  const fs::path sealed = root_ / "envs" / (std::string(key) + '.' + std::to_string(time));
  fs::rename(building_dir(key), sealed);
  if (leave_link) fs::create_directory_symlink(sealed, building_dir(key));
}

std::optional<fs::path> Store::environment(std::string_view key) const {
  std::optional<fs::path> newest;
  for (const auto& entry : fs::directory_iterator(root_ / "envs")) {
    if (entry.path().stem() != key) continue;
    if (!newest || time_of(entry.path()) > time_of(*newest)) newest = entry.path();
  }
  return newest;
}

std::optional<fs::path> Store::blob(std::string_view sha256) const {
  const fs::path path = root_ / "blobs" / sha256;
  return fs::is_regular_file(path) ? std::optional(path) : std::nullopt;
}

Result<void> Store::put_blob(std::string_view sha256, std::string_view bytes) {
  if (sha256_hex(bytes) != sha256) {
    return Error{ErrorCode::invalid_argument, "blob " + std::string(sha256) + ": its content has another digest"};
  }
  const fs::path path = root_ / "blobs" / sha256;
  const std::lock_guard<std::mutex> lock(laying_);
  const fs::path half = path.string() + ".half";
  // Half a blob under its digest would be believed for ever.
  if (const auto written = write_file(half, bytes); !written) return written;
  fs::rename(half, path);
  return {};
}

Result<fs::path> Store::recipe_tree(const std::vector<protocol::FileRef>& files) {
  std::string listing;
  for (const auto& file : files) {
    if (!safe_relative(file.path)) {
      return Error{ErrorCode::invalid_argument, "recipe file \"" + file.path + "\" does not stay in its folder"};
    }
    listing += file.path + '\0' + file.sha256 + '\n';
  }
  const std::lock_guard<std::mutex> lock(laying_);
  const fs::path tree = root_ / "recipes" / sha256_hex(listing);
  if (fs::exists(tree)) return tree;
  const fs::path half = tree.string() + ".half";
  remove_tree(half);
  for (const auto& file : files) {
    fs::create_directories((half / file.path).parent_path());
    fs::copy_file(root_ / "blobs" / file.sha256, half / file.path);
  }
  fs::rename(half, tree);
  return tree;
}

fs::path Store::make_job_dir(std::int64_t attempt) {
  const fs::path folder = root_ / "jobs" / std::to_string(attempt);
  remove_tree(folder);
  for (const char* inner : {"work/.home", "work/.tmp", "work/.cache"}) fs::create_directories(folder / inner);
  fs::create_directories(folder / "out");
  return folder;
}

void Store::remove_job_dir(std::int64_t attempt) { remove_tree(root_ / "jobs" / std::to_string(attempt)); }

void Store::sweep() {
  for (const char* folder : {"jobs", "fetch/envs"}) {
    for (const auto& entry : fs::directory_iterator(root_ / folder)) {
      if (!entry.is_symlink()) remove_tree(entry.path());
    }
  }
  for (const auto& entry : fs::directory_iterator(root_ / "envs")) {
    if (environment(entry.path().stem().string()) != entry.path()) remove_tree(entry.path());
  }
}

Result<void> write_file(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) return {};
  return Error{ErrorCode::unavailable, path.filename().string() + " cannot be written: " + std::strerror(errno)};
}

Result<std::string> read_beneath(const fs::path& folder, const std::string& relative, std::size_t limit_bytes) {
  const Descriptor root(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (root.get() < 0) return Error{ErrorCode::not_found, folder.string() + ": " + std::strerror(errno)};
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const Descriptor file(static_cast<int>(::syscall(SYS_openat2, root.get(), relative.c_str(), &how, sizeof how)));
  if (file.get() < 0) {
    if (errno == ENOENT) return Error{ErrorCode::not_found, relative + " is not there"};
    if (errno == ELOOP) return Error{ErrorCode::invalid_argument, relative + " is a link, or reached through one"};
    return Error{ErrorCode::invalid_argument, relative + ": " + std::strerror(errno)};
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{ErrorCode::invalid_argument, relative + " is not a regular file"};
  }
  if (static_cast<std::uint64_t>(status.st_size) > limit_bytes) {
    return Error{ErrorCode::too_large, relative + " has " + std::to_string(status.st_size) + " bytes; at most " +
                                           std::to_string(limit_bytes) + " are read"};
  }
  return read_all(file.get(), static_cast<std::size_t>(status.st_size));
}

}  // namespace crosswarp::worker
