// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/connection.hpp"

#include <functional>
#include <string>

namespace crosswarp::db {

/// Listens to `channel` on a connection of its own until cancelled, and calls `heard` with the payload of each message.
/// When PostgreSQL goes away it connects again by itself; after each connect `heard` is called with an empty payload,
/// since messages may have been missed.
asio::awaitable<void> listen(std::string url, std::string channel, std::function<void(std::string_view)> heard);

}  // namespace crosswarp::db
