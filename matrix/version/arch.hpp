// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <compare>
#include <string>
#include <string_view>

namespace crosswarp::version {

/// A GPU architecture that code is made for.
struct Arch {
  enum class Suffix { none, family, exact };  ///< `f` runs within the family, `a` on this capability only

  int number = 0;  ///< 10 * major + minor: 90, 103, 120
  Suffix suffix = Suffix::none;

  /// Reads every spelling in use: sm_90a, compute_90, 9.0a, 9.0+PTX, 90a-real, 90-virtual, 120f.
  /// Errors: invalid_argument where `text` is none of them.
  static Result<Arch> parse(std::string_view text);

  int major() const noexcept { return number / 10; }
  int minor() const noexcept { return number % 10; }

  /// The one stored form: "sm_90a".
  std::string text() const;

  friend bool operator==(const Arch&, const Arch&) = default;
};

/// The order of archs in ranges: by number; the suffix does not count.
std::strong_ordering compare_number(const Arch& left, const Arch& right);

/// Whether `text` is spelled as only an arch can be (sm_90, compute_90, 90-real), and not as a version could ("9.0").
bool is_surely_arch(std::string_view text);

}  // namespace crosswarp::version
