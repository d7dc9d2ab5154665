// SPDX-License-Identifier: Apache-2.0
#include "agent/container/runner/counters.hpp"

#include <fstream>
#include <string>
#include <string_view>

namespace crosswarp::runner::counters {
namespace {

/// The figure on the line "KEY FIGURE" of a file.
std::optional<std::uint64_t> keyed(const char* path, std::string_view key) {
  std::ifstream file(path);
  std::string word;
  std::uint64_t figure = 0;
  while (file >> word >> figure) {
    if (word == key) return figure;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> single(const char* path) {
  std::ifstream file(path);
  std::uint64_t figure = 0;
  if (file >> figure) return figure;
  return std::nullopt;
}

template <class T>
std::optional<T> first_of(std::optional<T> first, std::optional<T> second) {
  return first ? first : second;
}

std::optional<std::uint64_t> sum_of(const char* path, std::string_view first, std::string_view second) {
  const auto one = keyed(path, first);
  const auto two = keyed(path, second);
  if (!one || !two) return std::nullopt;
  return *one + *two;
}

}  // namespace

std::optional<std::uint64_t> memory_bytes() {
  return first_of(sum_of("/sys/fs/cgroup/memory.stat", "anon", "shmem"),
                  sum_of("/sys/fs/cgroup/memory/memory.stat", "total_rss", "total_shmem"));
}

std::optional<std::uint64_t> peak_memory_bytes() {
  return first_of(single("/sys/fs/cgroup/memory.peak"), single("/sys/fs/cgroup/memory/memory.max_usage_in_bytes"));
}

std::optional<std::uint64_t> memory_kills() {
  return first_of(keyed("/sys/fs/cgroup/memory.events", "oom_kill"),
                  keyed("/sys/fs/cgroup/memory/memory.oom_control", "oom_kill"));
}

std::optional<std::uint64_t> processes_refused() {
  return first_of(keyed("/sys/fs/cgroup/pids.events", "max"), keyed("/sys/fs/cgroup/pids/pids.events", "max"));
}

}  // namespace crosswarp::runner::counters
