// SPDX-License-Identifier: Apache-2.0
#include "agent/container/host_view.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace crosswarp::container {
namespace fs = std::filesystem;
namespace {

/// Folders of the root that stay; dev, proc and sys are the engine's own.
constexpr std::array kShown{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
                            "/usr", "/etc",  "/dev", "/proc",  "/sys",   "/tmp"};

bool below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

bool below_any(const fs::path& path, const std::vector<fs::path>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) { return below(path, folder); });
}

void hide_rest_of_root(HostView& view) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator("/", failure)) {
    if (std::find(kShown.begin(), kShown.end(), entry.path().string()) != kShown.end()) continue;
    const fs::file_type type = entry.symlink_status(failure).type();
    if (type == fs::file_type::directory) view.hidden_folders.push_back(entry.path());
    if (type == fs::file_type::regular) view.hidden_files.push_back(entry.path());
  }
}

void hide_private_settings(HostView& view) {
  std::error_code failure;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at("/etc", options, failure), end; at != end; at.increment(failure)) {
    const fs::file_status status = at->symlink_status(failure);
    const bool folder = status.type() == fs::file_type::directory;
    const fs::perms needed = folder ? fs::perms::others_exec : fs::perms::others_read;
    if (status.type() == fs::file_type::symlink || (status.permissions() & needed) != fs::perms::none) continue;
    (folder ? view.hidden_folders : view.hidden_files).push_back(at->path());
    if (folder) at.disable_recursion_pending();
  }
}

void hide_more(HostView& view, const std::vector<fs::path>& more) {
  for (const fs::path& path : more) {
    std::error_code failure;
    const fs::path real = fs::weakly_canonical(path, failure);
    if (failure || below_any(real, view.hidden_folders) || !fs::exists(real, failure)) continue;
    (fs::is_directory(real, failure) ? view.hidden_folders : view.hidden_files).push_back(real);
  }
}

/// "\040" for a blank, as the kernel writes paths.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size()) {
      plain += static_cast<char>(std::stoi(text.substr(at + 1, 3), nullptr, 8));
      at += 3;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

void show_mounted_parts(HostView& view) {
  std::ifstream file("/proc/self/mountinfo");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string id, parent, device, root, point;
    words >> id >> parent >> device >> root >> point;
    const fs::path path = unescaped(point);
    std::error_code failure;
    if ((below(path, "/usr") || below(path, "/etc")) && fs::is_directory(path, failure) &&
        !below_any(path, view.hidden_folders)) {
      view.shown.push_back({path, path, true});
    }
  }
}

}  // namespace

HostView view_of_host(const std::vector<fs::path>& more) {
  HostView view;
  hide_rest_of_root(view);
  std::error_code failure;
  if (fs::is_directory("/usr/local", failure)) view.hidden_folders.emplace_back("/usr/local");
  hide_private_settings(view);
  hide_more(view, more);
  show_mounted_parts(view);
  if (fs::is_directory("/var/lib/dpkg", failure)) view.shown.push_back({"/var/lib/dpkg", "/var/lib/dpkg", true});
  return view;
}

bool visible_to_jobs(const fs::path& path) {
  std::error_code failure;
  const fs::path real = fs::weakly_canonical(path, failure);
  for (const fs::path& as_written : {path, real}) {
    if (below(as_written, "/usr/local")) return false;
    if (!std::any_of(kShown.begin(), kShown.end(), [&](const char* shown) {
          return shown != std::string_view("/tmp") && below(as_written, shown);
        })) {
      return false;
    }
  }
  return true;
}

}  // namespace crosswarp::container
