// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::version {

/// A number of a version, without leading zeros and without an upper bound (PEP 440 sets none).
class Number {
 public:
  Number() = default;
  /// `digits` are ASCII digits; none means 0.
  explicit Number(std::string_view digits);

  const std::string& text() const noexcept { return digits_; }
  bool is_zero() const noexcept { return digits_ == "0"; }

  friend bool operator==(const Number&, const Number&) = default;
  friend std::strong_ordering operator<=>(const Number& left, const Number& right);

 private:
  std::string digits_ = "0";
};

/// The pre-release part of a version: `a`, `b` or `rc` and its number.
struct PreRelease {
  enum class Phase { alpha, beta, candidate };
  Phase phase = Phase::alpha;
  Number number;

  friend bool operator==(const PreRelease&, const PreRelease&) = default;
  friend auto operator<=>(const PreRelease&, const PreRelease&) = default;
};

/// One part of a local version label: a number or lower-case text; text sorts before numbers.
struct LocalPart {
  bool is_number = false;
  std::string text;

  friend bool operator==(const LocalPart&, const LocalPart&) = default;
  friend std::strong_ordering operator<=>(const LocalPart& left, const LocalPart& right);
};

/// A version as PEP 440 (the version specifiers specification of packaging.python.org) reads it.
/// Ordered as there: 1.0.dev1 < 1.0a1 < 1.0rc1 < 1.0 < 1.0+local < 1.0.post1; 1.0 equals 1.0.0.
struct Version {
  Number epoch;
  std::vector<Number> release;  ///< at least one; trailing zeros kept as written
  std::optional<PreRelease> pre;
  std::optional<Number> post;
  std::optional<Number> dev;
  std::vector<LocalPart> local;

  /// Errors: invalid_argument where `text` (surrounding white space aside) is no version.
  static Result<Version> parse(std::string_view text);

  /// The normal form: "1!2.0rc1.post2.dev3+cu128".
  std::string text() const;

  bool is_prerelease() const noexcept { return pre || dev; }

  friend bool operator==(const Version& left, const Version& right) { return (left <=> right) == 0; }
  friend std::strong_ordering operator<=>(const Version& left, const Version& right);
};

/// The order of two versions with their local labels left out.
std::strong_ordering compare_public(const Version& left, const Version& right);

/// Whether pre-releases are accepted: by default only where a specifier of the set names one.
enum class PreReleases { only_if_named, allowed, refused };

/// One comparison: "~=3.1", "==2.*", "===weird".
class Specifier {
 public:
  enum class Operator { compatible, equal, not_equal, less_equal, greater_equal, less, greater, identical };

  /// Errors: invalid_argument where `text` is no specifier.
  static Result<Specifier> parse(std::string_view text);

  /// Whether the specifier's own version is a pre-release; `!=` and wildcards name none.
  bool names_prerelease() const noexcept;

  /// Whether it holds for a version, pre-releases allowed. `text` is the version as written, which only `===` looks
  /// at; `version` is empty where `text` is no version, and then nothing but `===` can hold.
  bool holds(std::string_view text, const std::optional<Version>& version) const;

 private:
  bool holds_for(const Version& version) const;
  bool has_prefix(const Version& version, std::size_t parts) const;

  Operator operator_ = Operator::equal;
  bool wildcard_ = false;
  std::string written_;             // operator `===`: its operand
  std::optional<Version> version_;  // empty only for `===` with an operand that is no version
};

/// A conjunction of specifiers: ">=3.0,!=3.1.*,<4". The empty set holds for every version.
class SpecifierSet {
 public:
  /// Errors: invalid_argument naming the specifier that is none.
  static Result<SpecifierSet> parse(std::string_view text);

  /// Whether every specifier holds for the version written as `text`. A text that is no version is accepted only by
  /// `===` (and by the empty set).
  bool contains(std::string_view text, PreReleases prereleases = PreReleases::only_if_named) const;

 private:
  std::vector<Specifier> specifiers_;
};

}  // namespace crosswarp::version
