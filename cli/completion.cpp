// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.hpp"
#include "cli/completion_script.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"

#include <memory>

namespace crosswarp::cli {
namespace {

int complete(const std::string& shell) {
  Action unused;
  const auto root = make_command_line(unused);
  if (shell == "bash") print(bash_completion(*root));
  if (shell == "zsh") print(zsh_completion(*root));
  if (shell == "fish") print(fish_completion(*root));
  return kYes;
}

}  // namespace

void add_completion(CLI::App& root, Action& chosen) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = root.add_subcommand("completion", "print a script that completes commands in a shell");
  command->footer(
      "Examples:\n"
      "  crosswarp completion bash > ~/.local/share/bash-completion/completions/crosswarp\n"
      "  crosswarp completion zsh > \"${fpath[1]}/_crosswarp\"\n"
      "  crosswarp completion fish > ~/.config/fish/completions/crosswarp.fish");
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &chosen] { chosen = [shell] { return complete(*shell); }; });
}

}  // namespace crosswarp::cli
