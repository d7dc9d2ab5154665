// SPDX-License-Identifier: Apache-2.0
#include "agent/container/runner/processes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace crosswarp::runner {
namespace {

struct Entry {
  pid_t parent = 0;
  char state = 'X';
};

/// Plain calls, not streams: against a fork bomb these walks are a race.
std::string read_file(const std::string& path) {
  std::string text(4096, '\0');
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? -1 : read(file, text.data(), text.size());
  if (file >= 0) close(file);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

/// The parent is the second field after the name, which stands in parentheses and may hold anything, `)` too.
Entry read_stat(pid_t pid) {
  const std::string text = read_file("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos || end + 4 > text.size()) return {};
  return {static_cast<pid_t>(std::atol(text.c_str() + end + 4)), text[end + 2]};
}

std::map<pid_t, Entry> all_processes() {
  std::map<pid_t, Entry> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), closedir);
  if (!folder) return found;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (failure == std::errc{} && end == name.data() + name.size()) found[pid] = read_stat(pid);
  }
  return found;
}

/// The figure after `key` in a file of "key: figure kB" lines.
std::uint64_t field(const std::string& text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + key.size(), nullptr, 10);
}

bool dead(char state) { return state == 'Z' || state == 'X'; }

std::vector<pid_t> living(const std::map<pid_t, Entry>& all) {
  const pid_t self = getpid();
  std::vector<pid_t> found;
  for (const auto& [pid, entry] : all) {
    if (dead(entry.state)) continue;
    pid_t above = entry.parent;
    for (std::size_t steps = 0; above > 1 && above != self && steps < all.size(); ++steps) {
      const auto parent = all.find(above);
      above = parent == all.end() ? 0 : parent->second.parent;
    }
    if (above == self && pid != self) found.push_back(pid);
  }
  return found;
}

/// Stops all descendants; whether some were still going, and may have made others meanwhile.
bool stop_descendants() {
  const std::map<pid_t, Entry> all = all_processes();
  bool some = false;
  for (const pid_t pid : living(all)) {
    if (all.at(pid).state == 'T') continue;
    kill(pid, SIGSTOP);
    some = true;
  }
  return some;
}

}  // namespace

std::vector<pid_t> descendants() { return living(all_processes()); }

Usage usage_of(const std::vector<pid_t>& processes) {
  Usage usage;
  for (const pid_t pid : processes) {
    const std::string status = read_file("/proc/" + std::to_string(pid) + "/status");
    usage.threads += static_cast<int>(field(status, "\nThreads:"));
    usage.memory_bytes += 1024 * (field(status, "\nRssAnon:") + field(status, "\nRssShmem:"));
  }
  return usage;
}

std::uint64_t proportional_memory(const std::vector<pid_t>& processes) {
  std::uint64_t bytes = 0;
  for (const pid_t pid : processes) {
    const std::string rollup = read_file("/proc/" + std::to_string(pid) + "/smaps_rollup");
    bytes += 1024 * (field(rollup, "\nPss_Anon:") + field(rollup, "\nPss_Shmem:"));
  }
  return bytes;
}

void signal_descendants(int signal) {
  for (const pid_t pid : descendants()) kill(pid, signal);
}

bool kill_descendants(const std::function<bool()>& reap, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (reap()) {
    // All stopped first: killed one by one, processes that fork as fast would win the race. Rounds are bounded, for
    // one that sits in the kernel does not stop.
    for (int round = 0; round < 20 && stop_descendants(); ++round) continue;
    signal_descendants(SIGKILL);
    if (std::chrono::steady_clock::now() > deadline) return false;
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

}  // namespace crosswarp::runner
