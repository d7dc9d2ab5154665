// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/facts/facts.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::facts {

/// One line of a table: `subject` works with values from `first` to `last`; an empty end is open.
struct Entry {
  std::string subject;
  std::string tool;  ///< kind compiler: "gcc" or "clang"
  std::string first;
  std::string last;
  std::string source;
  std::string confidence;
  std::string basis;

  /// High confidence, or medium that was not merely recalled.
  bool may_reject() const;
};

/// One kind of fact; the format is described in matrix/facts/README.md.
struct Table {
  std::string fact;
  AxisKind subject = AxisKind::arch;
  AxisKind range_of = AxisKind::toolkit;
  std::string below;  ///< reason, with {value} {subject} {tool} {first} {last} {range}
  std::string above;
  std::vector<Entry> entries;
};

/// Reads one data file. Errors: ErrorException (invalid_argument) where the text is not a table of format 1 or an
/// entry has no source, confidence or basis; `name` stands in front of the message.
Table parse_table(std::string_view name, std::string_view yaml);

/// The tables that this program carries, in the order of suspicion.
const std::vector<Table>& built_in_tables();

/// As crosswarp::infeasible, from the given tables.
std::optional<Infeasible> infeasible(const Combination& combination, const Recipe& recipe,
                                     const std::vector<Table>& tables);

}  // namespace crosswarp::facts
