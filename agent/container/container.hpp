// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "matrix/base/stopped.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where jobs run. One container serves one or more commands, started inside it by the runner (agent/container/runner),
/// a static program that enforces time, memory and processes of each command, leaves no process behind after it, and
/// ends the container when the agent's pipe to it closes, however the agent died.
namespace crosswarp::container {

namespace asio = boost::asio;

/// A host folder or file seen inside.
struct Mount {
  std::filesystem::path from;  ///< on the host, absolute, must exist
  std::filesystem::path to;    ///< inside, absolute
  bool read_only = true;
};

struct ContainerSpec {
  std::string image = "host";          ///< `host` (copy-on-write view of this machine's root) or an image reference
  std::string name;                    ///< unique on this machine: "crosswarp-<agent>-<attempt>-fetch"; [a-zA-Z0-9_.-]
  std::int64_t attempt = 0;            ///< label, for people and for the sweep
  std::vector<Mount> mounts;           ///< those below one another in any order
  std::vector<std::filesystem::path> hidden;   ///< more paths to hide; folders appear empty, files empty; absent: fine
  std::vector<std::string> devices;    ///< CDI names ("nvidia.com/gpu=0") or device nodes
  bool network = false;                ///< the host's network, or none at all
  std::uint64_t memory_bytes = 0;      ///< of all processes together, no swap; the largest of the commands' limits
  int processes = 256;                 ///< threads count; the largest of the commands' limits
  double cpus = 0;                     ///< 0: no limit
};

/// One unit of a stage. Nothing of the agent's environment is passed.
struct Command {
  std::vector<std::string> argv;  ///< argv[0] is looked up in PATH of `env`
  std::map<std::string, std::string> env;
  std::filesystem::path cwd = "/";  ///< as seen inside
  std::chrono::seconds time{300};   ///< then TERM to all its descendants, and KILL five seconds later
  std::uint64_t memory_bytes = 0;   ///< 0: only the container's own limit
  int processes = 0;                ///< 0: only the container's own limit
};

using crosswarp::Stopped;

std::string_view to_text(Stopped stopped);
std::optional<Stopped> stopped_from_text(std::string_view text);

struct UnitExit {
  int code = 0;    ///< 127: the program could not be started, the reason is in the output
  int signal = 0;  ///< not 0: ended by this signal, and code is 128 + signal
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  Stopped stopped = Stopped::no;
};

/// Takes standard output and error of a command, merged in order, in pieces of at most 64 KiB. Called on the executor
/// of run(); while it works the command's writes wait, so memory stays flat however much is written.
using OutputSink = std::function<void(std::string_view)>;

/// One running container. Not thread-safe: all calls on the executor it was started on. The destructor kills it and
/// waits (blocking, at most some seconds) until the engine has removed it; close() does the same without blocking.
class Container {
 public:
  virtual ~Container() = default;

  /// Runs one command to its end; one at a time. When this returns no process of the command is alive.
  /// After kill() from another coroutine it answers `stopped == cancelled`.
  /// Errors: unavailable when the container ended by itself or stopped answering (the job is broken, not failed);
  /// invalid_argument for an empty argv. If this coroutine is cancelled the container is killed.
  virtual asio::awaitable<Result<UnitExit>> run(const Command& command, OutputSink output) = 0;

  /// Ends everything in it at once; does not wait. Harmless when it has ended.
  virtual void kill() = 0;

  /// kill(), then waits until the engine has removed the container, so that its mounts are free. A container that the
  /// engine does not let go within half a minute is removed by force.
  virtual asio::awaitable<void> close() = 0;

  /// The path inside at which `host` (a mount's `from` or something below one) is seen; without a sandbox `host`
  /// itself. Paths under no mount are returned as they are.
  virtual std::filesystem::path inside(const std::filesystem::path& host) const = 0;
};

/// One way of running containers.
class ContainerRuntime {
 public:
  virtual ~ContainerRuntime() = default;

  /// Starts a container; ready for commands when it answers.
  /// Errors: unavailable with the engine's own words (the job is broken); invalid_argument for a spec that this
  /// runtime cannot serve (an image reference without an engine, a relative path).
  virtual asio::awaitable<Result<std::unique_ptr<Container>>> start(const ContainerSpec& spec) = 0;

  /// Removes containers that an earlier agent of the same state folder left; how many. Call once, before start().
  virtual asio::awaitable<Result<int>> sweep() = 0;

  /// "podman 4.3.1 (runc)", "process".
  virtual std::string name() const = 0;

  /// False where jobs are mere processes of this user: said in the log and in the result.
  virtual bool sandboxed() const = 0;

  /// What of a spec is not enforced here, in words: {"network", "files"}. Empty where all is.
  virtual std::vector<std::string> unenforced() const = 0;

  /// Whether images can be had: `host`, and references to a registry.
  virtual bool offers_image(std::string_view image) const = 0;
};

struct RuntimeOptions {
  std::string engine = "auto";      ///< auto, podman, docker or process
  std::filesystem::path runner;     ///< the program crosswarp-runner
  std::filesystem::path state_dir;  ///< of the agent: hidden inside, marks its containers
  std::string instance;             ///< of this agent process, unique among those of one state folder
};

struct SelectedRuntime {
  std::unique_ptr<ContainerRuntime> runtime;
  std::vector<std::string> notes;  ///< why others were not taken: "podman with crun: ...: Operation not permitted"
};

/// Takes the first engine that really runs a trivial container: podman with its default OCI runtime, with runc, with
/// crun, docker, then no engine at all (`process`). Takes a second or two.
/// Errors: unavailable when the engine asked for by name does not work (with its own words); invalid_argument for an
/// unknown one; not_found when the runner is missing.
asio::awaitable<Result<SelectedRuntime>> select_runtime(RuntimeOptions options);

/// crosswarp-runner beside the running program; empty when it is not there.
std::filesystem::path runner_beside_program();

}  // namespace crosswarp::container
