// SPDX-License-Identifier: Apache-2.0
#include "cli/follow.hpp"

#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/pages.hpp"
#include "cli/table.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <unistd.h>

#include <cstdio>
#include <optional>

namespace crosswarp::cli {

using namespace std::chrono_literals;

namespace {

/// How long the server has been away.
class Absence {
 public:
  explicit Absence(const Clock& clock) : clock_(clock) {}

  void answered() { since_.reset(); }
  std::chrono::seconds silent() {
    if (!since_) since_ = clock_.now();
    return std::chrono::duration_cast<std::chrono::seconds>(clock_.now() - *since_);
  }

 private:
  const Clock& clock_;
  std::optional<std::chrono::steady_clock::time_point> since_;
};

asio::awaitable<void> pause(std::chrono::milliseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace

asio::awaitable<Result<boost::json::value>> fetch_run(Client& client, std::int64_t run) {
  const Request request{.target = "/api/v1/runs/" + std::to_string(run), .timeout = 10s};
  co_return co_await client.call(request);
}

asio::awaitable<Result<std::vector<VerdictRow>>> fetch_rows(Client& client, std::int64_t run) {
  std::vector<VerdictRow> rows;
  Result<void> fine;
  const std::function<bool(const boost::json::value&)> keep = [&](const boost::json::value& item) {
    Result<VerdictRow> row = verdict_row(item);
    if (row) rows.push_back(std::move(*row));
    else fine = row.error();
    return row.has_value();
  };
  const Result<void> read = co_await each_combination(client, run, keep);
  if (!read) co_return read.error();
  if (!fine) co_return fine.error();
  co_return rows;
}

asio::awaitable<Result<boost::json::value>> follow_run(Client& client, std::int64_t run, ProgressView& view,
                                                       const Clock& clock) {
  Absence absence(clock);
  for (;; co_await pause(1s)) {
    Result<boost::json::value> answer = co_await fetch_run(client, run);
    const Result<RunProgress> progress = answer ? run_progress(*answer) : Result<RunProgress>(answer.error());
    if (progress) {
      absence.answered();
      view.show(*progress);
      if (progress->over()) co_return answer;
    } else if (progress.error().code != ErrorCode::unavailable || absence.silent() > kPatience) {
      co_return progress.error();
    } else {
      view.show_away(progress.error().message, absence.silent());
    }
  }
}

std::string goes_on_text(std::int64_t run) {
  const std::string id = std::to_string(run);
  return "run " + id + " goes on; watch it: crosswarp run " + id + " --follow; stop it: crosswarp cancel " + id + '\n';
}

asio::awaitable<int> watch(Client& client, std::int64_t run, bool json) {
  const SystemClock clock;
  ProgressView view(terminal_of(STDERR_FILENO), clock, [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
  });
  const Result<boost::json::value> answer = co_await follow_run(client, run, view, clock);
  if (!answer) co_return fail(answer.error());
  view.clear();
  if (json) {
    print_json(*answer);
  } else if (const Result<void> printed = co_await print_table(client, run); !printed) {
    co_return fail(printed.error());
  }
  co_return exit_code_of_run(run_progress(*answer).value());
}

asio::awaitable<Result<void>> print_table(Client& client, std::int64_t run) {
  const Result<std::vector<VerdictRow>> rows = co_await fetch_rows(client, run);
  if (!rows) co_return rows.error();
  const Terminal terminal = terminal_of(STDOUT_FILENO);
  const std::string reasons = render_reasons(*rows, terminal);
  print(render_table(*rows, terminal) + (reasons.empty() ? "" : "\n" + reasons));
  co_return Result<void>{};
}

int exit_code_of_run(const RunProgress& progress) {
  if (progress.count("failed") > 0) return kNo;
  for (const std::string_view undecided : {"broken", "untested", "skipped", "pending"}) {
    if (progress.count(undecided) > 0) return kUnknown;
  }
  return kYes;
}

}  // namespace crosswarp::cli
