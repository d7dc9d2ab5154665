// SPDX-License-Identifier: Apache-2.0
#include "agent/probe/probe.hpp"

#include "agent/container/host_view.hpp"
#include "agent/probe/found.hpp"
#include "agent/probe/nvml.hpp"

#include <boost/json.hpp>

#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace crosswarp::probe {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

/// The value of a line NAME=value or NAME="value".
std::string os_release(std::string_view name) {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(std::string(name) + '=')) continue;
    std::string value = line.substr(name.size() + 1);
    std::erase_if(value, [](char each) { return each == '"' || each == '\''; });
    return value;
  }
  return {};
}

/// Cores that this process may use, which on a shared machine are fewer than there are.
int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

/// The figure in a file of a control group; the most there can be where there is none or it says "max".
std::uint64_t group_limit(const char* path) {
  std::ifstream file(path);
  std::uint64_t bytes = 0;
  return file >> bytes ? bytes : ~std::uint64_t{0};
}

std::uint64_t usable_memory() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const std::uint64_t all = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min({all, group_limit("/sys/fs/cgroup/memory.max"),
                   group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

void add_machine(Probe& probe, const ProbeOptions& options) {
  utsname kernel{};
  uname(&kernel);
  probe.cores = usable_cores();
  probe.memory_bytes = usable_memory();
  std::error_code failure;
  const fs::space_info disk = fs::space(options.disk, failure);
  probe.offers.push_back("kernel=" + leading(kernel.release, 2));
  if (const std::string os = os_release("ID"), version = os_release("VERSION_ID"); !os.empty()) {
    probe.offers.push_back("os=" + os + (version.empty() ? "" : '-' + version));
  }
  probe.facts["os"] = os_release("PRETTY_NAME");
  probe.facts["kernel"] = kernel.release;
  probe.facts["machine"] = kernel.machine;
  probe.facts["glibc"] = gnu_get_libc_version();
  probe.facts["cores"] = probe.cores;
  probe.facts["memory_bytes"] = probe.memory_bytes;
  probe.facts["disk_free_bytes"] = failure ? std::uintmax_t{0} : disk.available;
  probe.facts["engine"] = options.engine;
  probe.facts["sandboxed"] = options.sandboxed;
}

asio::awaitable<void> add_interpreters(Probe& probe, bool sandboxed) {
  std::vector<fs::path> folders{"/usr/bin", "/usr/local/bin", "/opt/python/bin"};
  const auto found = co_await find_interpreters(std::move(folders));
  json::array list;
  for (const Found& each : found) {
    const bool offered = !sandboxed || container::visible_to_jobs(each.path);
    json::object entry{{"version", each.version}, {"path", each.path.string()}, {"offered", offered}};
    if (!offered) entry["why"] = "jobs do not see this folder";
    list.push_back(std::move(entry));
    const std::string release = leading(each.version, 2);
    if (offered && probe.interpreters.emplace(release, each.path).second) probe.offers.push_back("python=" + release);
  }
  probe.facts["interpreters"] = std::move(list);
}

asio::awaitable<void> add_toolkits(Probe& probe) {
  const auto found = co_await find_toolkits();
  json::array list;
  for (const Found& each : found) {
    list.push_back(json::object{{"version", each.version}, {"path", each.path.string()}});
    for (const std::string& version : {leading(each.version, 2), each.version}) {
      if (probe.toolkits.emplace(version, each.path).second) probe.offers.push_back("toolkit=" + version);
    }
  }
  probe.facts["toolkits"] = std::move(list);
}

asio::awaitable<void> add_compilers(Probe& probe) {
  json::array list;
  const std::map<std::string, std::string> families{{"gcc", "g++"}, {"clang", "clang++"}};
  for (const auto& [family, command] : families) {
    const auto found = co_await find_compilers(command);
    for (const Found& each : found) {
      list.push_back(json::object{{"family", family}, {"version", each.version}, {"path", each.path.string()}});
      probe.offers.push_back("compiler=" + family + '-' + leading(each.version, 1));
    }
  }
  probe.facts["compilers"] = std::move(list);
}

void add_driver(Probe& probe, const std::string& library) {
  const Nvml nvml = ask_nvml(library);
  json::object driver{{"version", nvml.driver}, {"cuda", nvml.cuda}};
  if (!nvml.problem.empty()) driver["problem"] = nvml.problem;
  probe.facts["driver"] = std::move(driver);
  if (!nvml.driver.empty()) {
    for (int parts = 1; parts <= 3; ++parts) probe.offers.push_back("driver=" + leading(nvml.driver, parts));
  }
  json::array list;
  for (const Device& device : nvml.devices) {
    probe.offers.push_back("device=" + device.arch);
    list.push_back(json::object{{"name", device.name},
                                {"uuid", device.uuid},
                                {"arch", device.arch},
                                {"memory_bytes", device.memory_bytes}});
  }
  probe.facts["devices"] = std::move(list);
}

}  // namespace

asio::awaitable<Probe> probe_host(ProbeOptions options) {
  Probe probe;
  add_machine(probe, options);
  co_await add_interpreters(probe, options.sandboxed);
  co_await add_toolkits(probe);
  co_await add_compilers(probe);
  add_driver(probe, options.nvml);
  std::sort(probe.offers.begin(), probe.offers.end());
  probe.offers.erase(std::unique(probe.offers.begin(), probe.offers.end()), probe.offers.end());
  co_return probe;
}

}  // namespace crosswarp::probe
