// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/exit_code.hpp"
#include "cli/follow.hpp"
#include "cli/matrix_file.hpp"
#include "matrix/spec/spec.hpp"

#include <boost/json.hpp>

#include <cstdio>
#include <memory>

namespace crosswarp::cli {
namespace {

namespace json = boost::json;

constexpr unsigned kUnprocessable = 422;

struct SubmitOptions {
  Access access;
  std::string file;
  std::string label;
  bool verify = false;
  bool wait = false;
  bool json = false;
  ServerUrl server;
};

/// What the server found, told as the local parser tells it.
void tell_all(const json::value& list, Severity severity, const MatrixFile& file) {
  if (!list.is_array()) return;
  for (const json::value& item : list.get_array()) {
    if (!item.is_object()) continue;
    const auto text = [&](std::string_view key) {
      const json::value* value = item.get_object().if_contains(key);
      return value && value->is_string() ? std::string(value->get_string()) : std::string();
    };
    Diagnostic diagnostic{severity, {}, text("field"), text("message")};
    std::sscanf(text("place").c_str(), "%d:%d", &diagnostic.place.line, &diagnostic.place.column);
    tell(diagnostic, file);
  }
}

int refused(const Reply& reply, const MatrixFile& file) {
  boost::system::error_code error;
  const json::value problem = json::parse(reply.body, error);
  const json::value* errors = !error && problem.is_object() ? problem.get_object().if_contains("errors") : nullptr;
  if (reply.status == kUnprocessable && errors) {
    tell_all(*errors, Severity::error, file);
    return kUsage;
  }
  return fail(error_of(reply));
}

std::int64_t number_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_int64() ? value->get_int64() : 0;
}

void tell_submitted(const json::object& answer, const SubmitOptions& options) {
  if (options.json) return print_json(answer);
  print("run " + std::to_string(number_of(answer, "run")) + ": " +
        std::to_string(number_of(answer, "combinations")) + " combinations, " +
        std::to_string(number_of(answer, "jobs")) + " jobs, " + std::to_string(number_of(answer, "unsupported")) +
        " unsupported\n");
  if (const json::value* url = answer.if_contains("url"); url && url->is_string()) {
    print(options.server.text() + std::string(url->get_string()) + '\n');
  }
}

/// Posts the matrix; sets `run`, or answers the exit code.
asio::awaitable<std::optional<int>> post(Client& client, const SubmitOptions& options, const MatrixFile& file,
                                         std::int64_t& run) {
  std::string target = "/api/v1/runs?verify=";
  target += options.verify ? "true" : "false";
  if (!options.label.empty()) target += "&label=" + url_encode(options.label);
  const Request request{.method = boost::beast::http::verb::post,
                        .target = target,
                        .body = file.text,
                        .content_type = "application/yaml",
                        .timeout = std::chrono::minutes(2)};
  const Result<Reply> reply = co_await client.send(request);
  if (!reply) co_return fail(reply.error());
  if (!reply->ok()) co_return refused(*reply, file);
  boost::system::error_code error;
  const json::value answer = json::parse(reply->body, error);
  if (error || !answer.is_object()) co_return fail({ErrorCode::unavailable, "the server answered what is no run"});
  if (const json::value* warnings = answer.get_object().if_contains("warnings")) {
    tell_all(*warnings, Severity::warning, file);
  }
  tell_submitted(answer.get_object(), options);
  run = number_of(answer.get_object(), "run");
  co_return std::nullopt;
}

asio::awaitable<int> submit(Client& client, const SubmitOptions& options, const MatrixFile& file, std::int64_t& run) {
  const std::optional<int> ended = co_await post(client, options, file, run);
  if (ended) co_return *ended;
  if (!options.wait) co_return kYes;
  co_return co_await watch(client, run, options.json);
}

int execute(SubmitOptions& options) {
  const Result<MatrixFile> file = read_matrix_file(options.file);
  if (!file) return fail(file.error());
  // Here first, so that mistakes show without a server; it tells the warnings again, so they are left to it.
  const ParsedSpecs parsed = parse_specs(file->text);
  if (!parsed.ok()) {
    for (const Diagnostic& diagnostic : parsed.diagnostics) tell(diagnostic, *file);
    return kUsage;
  }
  const Result<ServerUrl> server = server_of(options.access, process_environment());
  if (!server) return fail(server.error());
  options.server = *server;
  std::int64_t run = 0;
  const auto interrupted = [&] {
    std::fputs(run > 0 ? ("\n" + goes_on_text(run)).c_str() : "\ninterrupted while submitting\n", stderr);
  };
  return talk(options.access, [&](Client& client) { return submit(client, options, *file, run); }, interrupted);
}

}  // namespace

void add_submit(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<SubmitOptions>();
  CLI::App* command = root.add_subcommand("submit", "have a matrix worked through");
  command->footer(
      "Mistakes are told as FILE:line:column: field: message, and nothing is submitted (exit code 2). With --wait the\n"
      "exit code is 1 if a combination failed, else 3 if one is broken, untested or undecided, else 0. Ctrl-C leaves\n"
      "the run going.\n"
      "Examples:\n"
      "  crosswarp submit matrix.yaml --wait\n"
      "  crosswarp submit matrix.yaml --label nightly --json");
  command->add_option("file", options->file, "the matrix; - is standard input")->required()->type_name("FILE");
  command->add_option("--label", options->label, "a name for the run, for people");
  command->add_flag("--verify", options->verify, "run what a fact forbids all the same, to prove the fact");
  command->add_flag("--wait", options->wait, "show progress until the run is over, then its table");
  add_json_flag(*command, options->json);
  add_access_options(*command, options->access);
  command->callback([options, &chosen] { chosen = [options] { return execute(*options); }; });
}

}  // namespace crosswarp::cli
