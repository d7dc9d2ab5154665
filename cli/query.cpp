// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/filter.hpp"
#include "cli/pages.hpp"
#include "cli/status_mark.hpp"
#include "cli/table.hpp"

#include <boost/json/object.hpp>

#include <unistd.h>

#include <memory>

namespace crosswarp::cli {
namespace {

struct QueryOptions {
  Access access;
  std::vector<std::string> words;
  std::int64_t limit = 0;  ///< 0: all
  bool table = false;
  bool json = false;
};

/// One verdict on one line: mark, status, rung, combination, reason.
std::string verdict_line(const VerdictRow& row, const Terminal& terminal) {
  const StatusMark* mark = find_status_mark(row.status);
  std::string rest = ' ' + padded(row.status, 11) + ' ' + padded(row.rung, 8) + ' ' + row.library;
  for (const auto& [axis, value] : row.combination) rest += ' ' + axis + '=' + value;
  if (!row.reason.empty()) rest += ": " + row.reason;
  if (terminal.interactive) rest = shortened(rest, terminal.width - 1);
  return painted(terminal, mark ? mark->color : Color::none, mark ? sign_of(*mark, terminal) : " ") + rest + '\n';
}

/// Prints verdicts as they come, or keeps them for the table.
class Answer {
 public:
  explicit Answer(const QueryOptions& options) : options_(options), terminal_(terminal_of(STDOUT_FILENO)) {}

  bool take(const boost::json::value& verdict) {
    ++count_;
    if (options_.json) {
      print_json(verdict);
    } else {
      Result<VerdictRow> row = verdict_row(verdict);
      if (!row) {
        failure_ = row.error();
        return false;
      }
      if (options_.table) rows_.push_back(std::move(*row));
      else print(verdict_line(*row, terminal_));
    }
    return options_.limit == 0 || count_ < options_.limit;
  }

  int end() {
    if (!failure_) return fail(failure_.error());
    if (options_.table) {
      const std::string reasons = render_reasons(rows_, terminal_);
      print(render_table(rows_, terminal_) + (reasons.empty() ? "" : "\n" + reasons));
    }
    return kYes;
  }

 private:
  const QueryOptions& options_;
  Terminal terminal_;
  std::vector<VerdictRow> rows_;
  std::int64_t count_ = 0;
  Result<void> failure_;
};

asio::awaitable<int> query(Client& client, const QueryOptions& options, const Filter& filter) {
  const std::int64_t page = options.limit > 0 ? std::min(options.limit, kPageSize) : kPageSize;
  Answer answer(options);
  const std::function<std::string(std::int64_t)> target = [&](std::int64_t cursor) {
    return verdicts_target(filter, page, cursor);
  };
  const std::function<bool(const boost::json::value&)> take = [&](const boost::json::value& verdict) {
    return answer.take(verdict);
  };
  const std::string key = "verdicts";
  const Result<void> read = co_await each_item(client, target, key, take);
  co_return read ? answer.end() : fail(read.error());
}

int execute(const QueryOptions& options) {
  const Result<Filter> filter = parse_filter(options.words);
  if (!filter) return fail(filter.error());
  return talk(options.access, [&](Client& client) { return query(client, options, *filter); });
}

}  // namespace

void add_query(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command = root.add_subcommand("query", "ask the table what is known of which combinations");
  command->footer(
      "A filter is a library, NAME=VALUE or NAME followed by PEP 440 specifiers (quote them for the shell). NAME is\n"
      "an axis, or version, status, rung, evidence. The same NAME again: either value will do. No answer is an\n"
      "answer: the exit code is 0. --json gives the keys library, version, combination, id, status, rung, proved,\n"
      "evidence, reason, code, remedy, source, since, checked, run, job, attempt, control.\n"
      "Examples:\n"
      "  crosswarp query triton\n"
      "  crosswarp query triton 'triton>=3.3' arch=sm_120 status=passed\n"
      "  crosswarp query triton 'triton>=3.3,<4' 'arch>=sm_90' --table\n"
      "  crosswarp query status=failed status=broken --json | jq -r .reason");
  command->add_option("filter", options->words, "what to ask for; nothing: everything")->type_name("FILTER");
  command->add_option("--limit", options->limit, "at most so many")->check(CLI::PositiveNumber);
  CLI::Option* table = command->add_flag("--table", options->table, "one matrix a library, then the reasons");
  add_json_flag(*command, options->json);
  command->get_option("--json")->excludes(table);
  add_access_options(*command, options->access);
  command->callback([options, &chosen] { chosen = [options] { return execute(*options); }; });
}

}  // namespace crosswarp::cli
