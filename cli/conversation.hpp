// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/access.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace crosswarp::cli {

namespace asio = boost::asio;

/// Says what went wrong on standard error, with what would help, and answers the exit code for it.
int fail(const Error& error);

/// Runs `work` on an executor of its own to its end; failures become exit codes. `interrupted` is called once at
/// SIGINT or SIGTERM, after which `work` is dropped and the answer is kUnknown; where it is empty the signals end the
/// program as usual.
int run_to_end(const std::function<asio::awaitable<int>(asio::any_io_executor)>& work,
               const std::function<void()>& interrupted = {});

/// The same with a client of the server that `access` names.
int talk(const Access& access, const std::function<asio::awaitable<int>(Client&)>& work,
         const std::function<void()>& interrupted = {});

/// Writes one JSON value as a line of standard output.
void print_json(const boost::json::value& json);

/// Writes to standard output.
void print(std::string_view text);

}  // namespace crosswarp::cli
