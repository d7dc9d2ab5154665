// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/connection.hpp"

#include <cstdint>
#include <vector>

namespace crosswarp::table {

namespace asio = boost::asio;

/// Carries what a run says now of some of its combinations into the table of verdicts, within the transaction open on
/// `connection`. A decided word replaces the one before and is kept in the history; `since` stays while status, rung
/// and code do. An undecided one (pending, parked, provisional, skipped) only replaces undecided ones.
asio::awaitable<void> publish(db::Connection& connection, std::int64_t run, std::vector<std::int64_t> ordinals);

/// As publish, for every combination of the run.
asio::awaitable<void> publish_all(db::Connection& connection, std::int64_t run);

}  // namespace crosswarp::table
