// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/pool.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::agents {

namespace asio = boost::asio;

enum class Role { agent, submit, admin };

std::string_view to_text(Role role);
std::optional<Role> role_from_text(std::string_view text);

/// Whether a holder of `held` may do what asks for `wanted`: admin may all.
constexpr bool may(Role held, Role wanted) { return held == wanted || held == Role::admin; }

struct TokenInfo {
  std::int64_t id = 0;
  Role role = Role::agent;
  std::string label;
  std::string created;                 ///< RFC 3339
  std::optional<std::string> revoked;  ///< RFC 3339
};

struct NewToken {
  std::int64_t id = 0;
  std::string secret;  ///< "cw_agent_...": 256 random bits, told once; only its SHA-256 is kept
};

class Tokens {
 public:
  explicit Tokens(db::Pool& pool) : pool_(pool) {}

  asio::awaitable<Result<NewToken>> create(Role role, std::string label);
  asio::awaitable<Result<std::vector<TokenInfo>>> list();
  /// Errors: not_found for an id that is unknown or already revoked.
  asio::awaitable<Result<void>> revoke(std::int64_t id);
  /// The role of `secret`. Errors: unauthorized for a token that is unknown, malformed or revoked.
  asio::awaitable<Result<Role>> role_of(std::string secret);

 private:
  db::Pool& pool_;
};

}  // namespace crosswarp::agents
