// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace crosswarp::cli {

/// What the command line asked for; answers the exit code.
using Action = std::function<int()>;

/// Each adds its command to `root`; the one that the command line names sets `chosen`.
void add_serve(CLI::App& root, Action& chosen);
void add_migrate(CLI::App& root, Action& chosen);
void add_agent(CLI::App& root, Action& chosen);
void add_token(CLI::App& root, Action& chosen);
void add_expand(CLI::App& root, Action& chosen);
void add_submit(CLI::App& root, Action& chosen);
void add_run(CLI::App& root, Action& chosen);
void add_query(CLI::App& root, Action& chosen);
void add_log(CLI::App& root, Action& chosen);
void add_cancel(CLI::App& root, Action& chosen);
void add_completion(CLI::App& root, Action& chosen);

/// Adds --json.
inline void add_json_flag(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "answer for scripts: one JSON object a line");
}

}  // namespace crosswarp::cli
