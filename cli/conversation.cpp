// SPDX-License-Identifier: Apache-2.0
#include "cli/conversation.hpp"

#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/json/serialize.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>

namespace crosswarp::cli {
namespace {

int exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::too_large:
      return kUsage;
    case ErrorCode::not_found:
      return kNo;
    default:
      return kUnknown;
  }
}

std::string_view hint_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::unauthorized:
      return "give a token by --token-file or $CROSSWARP_TOKEN; `crosswarp token create`, on the server, makes one";
    case ErrorCode::forbidden:
      return "the token has another role; `crosswarp token create --role ...`, on the server, makes one";
    default:
      return "";
  }
}

}  // namespace

int fail(const Error& error) {
  std::fprintf(stderr, "crosswarp: %s\n", one_line(error.message).c_str());
  if (const std::string_view hint = hint_of(error.code); !hint.empty()) {
    std::fprintf(stderr, "crosswarp: %.*s\n", static_cast<int>(hint.size()), hint.data());
  }
  return exit_code_of(error.code);
}

int run_to_end(const std::function<asio::awaitable<int>(asio::any_io_executor)>& work,
               const std::function<void()>& interrupted) {
  asio::io_context context{1};
  asio::signal_set signals(context);
  std::optional<int> code;
  std::exception_ptr failure;
  if (interrupted) {
    signals.add(SIGINT);
    signals.add(SIGTERM);
    signals.async_wait([&](const boost::system::error_code& error, int) {
      if (error) return;
      interrupted();
      context.stop();
    });
  }
  asio::co_spawn(context, work(context.get_executor()), [&](std::exception_ptr thrown, int answer) {
    failure = thrown;
    code = answer;
    signals.cancel();
  });
  try {
    context.run();
    if (failure) std::rethrow_exception(failure);
  } catch (const ErrorException& error) {
    return fail({error.code(), error.what()});
  } catch (const std::exception& error) {
    return fail({ErrorCode::unavailable, error.what()});
  }
  return code.value_or(kUnknown);
}

int talk(const Access& access, const std::function<asio::awaitable<int>(Client&)>& work,
         const std::function<void()>& interrupted) {
  const Environment environment = process_environment();
  const Result<ServerUrl> server = server_of(access, environment);
  if (!server) return fail(server.error());
  const Result<std::string> token = token_of(access, environment);
  if (!token) return fail(token.error());
  return run_to_end(
      [&](asio::any_io_executor executor) -> asio::awaitable<int> {
        Client client(executor, *server, *token);
        co_return co_await work(client);
      },
      interrupted);
}

void print_json(const boost::json::value& json) { print(boost::json::serialize(json) + '\n'); }

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace crosswarp::cli
