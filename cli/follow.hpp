// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/client/client.hpp"
#include "cli/progress.hpp"
#include "cli/verdict_row.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <vector>

namespace crosswarp::cli {

namespace asio = boost::asio;

/// The run as the server tells it now.
asio::awaitable<Result<boost::json::value>> fetch_run(Client& client, std::int64_t run);

/// The combinations of a run, in the order of the matrix.
asio::awaitable<Result<std::vector<VerdictRow>>> fetch_rows(Client& client, std::int64_t run);

/// Shows a run in `view`, asking once a second, until it is over; answers its last state. A server that is away is
/// waited for: kPatience, then its error.
asio::awaitable<Result<boost::json::value>> follow_run(Client& client, std::int64_t run, ProgressView& view,
                                                       const Clock& clock);

inline constexpr std::chrono::minutes kPatience{10};

/// What a person is told when they stop watching a run.
std::string goes_on_text(std::int64_t run);

/// Shows the run on standard error until it is over, then prints its table (or, with `json`, the run as one line) and
/// answers the exit code of a finished run.
asio::awaitable<int> watch(Client& client, std::int64_t run, bool json);

/// The table of a run and the reasons of what is not passed, on standard output.
asio::awaitable<Result<void>> print_table(Client& client, std::int64_t run);

/// kNo where a combination failed; else kUnknown where one is broken, untested, skipped or was never decided; else
/// kYes.
int exit_code_of_run(const RunProgress& progress);

}  // namespace crosswarp::cli
