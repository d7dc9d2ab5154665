// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.hpp"

#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/version.hpp"

#include <optional>
#include <string>

namespace crosswarp::cli {
namespace {

constexpr const char* kFooter =
    "The server is --server, else $CROSSWARP_URL, else http://127.0.0.1:8080.\n"
    "Exit codes: 0 yes or done, 1 no, 2 wrong usage or input, 3 could not tell.\n"
    "`crosswarp COMMAND --help` says more, with examples.";

/// The first word where it is no command: the parser would only say that a command is missing.
std::optional<std::string> unknown_command(const CLI::App& root, int count, const char* const* words) {
  const std::string word = count > 1 ? words[1] : "";
  if (word.empty() || word.front() == '-') return std::nullopt;
  std::string known;
  for (const CLI::App* command : root.get_subcommands({})) {
    if (command->get_name() == word) return std::nullopt;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  return "unknown command \"" + word + "\"; known: " + known;
}

}  // namespace

std::unique_ptr<CLI::App> make_command_line(Action& chosen) {
  auto root = std::make_unique<CLI::App>(
      "Finds out, with evidence, which combinations of driver, CUDA, framework and GPU architecture a kernel library "
      "works on.",
      "crosswarp");
  root->footer(kFooter);
  root->set_version_flag("--version", std::string("crosswarp ") + kVersion);
  root->require_subcommand(1);
  for (const auto add : {add_serve, add_migrate, add_agent, add_token, add_expand, add_submit, add_run, add_query,
                         add_log, add_cancel, add_completion}) {
    add(*root, chosen);
  }
  return root;
}

int run_command_line(int count, const char* const* words) {
  Action chosen;
  const auto root = make_command_line(chosen);
  if (const auto unknown = unknown_command(*root, count, words)) return fail({ErrorCode::invalid_argument, *unknown});
  try {
    root->parse(count, words);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_text = root->exit(error) == 0;
    return asked_for_text ? kYes : kUsage;
  }
  return chosen();
}

}  // namespace crosswarp::cli
