// SPDX-License-Identifier: Apache-2.0
#include "agent/probe/found.hpp"

#include "agent/container/program.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

namespace crosswarp::probe {
namespace asio = boost::asio;
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kPatience{10};

/// What a program prints when asked; nothing when it cannot be run or fails.
asio::awaitable<std::optional<std::string>> answer(std::vector<std::string> argv) {
  const auto captured = co_await container::capture(std::move(argv), kPatience);
  if (!captured || captured->code != 0) co_return std::nullopt;
  co_return captured->output;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char each) { return std::isdigit(each); });
}

bool dotted_number(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::string first_word(const std::string& text) {
  return text.substr(0, text.find_first_of(" \t\r\n"));
}

/// Files of a folder whose names begin with `prefix` and go on with a number, sorted.
std::vector<fs::path> numbered(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(prefix)) continue;
    if (all_digits(std::string_view(name).substr(prefix.size()))) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> path_folders() {
  std::vector<fs::path> folders;
  const char* value = std::getenv("PATH");
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    if (folder.starts_with('/')) folders.emplace_back(folder);
  }
  return folders;
}

}  // namespace

std::string leading(std::string_view version, int parts) {
  std::size_t end = 0;
  for (int part = 0; part < parts && end != std::string_view::npos; ++part) {
    end = version.find('.', part == 0 ? 0 : end + 1);
  }
  return std::string(version.substr(0, end));
}

std::optional<std::string> nvcc_version(std::string_view text) {
  const std::size_t at = text.find(", V");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + 3);
  const std::string_view version = rest.substr(0, rest.find_first_not_of("0123456789."));
  if (!dotted_number(version)) return std::nullopt;
  return std::string(version);
}

asio::awaitable<std::vector<Found>> find_interpreters(std::vector<fs::path> folders) {
  std::vector<Found> found;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders) {
    for (const fs::path& path : numbered(folder, "python3.")) {
      std::error_code failure;
      if (!seen.insert(fs::canonical(path, failure)).second) continue;
      std::vector<std::string> ask{path.string(), "-IEc", "import platform; print(platform.python_version())"};
      const auto version = co_await answer(std::move(ask));
      if (version && version->starts_with("3.")) found.push_back({first_word(*version), path});
    }
  }
  co_return found;
}

namespace {

/// Where the toolkit seen in `folder` really lies: a folder may hold a wrapper of nvcc and links to the parts of
/// another, so the compiler proper (cicc) decides. Nothing where there is none.
std::optional<fs::path> real_toolkit(const fs::path& folder) {
  std::error_code failure;
  fs::path real = fs::canonical(folder / "nvvm/bin/cicc", failure).parent_path().parent_path().parent_path();
  // Debian's own package keeps it beside nvcc.
  if (failure) real = fs::canonical(folder / "bin/cicc", failure).parent_path().parent_path();
  if (failure || !fs::exists(real / "bin/nvcc", failure)) return std::nullopt;
  return real;
}

}  // namespace

asio::awaitable<std::vector<Found>> find_toolkits(std::vector<fs::path> folders) {
  std::vector<Found> found;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders) {
    const auto real = real_toolkit(folder);
    if (!real || !seen.insert(*real).second) continue;
    std::vector<std::string> ask{(*real / "bin/nvcc").string(), "--version"};
    const auto text = co_await answer(std::move(ask));
    const auto version = text ? nvcc_version(*text) : std::nullopt;
    if (version) found.push_back({*version, *real});
  }
  co_return found;
}

asio::awaitable<std::vector<Found>> find_toolkits() {
  std::vector<fs::path> folders;
  if (const char* home = std::getenv("CUDA_HOME")) folders.emplace_back(home);
  std::error_code failure;
  for (const fs::path& folder : path_folders()) {
    const fs::path real = fs::canonical(folder / "nvcc", failure);
    if (!failure) folders.push_back(real.parent_path().parent_path());
  }
  for (const auto& entry : fs::directory_iterator("/usr/local", failure)) {
    if (entry.path().filename().string().starts_with("cuda")) folders.push_back(entry.path());
  }
  co_return co_await find_toolkits(std::move(folders));
}

asio::awaitable<std::vector<Found>> find_compilers(std::string name) {
  std::vector<fs::path> paths = numbered("/usr/bin", name + "-");
  paths.push_back(fs::path("/usr/bin") / name);
  std::vector<Found> found;
  std::set<fs::path> seen;
  for (const fs::path& path : paths) {
    std::error_code failure;
    const fs::path real = fs::canonical(path, failure);
    if (failure || !seen.insert(real).second) continue;
    std::vector<std::string> ask{path.string(), "-dumpfullversion", "-dumpversion"};
    const auto version = co_await answer(std::move(ask));
    if (version && dotted_number(first_word(*version))) found.push_back({first_word(*version), path});
  }
  co_return found;
}

}  // namespace crosswarp::probe
