// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/error.hpp"
#include "matrix/spec/spec.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace crosswarp {

/// A combination that the matrix stands for. `forbidden_by` is set where a constraint forbids it: it is kept, with the
/// constraint's reason, and never run.
struct Expanded {
  Combination combination;
  std::optional<std::string> forbidden_by;
};

/// The raw size of the product of the axes plus the `include` rows; saturates at 2^64-1.
std::uint64_t raw_size(const Spec& spec);

/// Calls `take` with each combination of `spec`, one at a time and in constant memory.
/// Order: axes as written, last axis fastest, then the combinations that `include` adds; equal specs give equal lists.
/// `exclude` removes; `include` has GitHub's meaning: a row's values are added to every original combination that they
/// do not contradict, and where it fits none it becomes a combination of its own. No combination comes twice.
/// Errors: too_large when raw_size passes `limit`, before anything is built, saying the size; invalid_argument for a
/// pattern that names an axis the matrix does not have.
Result<void> expand(const Spec& spec, std::uint64_t limit, const std::function<void(const Expanded&)>& take);

}  // namespace crosswarp
