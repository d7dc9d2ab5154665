// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/db/pool.hpp"
#include "server/table/verdict.hpp"

#include <map>
#include <string>
#include <vector>

namespace crosswarp::table {

namespace asio = boost::asio;

/// Which verdicts are wanted. Empty lists accept all; a list accepts any of its items.
struct VerdictFilter {
  std::string library;  ///< empty: all libraries
  std::map<std::string, std::vector<std::string>> axes;  ///< axis -> values or PEP 440 specifiers
  std::vector<Status> statuses;
  std::vector<Rung> rungs;
  std::vector<Evidence> evidences;
  std::int64_t cursor = 0;  ///< `next` of the page before
  std::size_t limit = 100;
};

struct VerdictPage {
  std::vector<Verdict> verdicts;
  std::optional<std::int64_t> next;  ///< nothing on the last page
};

struct LibrarySummary {
  std::string library;
  std::int64_t total = 0;
  std::map<Status, std::int64_t> by_status;
};

struct AxisValues {
  std::string axis;
  std::vector<std::string> values;  ///< in the order in which they were first submitted
};

/// The latest word on every combination of every library.
class Table {
 public:
  explicit Table(db::Pool& pool) : pool_(pool) {}

  /// Errors: invalid_argument for an axis that no verdict of the library has (where there are verdicts of it), and for
  /// a malformed specifier; unavailable.
  asio::awaitable<Result<VerdictPage>> query(VerdictFilter filter);
  /// Errors: not_found where nothing is said of the combination.
  asio::awaitable<Result<Verdict>> get(std::string library, std::string id);
  asio::awaitable<Result<std::vector<LibrarySummary>>> libraries();
  /// Errors: not_found for a library without verdicts.
  asio::awaitable<Result<std::vector<AxisValues>>> axes_of(std::string library);

 private:
  asio::awaitable<Result<std::vector<AxisValues>>> known_values(std::string library);

  db::Pool& pool_;
};

}  // namespace crosswarp::table
