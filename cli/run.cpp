// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/follow.hpp"
#include "cli/pages.hpp"

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace crosswarp::cli {
namespace {

struct RunOptions {
  Access access;
  std::int64_t run = 0;  ///< 0: list the newest
  bool follow = false;
  bool table = false;
  bool json = false;
  int limit = 20;
};

asio::awaitable<int> list_runs(Client& client, const RunOptions& options) {
  const Request request{.target = "/api/v1/runs?limit=" + std::to_string(options.limit)};
  const auto answer = co_await client.call(request);
  if (!answer) co_return fail(answer.error());
  const auto* runs = answer->is_object() ? answer->get_object().if_contains("runs") : nullptr;
  if (!runs || !runs->is_array()) co_return fail({ErrorCode::unavailable, "the server answered no list of runs"});
  for (const boost::json::value& run : runs->get_array()) {
    if (options.json) {
      print_json(run);
      continue;
    }
    const Result<RunProgress> progress = run_progress(run);
    if (!progress) co_return fail(progress.error());
    print(progress_line(*progress) + " (" + progress->state + ")\n");
  }
  co_return kYes;
}

asio::awaitable<int> show_table(Client& client, const RunOptions& options) {
  const std::function<bool(const boost::json::value&)> print_one = [](const boost::json::value& item) {
    print_json(item);
    return true;
  };
  // Not a conditional expression: GCC 12 would await both sides.
  Result<void> shown;
  if (options.json) {
    shown = co_await each_combination(client, options.run, print_one);
  } else {
    shown = co_await print_table(client, options.run);
  }
  co_return shown ? static_cast<int>(kYes) : fail(shown.error());
}

asio::awaitable<int> show_run(Client& client, const RunOptions& options) {
  const auto answer = co_await fetch_run(client, options.run);
  if (!answer) co_return fail(answer.error());
  if (options.json) {
    print_json(*answer);
    co_return kYes;
  }
  const Result<RunProgress> progress = run_progress(*answer);
  if (!progress) co_return fail(progress.error());
  for (const std::string& line : progress_lines(*progress, terminal_of(STDOUT_FILENO))) print(line + '\n');
  print("  " + progress->state + "\n");
  co_return kYes;
}

asio::awaitable<int> answer_of(Client& client, const RunOptions& options) {
  if (options.run == 0) return list_runs(client, options);
  if (options.follow) return watch(client, options.run, options.json);
  return options.table ? show_table(client, options) : show_run(client, options);
}

int execute(const RunOptions& options) {
  std::function<void()> interrupted;
  if (options.follow) {
    interrupted = [&] { std::fputs(("\n" + goes_on_text(options.run)).c_str(), stderr); };
  }
  return talk(options.access, [&](Client& client) { return answer_of(client, options); }, interrupted);
}

}  // namespace

void add_run(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = root.add_subcommand("run", "show a run and how far it has come; without an id, the newest runs");
  command->footer(
      "With --follow the exit code is that of `submit --wait`: 1 if a combination failed, else 3 if one is broken,\n"
      "untested or undecided, else 0.\n"
      "Examples:\n"
      "  crosswarp run 3 --follow          watch it until it is over, then print its table\n"
      "  crosswarp run 3 --table           its table as it is now, with the reason of what is not passed\n"
      "  crosswarp run 3 --table --json    its combinations, one object a line");
  CLI::Option* run = command->add_option("run", options->run, "id of the run")->type_name("RUN");
  run->check(CLI::PositiveNumber);
  command->add_flag("--follow,-f", options->follow, "watch until it is over")->needs(run);
  command->add_flag("--table", options->table, "its compatibility table")->needs(run);
  command->add_option("--limit", options->limit, "how many runs to list")->check(CLI::Range(1, 1000));
  add_json_flag(*command, options->json);
  add_access_options(*command, options->access);
  command->callback([options, &chosen] { chosen = [options] { return execute(*options); }; });
}

}  // namespace crosswarp::cli
