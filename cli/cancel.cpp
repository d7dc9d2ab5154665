// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/progress.hpp"

#include <memory>

namespace crosswarp::cli {
namespace {

struct CancelOptions {
  Access access;
  std::int64_t run = 0;
  bool json = false;
};

asio::awaitable<int> cancel(Client& client, const CancelOptions& options) {
  const Request request{.method = boost::beast::http::verb::post,
                        .target = "/api/v1/runs/" + std::to_string(options.run) + "/cancel"};
  const auto answer = co_await client.call(request);
  if (!answer) co_return fail(answer.error());
  if (options.json) {
    print_json(*answer);
    co_return kYes;
  }
  const Result<RunProgress> progress = run_progress(*answer);
  if (!progress) co_return fail(progress.error());
  print("run " + std::to_string(options.run) + " is " + progress->state + ", " + std::to_string(progress->done) +
        " of " + std::to_string(progress->total) + " combinations were done\n");
  co_return kYes;
}

}  // namespace

void add_cancel(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<CancelOptions>();
  CLI::App* command = root.add_subcommand("cancel", "end a run: begin nothing more of it, stop what runs");
  command->add_option("run", options->run, "id of the run")->required()->type_name("RUN");
  add_json_flag(*command, options->json);
  add_access_options(*command, options->access);
  command->callback([options, &chosen] {
    chosen = [options] { return talk(options->access, [&](Client& client) { return cancel(client, *options); }); };
  });
}

}  // namespace crosswarp::cli
