// SPDX-License-Identifier: Apache-2.0
#include "cli/completion_script.hpp"

namespace crosswarp::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// "--json -j": every spelling of the options of `app`.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Words that may follow the commands typed so far: sub-commands, options, and for the shells their names.
std::string words_after(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : commands_of(app)) words.push_back(command->get_name());
  for (std::string& name : option_names(app)) words.push_back(std::move(name));
  if (app.get_name() == "completion") words.insert(words.end(), {"bash", "zsh", "fish"});
  return joined(words);
}

/// `text` within single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Calls `take` with the path of each command below `app` ("token create") and the command.
template <class Take>
void each_command(const CLI::App& app, const std::string& path, const Take& take) {
  for (const CLI::App* command : commands_of(app)) {
    const std::string name = path.empty() ? command->get_name() : path + ' ' + command->get_name();
    take(name, *command);
    each_command(*command, name, take);
  }
}

/// The lines `case` needs to turn commands typed so far into words; bash and zsh read the same.
std::string cases_of(const CLI::App& root) {
  std::string cases;
  each_command(root, "", [&](const std::string& path, const CLI::App& command) {
    cases += "    " + quoted(path) + ") words=" + quoted(words_after(command)) + " ;;\n";
  });
  return cases + "    *) words=" + quoted(words_after(root)) + " ;;\n";
}

/// Names of the commands, as a pattern of `case`.
std::string command_pattern(const CLI::App& root) {
  std::string pattern;
  each_command(root, "", [&](const std::string&, const CLI::App& command) {
    pattern += (pattern.empty() ? "" : "|") + command.get_name();
  });
  return pattern;
}

}  // namespace

std::string bash_completion(const CLI::App& root) {
  return "# crosswarp completion bash\n"
         "_crosswarp() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} path= words= word\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case $word in\n"
         "    " + command_pattern(root) + ") path=${path:+$path }$word ;;\n"
         "    esac\n"
         "  done\n"
         "  case $path in\n" + cases_of(root) +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o bashdefault -o default -F _crosswarp crosswarp\n";
}

std::string zsh_completion(const CLI::App& root) {
  return "#compdef crosswarp\n"
         "_crosswarp() {\n"
         "  local typed= words_line word\n"
         "  for word in \"${words[@]:1:$((CURRENT-2))}\"; do\n"
         "    case $word in\n"
         "    " + command_pattern(root) + ") typed=${typed:+$typed }$word ;;\n"
         "    esac\n"
         "  done\n"
         "  _crosswarp_words \"$typed\"\n"
         "  compadd -- ${=words_line}\n"
         "  _files\n"
         "}\n"
         "_crosswarp_words() {\n"
         "  local words\n"
         "  case $1 in\n" + cases_of(root) +
         "  esac\n"
         "  words_line=$words\n"
         "}\n"
         "# Loaded from fpath, this file is the function's body at its first call; sourced, it only defines it.\n"
         "if [ \"$funcstack[1]\" = _crosswarp ]; then _crosswarp \"$@\"; else compdef _crosswarp crosswarp; fi\n";
}

std::string fish_completion(const CLI::App& root) {
  std::string script = "# crosswarp completion fish\n";
  for (const CLI::App* command : commands_of(root)) {
    script += "complete -c crosswarp -f -n __fish_use_subcommand -a " + command->get_name() + " -d " +
              quoted(command->get_description()) + '\n';
  }
  each_command(root, "", [&](const std::string& path, const CLI::App& command) {
    const std::string first = path.substr(0, path.find(' '));
    if (path != first) {
      script += "complete -c crosswarp -n '__fish_seen_subcommand_from " + first + "' -a " + command.get_name() +
                " -d " + quoted(command.get_description()) + '\n';
    }
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script += "complete -c crosswarp -n '__fish_seen_subcommand_from " + command.get_name() + "' -l " + name +
                  (option->get_items_expected_max() > 0 ? " -r" : "") + " -d " + quoted(option->get_description()) +
                  '\n';
      }
    }
  });
  return script + "complete -c crosswarp -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
}

}  // namespace crosswarp::cli
