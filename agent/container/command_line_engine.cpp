// SPDX-License-Identifier: Apache-2.0
#include "agent/container/command_line_engine.hpp"

#include "agent/container/host_view.hpp"
#include "agent/container/program.hpp"
#include "agent/container/running.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace crosswarp::container {
namespace {

constexpr std::string_view kRunnerInside = "/crosswarp-runner";
/// Below these an OCI runtime, itself threads and memory in the new control group, does not come up. The runner keeps
/// to a command's own limit by itself.
constexpr int kFewestProcesses = 64;
constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 20;
constexpr rlim_t kMostFiles = 65536;

using Arguments = std::vector<std::string>;

void append(Arguments& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

bool plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 200 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
             std::string_view::npos &&
         name.front() != '-' && name.front() != '.';
}

/// Paths travel in comma-separated options, so what would end or quote one cannot be passed.
bool plain_path(const std::filesystem::path& path) {
  return path.is_absolute() && path.string().find_first_of(",\"\n\r") == std::string::npos;
}

Result<void> check(const ContainerSpec& spec) {
  const auto invalid = [](std::string message) { return Error{ErrorCode::invalid_argument, std::move(message)}; };
  if (!plain_name(spec.name)) return invalid("container name \"" + spec.name + "\": letters, digits, _ . - only");
  if (spec.image.empty() || spec.image.front() == '-') return invalid("image \"" + spec.image + "\": no reference");
  for (const Mount& mount : spec.mounts) {
    for (const auto& path : {mount.from, mount.to}) {
      if (!plain_path(path)) return invalid("mount \"" + path.string() + "\": an absolute path without , and \"");
    }
  }
  return {};
}

void add_mount(Arguments& arguments, const Mount& mount) {
  std::string option = "type=bind,source=" + mount.from.string() + ",destination=" + mount.to.string();
  if (mount.read_only) option += ",readonly";
  append(arguments, {"--mount", option});
}

/// The hard limit of this process, at most `most`.
std::string hard_limit(__rlimit_resource resource, rlim_t most) {
  rlimit limit{};
  getrlimit(resource, &limit);
  const std::string figure = std::to_string(std::min(limit.rlim_max, most));
  return figure + ':' + figure;
}

/// Never more than the agent itself may have: raising a limit is not permitted on many hosts. The engine lowers its own
/// number of processes to the most that the kernel can number, so that bounds ours too.
void add_ulimits(Arguments& arguments) {
  std::ifstream file("/proc/sys/kernel/pid_max");
  rlim_t most_processes = 32768;
  file >> most_processes;
  append(arguments, {"--ulimit", "nofile=" + hard_limit(RLIMIT_NOFILE, kMostFiles)});
  append(arguments, {"--ulimit", "nproc=" + hard_limit(RLIMIT_NPROC, most_processes)});
}

void add_limits(Arguments& arguments, const ContainerSpec& spec) {
  if (spec.memory_bytes != 0) {
    const std::string bytes = std::to_string(std::max(spec.memory_bytes, kLeastMemory)) + 'b';
    append(arguments, {"--memory", bytes, "--memory-swap", bytes});
  }
  // One more, for the runner.
  append(arguments, {"--pids-limit", std::to_string(std::max(spec.processes, kFewestProcesses) + 1)});
  if (spec.cpus > 0) append(arguments, {"--cpus", std::to_string(spec.cpus)});
  add_ulimits(arguments);
}

void add_empty_folder(Arguments& arguments, const std::filesystem::path& path, const CommandLine& line) {
  std::string option = "type=tmpfs,destination=" + path.string() + ",tmpfs-mode=755";
  if (line.podman()) option += ",notmpcopyup,ro";
  append(arguments, {"--mount", option});
}

void add_scratch(Arguments& arguments, const CommandLine& line) {
  std::string option = "type=tmpfs,destination=/tmp,tmpfs-mode=1777";
  if (line.podman()) option += ",notmpcopyup";
  append(arguments, {"--mount", option});
}

void add_host_view(Arguments& arguments, const ContainerSpec& spec, const RuntimeOptions& options,
                   const CommandLine& line) {
  auto more = spec.hidden;
  more.push_back(options.state_dir);
  const HostView view = view_of_host(more);
  for (const auto& folder : view.hidden_folders) {
    if (plain_path(folder)) add_empty_folder(arguments, folder, line);
  }
  for (const auto& file : view.hidden_files) add_mount(arguments, {"/dev/null", file, true});
  for (const Mount& mount : view.shown) add_mount(arguments, mount);
}

Arguments run_arguments(const ContainerSpec& spec, const RuntimeOptions& options, const CommandLine& line) {
  Arguments arguments{"run",         "--rm",
                      "--name",      spec.name,
                      "--hostname",  "crosswarp",
                      "--label",     "crosswarp.state=" + options.state_dir.string(),
                      "--label",     "crosswarp.instance=" + options.instance,
                      "--label",     "crosswarp.attempt=" + std::to_string(spec.attempt),
                      "--log-driver", "none",
                      "--cap-drop",  "all",
                      "--security-opt", "no-new-privileges",
                      "--read-only", "--network",
                      spec.network ? "host" : "none"};
  append(arguments, {line.podman() ? "--preserve-fds=2" : "--interactive"});
  add_limits(arguments, spec);
  if (spec.image == "host") add_host_view(arguments, spec, options, line);
  add_scratch(arguments, line);
  for (const Mount& mount : spec.mounts) add_mount(arguments, mount);
  add_mount(arguments, {options.runner, std::string(kRunnerInside), true});
  for (const std::string& device : spec.devices) append(arguments, {"--device", device});
  if (line.podman()) append(arguments, {"--read-only-tmpfs=false"});
  append(arguments, {"--entrypoint", std::string(kRunnerInside)});
  if (spec.image == "host") append(arguments, {"--rootfs", "/:O"});
  if (spec.image != "host") append(arguments, {spec.image});
  if (line.podman()) append(arguments, {"3", "4"});
  return arguments;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Prints the limits of the container's control group: version 2, else 1.
constexpr std::string_view kShowLimits =
    "cd /sys/fs/cgroup; cat memory.max memory/memory.limit_in_bytes 2>/dev/null | head -n 1; "
    "cat pids.max pids/pids.max 2>/dev/null | head -n 1; cat memory.events memory/memory.oom_control 2>/dev/null | "
    "grep oom_kill";

}  // namespace

std::vector<std::string> CommandLineEngine::engine() const {
  std::vector<std::string> words{line_.binary};
  if (line_.podman()) append(words, {"--events-backend=none"});
  if (!line_.oci_runtime.empty()) append(words, {"--runtime", line_.oci_runtime, "--cgroup-manager=cgroupfs"});
  return words;
}

asio::awaitable<Result<std::unique_ptr<Container>>> CommandLineEngine::start(const ContainerSpec& spec) {
  const auto checked = check(spec);
  if (!checked) co_return checked.error();
  if (!offers_image(spec.image)) co_return Error{ErrorCode::invalid_argument, name_ + " has no image " + spec.image};
  Launch launch;
  launch.folder = options_.state_dir.string();
  launch.argv = engine();
  const Arguments arguments = run_arguments(spec, options_, line_);
  launch.argv.insert(launch.argv.end(), arguments.begin(), arguments.end());
  launch.environment = tool_environment();
  launch.in = line_.podman() ? 3 : 0;
  launch.out = line_.podman() ? 4 : 1;
  launch.remove = engine();
  append(launch.remove, {"rm", "--force", spec.name});
  launch.mounts = spec.mounts;
  co_return co_await RunningContainer::start(std::move(launch));
}

asio::awaitable<Result<Arguments>> CommandLineEngine::containers_with(Arguments labels) const {
  Arguments list = engine();
  append(list, {"ps", "--all", "--quiet", "--no-trunc"});
  for (const std::string& label : labels) append(list, {"--filter", "label=" + label});
  const auto listed = co_await capture(list, std::chrono::seconds(30), std::size_t{1} << 20);
  if (!listed) co_return listed.error();
  if (listed->code != 0) co_return Error{ErrorCode::unavailable, name_ + ": " + first_line(listed->output)};
  co_return words_of(listed->output);
}

asio::awaitable<Result<int>> CommandLineEngine::sweep() {
  const std::string state = "crosswarp.state=" + options_.state_dir.string();
  const std::string instance = "crosswarp.instance=" + options_.instance;
  Arguments of_state{state};
  Arguments of_ours{state, instance};
  const auto all = co_await containers_with(std::move(of_state));
  if (!all) co_return all.error();
  const auto ours = co_await containers_with(std::move(of_ours));
  if (!ours) co_return ours.error();
  Arguments remove = engine();
  append(remove, {"rm", "--force"});
  int found = 0;
  for (const std::string& id : *all) {
    if (std::find(ours->begin(), ours->end(), id) != ours->end()) continue;
    remove.push_back(id);
    ++found;
  }
  if (found == 0) co_return 0;
  const auto removed = co_await capture(remove, std::chrono::seconds(60));
  if (!removed) co_return removed.error();
  if (removed->code != 0) co_return Error{ErrorCode::unavailable, name_ + ": " + first_line(removed->output)};
  co_return found;
}

asio::awaitable<Result<void>> CommandLineEngine::probe() {
  // Docker's command line answers for itself; only the daemon's version says that there is one.
  Arguments ask = engine();
  if (line_.podman()) append(ask, {"--version"});
  if (!line_.podman()) append(ask, {"version", "--format", "docker version {{.Server.Version}}"});
  const auto version = co_await capture(ask, std::chrono::seconds(20));
  if (!version) co_return version.error();
  const std::vector<std::string> words = words_of(version->output);
  if (version->code != 0 || words.size() < 3) {
    co_return Error{ErrorCode::unavailable, line_.binary + ": " + first_line(version->output)};
  }
  name_ = words[0] + ' ' + words[2] + (line_.oci_runtime.empty() ? "" : " (" + line_.oci_runtime + ')');
  if (!line_.podman()) co_return Result<void>{};

  ContainerSpec trivial;
  trivial.name = "crosswarp-" + options_.instance + "-probe";
  trivial.memory_bytes = kLeastMemory;
  trivial.processes = kFewestProcesses;
  auto container = co_await start(trivial);
  if (!container) co_return container.error();
  std::string shown;
  const Command show{.argv = {"sh", "-c", std::string(kShowLimits)},
                     .env = {{"PATH", "/usr/bin:/bin"}},
                     .time = std::chrono::seconds(20)};
  const auto exit = co_await (*container)->run(show, [&](std::string_view text) { shown += text; });
  co_await (*container)->close();
  if (!exit) co_return exit.error();
  const std::vector<std::string> limits = words_of(shown);
  if (limits.empty() || limits[0] != std::to_string(kLeastMemory)) unenforced_.emplace_back("memory");
  if (limits.size() < 2 || limits[1] != std::to_string(kFewestProcesses + 1)) unenforced_.emplace_back("processes");
  co_return Result<void>{};
}

}  // namespace crosswarp::container
