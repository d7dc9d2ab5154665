// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/spec/recipe.hpp"

#include <optional>
#include <string>

namespace crosswarp {

/// Why a combination cannot work, from a fact that its makers declare or that hardware or toolkit forbids.
struct Infeasible {
  std::string fact;        ///< stable id of the rule, e.g. "toolkit-cannot-target"
  std::string reason;      ///< one sentence with both values in it
  std::string source;      ///< where the fact was read
  std::string confidence;  ///< "high" or "medium"; facts of low confidence never reject
};

/// The first fact that forbids `combination`, in the order of suspicion (arch, driver, os, cuda, ...).
/// Axes are known by their kind in `recipe`. Nothing where no fact forbids it; a missing axis forbids nothing.
std::optional<Infeasible> infeasible(const Combination& combination, const Recipe& recipe);

}  // namespace crosswarp
