// SPDX-License-Identifier: Apache-2.0
#include "cli/pages.hpp"

#include <boost/json.hpp>

namespace crosswarp::cli {

asio::awaitable<Result<void>> each_item(Client& client, std::function<std::string(std::int64_t cursor)> target,
                                        std::string key, std::function<bool(const boost::json::value&)> take) {
  for (std::int64_t cursor = 0;;) {
    const Request request{.target = target(cursor)};
    const Result<boost::json::value> page = co_await client.call(request);
    if (!page) co_return page.error();
    const auto* object = page->if_object();
    const auto* items = object ? object->if_contains(key) : nullptr;
    if (!items || !items->is_array()) {
      co_return Error{ErrorCode::unavailable, "the server answered no list of " + key};
    }
    for (const boost::json::value& item : items->get_array()) {
      if (!take(item)) co_return Result<void>{};
    }
    const auto* next = object->if_contains("next");
    if (!next || !next->is_number()) co_return Result<void>{};
    cursor = next->to_number<std::int64_t>();
  }
}

asio::awaitable<Result<void>> each_combination(Client& client, std::int64_t run,
                                               std::function<bool(const boost::json::value&)> take) {
  const std::string base =
      "/api/v1/runs/" + std::to_string(run) + "/combinations?limit=" + std::to_string(kPageSize);
  const std::function<std::string(std::int64_t)> target = [&](std::int64_t cursor) {
    return cursor == 0 ? base : base + "&cursor=" + std::to_string(cursor);
  };
  const std::string key = "combinations";
  co_return co_await each_item(client, target, key, std::move(take));
}

}  // namespace crosswarp::cli
