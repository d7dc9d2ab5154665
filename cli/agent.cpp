// SPDX-License-Identifier: Apache-2.0
#include "agent/probe/probe.hpp"
#include "agent/worker/worker.hpp"
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/folder_lock.hpp"
#include "cli/tools.hpp"
#include "cli/version.hpp"
#include "matrix/base/log.hpp"
#include "matrix/spec/scalar.hpp"

#include <boost/asio/signal_set.hpp>

#include <sys/sysinfo.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <memory>

namespace crosswarp::cli {
namespace {

namespace fs = std::filesystem;

struct AgentOptions {
  Access access;
  std::string name;
  int slots = 0;       ///< 0: one for each core
  std::string memory;  ///< empty: three quarters of what is available
  fs::path state;
  std::string engine = "auto";
  ToolPaths tools;
};

/// What an agent is before it looks around.
struct Agent {
  worker::WorkerOptions options;
  fs::path state;
  ToolPaths tools;
  std::string engine;
};

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name[0] ? name : "agent";
}

/// MemAvailable of /proc/meminfo (proc(5)), in bytes.
std::uint64_t available_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kib) == 1) return std::uint64_t{kib} << 10;
  }
  return 0;
}

Result<std::uint64_t> memory_of(const AgentOptions& options) {
  if (options.memory.empty()) return available_memory() / 4 * 3;
  const Result<std::uint64_t> memory = spec::parse_size(options.memory);
  if (!memory) return in_context("--memory", memory.error());
  return *memory;
}

Result<Agent> configured(const AgentOptions& options) {
  const Environment environment = process_environment();
  const Result<ServerUrl> server = server_of(options.access, environment);
  if (!server) return server.error();
  const Result<std::string> token = token_of(options.access, environment);
  if (!token) return token.error();
  const Result<std::uint64_t> memory = memory_of(options);
  if (!memory) return memory.error();
  const Result<ToolPaths> tools = find_tools(options.tools, environment);
  if (!tools) return tools.error();
  Agent agent;
  agent.options.server = *server;
  agent.options.token = *token;
  agent.options.version = kVersion;
  agent.options.memory_bytes = *memory;
  agent.options.slots = options.slots > 0 ? options.slots : ::get_nprocs();
  agent.state = fs::absolute(options.state.empty() ? state_dir(environment) / "agent" : options.state);
  agent.tools = *tools;
  agent.engine = options.engine;
  return agent;
}

/// What cannot be enforced is said once, at the start.
void tell_runtime(const container::SelectedRuntime& selected) {
  for (const std::string& note : selected.notes) log_event(LogLevel::warning, "engine.refused", {{"reason", note}});
  std::string unenforced;
  for (const std::string& what : selected.runtime->unenforced()) unenforced += (unenforced.empty() ? "" : ", ") + what;
  log_event(unenforced.empty() && selected.runtime->sandboxed() ? LogLevel::info : LogLevel::warning, "engine.chosen",
            {{"engine", selected.runtime->name()},
             {"sandboxed", selected.runtime->sandboxed() ? "yes" : "no"},
             {"unenforced", unenforced.empty() ? "nothing" : unenforced}});
}

worker::Host host_of(const std::string& name, const probe::Probe& probe, const fs::path& tools) {
  worker::Host host;
  host.name = name;
  host.interpreters = probe.interpreters;
  host.toolkits = probe.toolkits;
  host.tools = tools;
  host.fetch_environment = fetch_variables(process_environment());
  host.facts = probe.facts;
  return host;
}

/// The first signal lets jobs be dropped and told so; the second one does not wait for that.
void stop_at_signals(asio::signal_set& signals, worker::Worker& worker) {
  signals.async_wait([&signals, &worker](const boost::system::error_code& error, int signal) {
    if (error) return;
    log_event(LogLevel::info, "agent.stopping", {{"signal", signal}});
    worker.stop();
    signals.clear();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  });
}

