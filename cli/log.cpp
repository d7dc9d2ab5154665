// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/event_stream.hpp"
#include "cli/exit_code.hpp"
#include "cli/follow.hpp"
#include "cli/terminal.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include <unistd.h>

#include <memory>

namespace crosswarp::cli {
namespace {

struct LogOptions {
  Access access;
  std::int64_t job = 0;
  std::int64_t attempt = 0;  ///< 0: the newest
  bool follow = false;
  bool json = false;
};

/// A log is whatever a job wrote: on a terminal its control sequences must not reach the reader.
class LogWriter {
 public:
  explicit LogWriter(bool json) : json_(json), screened_(terminal_of(STDOUT_FILENO).interactive) {}

  void write(std::string_view text) const {
    if (json_) return print_json({{"text", text}});
    print(screened_ ? without_controls(text) : std::string(text));
  }

 private:
  bool json_;
  bool screened_;
};

std::string log_target(const LogOptions& options, std::string_view rest) {
  std::string target = "/api/v1/jobs/" + std::to_string(options.job) + "/log" + std::string(rest);
  if (options.attempt > 0) target += "?attempt=" + std::to_string(options.attempt);
  return target;
}

asio::awaitable<int> show_log(Client& client, const LogOptions& options) {
  const LogWriter writer(options.json);
  const Request request{.target = log_target(options, ""), .accept = "text/plain"};
  const std::function<bool(std::string_view)> take = [&](std::string_view piece) {
    writer.write(piece);
    return true;
  };
  const Result<void> read = co_await client.stream(request, take);
  co_return read ? static_cast<int>(kYes) : fail(read.error());
}

void write_event(const LogWriter& writer, const EventStream::Event& event) {
  boost::system::error_code error;
  const boost::json::value data = boost::json::parse(event.data, error);
  const auto* text = !error && data.is_object() ? data.get_object().if_contains("text") : nullptr;
  if (text && text->is_string()) writer.write(text->get_string());
}

/// Until the attempt is over; goes on where it was when the connection breaks.
asio::awaitable<int> follow_log(Client& client, const LogOptions& options) {
  const LogWriter writer(options.json);
  const SystemClock clock;
  bool ended = false;
  EventStream events([&](const EventStream::Event& event) {
    if (event.name == "end") ended = true;
    else write_event(writer, event);
  });
  auto heard = clock.now();
  const std::function<bool(std::string_view)> take = [&](std::string_view piece) {
    events.feed(piece);
    heard = clock.now();
    return !ended;
  };
  while (!ended) {
    const Request request{.target = log_target(options, "/events"),
                          .accept = "text/event-stream",
                          .last_event_id = events.last_id(),
                          .timeout = std::chrono::minutes(1)};
    const Result<void> read = co_await client.stream(request, take);
    if (!read && (read.error().code != ErrorCode::unavailable || clock.now() - heard > kPatience)) {
      co_return fail(read.error());
    }
    events.restart();
    if (ended) break;
    asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::seconds(1));
    co_await timer.async_wait(asio::use_awaitable);
  }
  co_return kYes;
}

}  // namespace

void add_log(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<LogOptions>();
  CLI::App* command = root.add_subcommand("log", "print what a job wrote");
  command->footer(
      "Examples:\n"
      "  crosswarp log 907                 the newest attempt of job 907\n"
      "  crosswarp log 907 --follow        as it is written, until the attempt is over");
  command->add_option("job", options->job, "id of the job (`job` in `query --json`)")
      ->required()
      ->type_name("JOB")
      ->check(CLI::PositiveNumber);
  command->add_option("--attempt", options->attempt, "id of one attempt")->check(CLI::PositiveNumber);
  command->add_flag("--follow,-f", options->follow, "go on until the attempt is over");
  add_json_flag(*command, options->json);
  add_access_options(*command, options->access);
  command->callback([options, &chosen] {
    chosen = [options] {
      return talk(options->access, [&](Client& client) {
        return options->follow ? follow_log(client, *options) : show_log(client, *options);
      });
    };
  });
}

}  // namespace crosswarp::cli
