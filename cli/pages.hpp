// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/client/client.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace crosswarp::cli {

namespace asio = boost::asio;

inline constexpr std::int64_t kPageSize = 1000;  ///< the most that the server gives at once

/// Asks for a list page by page until it ends or `take` answers false. `target` gives the request for a cursor (0: the
/// first page), the items lie under `key`, the next cursor under "next".
/// Errors: those of the client; unavailable for an answer of another form.
asio::awaitable<Result<void>> each_item(Client& client, std::function<std::string(std::int64_t cursor)> target,
                                        std::string key, std::function<bool(const boost::json::value&)> take);

/// each_item over the combinations of a run, in the order of the matrix.
asio::awaitable<Result<void>> each_combination(Client& client, std::int64_t run,
                                               std::function<bool(const boost::json::value&)> take);

}  // namespace crosswarp::cli