asio::awaitable<Result<container::SelectedRuntime>> choose_runtime(const Agent& agent) {
  container::RuntimeOptions options;
  options.engine = agent.engine;
  options.runner = container::runner_beside_program();
  options.state_dir = agent.state;
  options.instance = std::to_string(::getpid());
  Result<container::SelectedRuntime> selected = co_await container::select_runtime(std::move(options));
  if (!selected) co_return selected.error();
  tell_runtime(*selected);
  const Result<int> swept = co_await selected->runtime->sweep();
  if (!swept) co_return in_context("sweeping containers", swept.error());
  if (*swept > 0) log_event(LogLevel::info, "agent.swept", {{"containers", *swept}});
  co_return selected;
}

asio::awaitable<int> work(asio::any_io_executor executor, Agent& agent, const std::string& name) {
  const Result<fs::path> tools = lay_out_tools(agent.state, agent.tools);
  if (!tools) co_return fail(tools.error());
  Result<container::SelectedRuntime> selected = co_await choose_runtime(agent);
  if (!selected) co_return fail(selected.error());
  probe::ProbeOptions look;
  look.disk = agent.state;
  look.engine = selected->runtime->name();
  look.sandboxed = selected->runtime->sandboxed();
  const probe::Probe probe = co_await probe::probe_host(look);
  agent.options.offers = probe.offers;
  agent.options.facts = probe.facts;
  worker::Store store(agent.state);
  store.sweep();
  const worker::Host host = host_of(name, probe, *tools);
  worker::Worker worker(executor, agent.options, host, store, *selected->runtime);
  asio::signal_set signals(executor, SIGINT, SIGTERM);
  stop_at_signals(signals, worker);
  const Result<void> ended = co_await worker.run();
  if (!ended) co_return fail(ended.error());
  log_event(LogLevel::info, "agent.stopped");
  co_return kYes;
}

int execute(const AgentOptions& options) {
  Result<Agent> agent = configured(options);
  if (!agent) return fail(agent.error());
  const Result<FolderLock> lock = FolderLock::take(agent->state);
  if (!lock) return fail(lock.error());
  const std::string name = options.name.empty() ? host_name() : options.name;
  return run_to_end([&](asio::any_io_executor executor) { return work(executor, *agent, name); });
}

}  // namespace

void add_agent(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<AgentOptions>();
  CLI::App* command = root.add_subcommand("agent", "take jobs from a server and do them on this machine");
  command->footer(
      "Jobs run in containers where there is an engine; what cannot be enforced here is told at the start. SIGINT or\n"
      "SIGTERM ends it: what runs is dropped and done elsewhere or later. Stages that fetch get UV_*, PIP_*, *_PROXY,\n"
      "SSL_CERT_FILE, SSL_CERT_DIR and REQUESTS_CA_BUNDLE of this environment, and nothing else of it.");
  command->add_option("--name", options->name, "how it is called (else the name of this host)");
  command->add_option("--slots", options->slots, "jobs at a time (else one for each core)")->check(CLI::Range(1, 1024));
  command->add_option("--memory", options->memory, "what jobs may use together (else 75 % of what is available)")
      ->type_name("SIZE");
  command->add_option("--state-dir", options->state, "where it keeps environments and caches")->type_name("DIR");
  command->add_option("--engine", options->engine, "what runs containers")
      ->check(CLI::IsMember({"auto", "podman", "docker", "process"}))
      ->capture_default_str();
  command->add_option("--uv", options->tools.uv, "the program uv (else the one in PATH)")->type_name("FILE");
  command
      ->add_option("--gpu-smoke", options->tools.gpu_smoke, "the program gpu-smoke (else the one beside this program)")
      ->type_name("FILE");
  add_access_options(*command, options->access);
  command->callback([options, &chosen] { chosen = [options] { return execute(*options); }; });
}

}  // namespace crosswarp::cli
