// SPDX-License-Identifier: Apache-2.0
#include "server/agents/tokens.hpp"

#include "matrix/base/combination.hpp"
#include "server/db/transaction.hpp"

#include <openssl/rand.h>

#include <array>

namespace crosswarp::agents {
namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kSecretLimit = 200;

constexpr db::Query kCreate{"tokens.create",
                            "insert into token (role, label, sha256) values ($1, $2, $3) returning id"};
constexpr db::Query kList{"tokens.list", "select id, role, label, created_at, revoked_at from token order by id"};
constexpr db::Query kRevoke{"tokens.revoke",
                            "update token set revoked_at = now() where id = $1 and revoked_at is null"};
constexpr db::Query kRole{"tokens.role", "select role from token where sha256 = $1 and revoked_at is null"};

std::string random_hex() {
  std::array<unsigned char, kSecretBytes> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) throw std::runtime_error("no random numbers");
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const auto byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

std::string_view to_text(Role role) {
  switch (role) {
    case Role::agent: return "agent";
    case Role::submit: return "submit";
    case Role::admin: return "admin";
  }
  throw std::logic_error("no such role");
}

std::optional<Role> role_from_text(std::string_view text) {
  for (const auto role : {Role::agent, Role::submit, Role::admin})
    if (text == to_text(role)) return role;
  return std::nullopt;
}

asio::awaitable<Result<NewToken>> Tokens::create(Role role, std::string label) {
  NewToken token;
  token.secret = "cw_" + std::string(to_text(role)) + "_" + random_hex();
  const auto rows = co_await db::query(pool_, kCreate, to_text(role), label, sha256_hex(token.secret));
  if (rows.has_error()) co_return rows.error();
  token.id = rows->front().integer("id");
  co_return token;
}

asio::awaitable<Result<std::vector<TokenInfo>>> Tokens::list() {
  const auto rows = co_await db::query(pool_, kList);
  if (rows.has_error()) co_return rows.error();
  std::vector<TokenInfo> tokens;
  for (const auto row : *rows)
    tokens.push_back({row.integer("id"), role_from_text(row.text("role")).value(), row.string("label"),
                      row.time("created_at"), row.optional_time("revoked_at")});
  co_return tokens;
}

asio::awaitable<Result<void>> Tokens::revoke(std::int64_t id) {
  const auto rows = co_await db::query(pool_, kRevoke, id);
  if (rows.has_error()) co_return rows.error();
  if (rows->affected() == 0)
    co_return Error{ErrorCode::not_found, "no token " + std::to_string(id) + " that could be revoked"};
  co_return Result<void>{};
}

asio::awaitable<Result<Role>> Tokens::role_of(std::string secret) {
  const Error unknown{ErrorCode::unauthorized, "the token is unknown or revoked"};
  if (!secret.starts_with("cw_") || secret.size() > kSecretLimit) co_return unknown;
  const auto rows = co_await db::query(pool_, kRole, sha256_hex(secret));
  if (rows.has_error()) co_return rows.error();
  if (rows->empty()) co_return unknown;
  co_return role_from_text(rows->front().text("role")).value();
}

}  // namespace crosswarp::agents
