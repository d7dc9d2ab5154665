// SPDX-License-Identifier: Apache-2.0
#include "agent/container/command_line_engine.hpp"
#include "agent/container/container.hpp"
#include "agent/container/process.hpp"

#include <array>

namespace crosswarp::container {
namespace {

constexpr std::array<std::string_view, 5> kStoppedTexts{"no", "time_limit", "memory_limit", "process_limit",
                                                        "cancelled"};

/// An engine and the OCI runtimes to try with it, in this order.
std::vector<CommandLine> candidates(std::string_view engine) {
  std::vector<CommandLine> found;
  if (engine == "auto" || engine == "podman") found = {{"podman", ""}, {"podman", "runc"}, {"podman", "crun"}};
  if (engine == "auto" || engine == "docker") found.push_back({"docker", ""});
  return found;
}

std::string described(const CommandLine& line) {
  return line.oci_runtime.empty() ? line.binary : line.binary + " with " + line.oci_runtime;
}

}  // namespace

std::string_view to_text(Stopped stopped) { return kStoppedTexts[static_cast<std::size_t>(stopped)]; }

std::optional<Stopped> stopped_from_text(std::string_view text) {
  for (std::size_t at = 0; at < kStoppedTexts.size(); ++at) {
    if (kStoppedTexts[at] == text) return static_cast<Stopped>(at);
  }
  return std::nullopt;
}

asio::awaitable<Result<SelectedRuntime>> select_runtime(RuntimeOptions options) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(options.runner, failure)) {
    co_return Error{ErrorCode::not_found, "runner \"" + options.runner.string() + "\": no such program"};
  }
  const std::string engine = options.engine;
  if (engine != "auto" && engine != "podman" && engine != "docker" && engine != "process") {
    co_return Error{ErrorCode::invalid_argument,
                    "engine \"" + engine + "\": expected auto, podman, docker or process"};
  }
  SelectedRuntime selected;
  for (const CommandLine& line : candidates(engine)) {
    auto runtime = std::make_unique<CommandLineEngine>(line, options);
    const auto works = co_await runtime->probe();
    if (works) {
      selected.runtime = std::move(runtime);
      co_return selected;
    }
    selected.notes.push_back(described(line) + ": " + works.error().message);
  }
  if (engine == "auto" || engine == "process") {
    selected.runtime = std::make_unique<ProcessRuntime>(std::move(options));
    co_return selected;
  }
  std::string reasons;
  for (const std::string& note : selected.notes) reasons += (reasons.empty() ? "" : "; ") + note;
  co_return Error{ErrorCode::unavailable, reasons};
}

std::filesystem::path runner_beside_program() {
  std::error_code failure;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", failure);
  const auto runner = self.parent_path() / "crosswarp-runner";
  return !failure && std::filesystem::exists(runner, failure) ? runner : std::filesystem::path();
}

}  // namespace crosswarp::container
