// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/connection.hpp"
#include "server/runs/preparation.hpp"
#include "server/runs/runs.hpp"

namespace crosswarp::runs {

/// Stores a run with all that was prepared, within the transaction open on `connection`; answers its id.
asio::awaitable<std::int64_t> store_run(db::Connection& connection, const Submission& submission,
                                        const Preparation& preparation);

}  // namespace crosswarp::runs
