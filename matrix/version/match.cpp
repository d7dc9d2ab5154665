// SPDX-License-Identifier: Apache-2.0
#include "matrix/version/match.hpp"

#include "matrix/base/combination.hpp"
#include "matrix/version/arch.hpp"
#include "matrix/version/pep440.hpp"
#include "matrix/version/scan.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <utility>
#include <vector>

namespace crosswarp {
namespace {

using version::Arch;
using version::in_quotes;
using version::trimmed;

/// One comparison with an arch: ">=sm_90".
struct ArchComparison {
  std::string_view op;
  Arch arch;

  bool holds(const Arch& value) const {
    if (op == "==") return value == arch;
    if (op == "!=") return value != arch;
    const std::strong_ordering order = compare_number(value, arch);
    if (op == "<=") return order <= 0;
    if (op == ">=") return order >= 0;
    return op == "<" ? order < 0 : order > 0;
  }
};

/// A set of comparisons as it is written, taken apart but not yet read as versions or archs.
struct Comparison {
  std::string_view op;
  std::string_view operand;
};

/// Items without an operator keep an empty one.
std::vector<Comparison> comparisons_of(std::string_view pattern) {
  constexpr std::array<std::string_view, 8> kOperators{"===", "~=", "==", "!=", "<=", ">=", "<", ">"};
  std::vector<Comparison> out;
  while (!pattern.empty()) {
    const std::size_t comma = std::min(pattern.find(','), pattern.size());
    const std::string_view item = trimmed(pattern.substr(0, comma));
    pattern.remove_prefix(std::min(comma + 1, pattern.size()));
    const auto op = std::find_if(kOperators.begin(), kOperators.end(),
                                 [&](std::string_view candidate) { return item.starts_with(candidate); });
    const std::string_view found = op == kOperators.end() ? std::string_view() : *op;
    out.push_back({found, trimmed(item.substr(found.size()))});
  }
  return out;
}

bool names_arch(std::string_view pattern) {
  const auto comparisons = comparisons_of(pattern);
  return std::any_of(comparisons.begin(), comparisons.end(),
                     [](const Comparison& comparison) { return version::is_surely_arch(comparison.operand); });
}

Result<std::vector<ArchComparison>> arch_comparisons(std::string_view pattern) {
  std::vector<ArchComparison> out;
  for (const auto& [op, operand] : comparisons_of(pattern)) {
    if (op.empty()) {
      return Error{ErrorCode::invalid_argument,
                   in_quotes(pattern) + ": " + in_quotes(operand) + " begins with none of == != < <= > >="};
    }
    if (op == "~=" || op == "===") {
      return Error{ErrorCode::invalid_argument,
                   in_quotes(pattern) + ": " + std::string(op) +
                       " does not go with GPU architectures; use == != < <= > >="};
    }
    Result<Arch> arch = Arch::parse(operand);
    if (!arch) return in_context(in_quotes(pattern), arch.error());
    out.push_back({op, *arch});
  }
  return out;
}

Result<bool> arch_satisfies(std::string_view value, std::string_view pattern) {
  const Result<std::vector<ArchComparison>> comparisons = arch_comparisons(pattern);
  if (!comparisons) return comparisons.error();
  const Result<Arch> arch = Arch::parse(value);
  if (!arch) return false;
  return std::all_of(comparisons->begin(), comparisons->end(),
                     [&](const ArchComparison& comparison) { return comparison.holds(*arch); });
}

Result<bool> satisfies(std::string_view value, std::string_view pattern) {
  if (names_arch(pattern)) return arch_satisfies(value, pattern);
  const Result<version::SpecifierSet> versions = version::SpecifierSet::parse(pattern);
  const bool reads_as_archs = arch_comparisons(pattern).has_value();
  if (!versions && !reads_as_archs) return versions.error();
  // ">=9.0" is well formed for both, and what the value is decides; ">=12.0f" can only be an arch.
  if (!versions || (reads_as_archs && version::is_surely_arch(value))) return arch_satisfies(value, pattern);
  return versions->contains(value);
}

bool equals(std::string_view value, std::string_view pattern) {
  if (value == pattern) return true;
  if (version::is_surely_arch(value) || version::is_surely_arch(pattern)) {
    const Result<Arch> left = Arch::parse(value);
    const Result<Arch> right = Arch::parse(pattern);
    return left && right && *left == *right;
  }
  const auto left = version::Version::parse(value);
  const auto right = version::Version::parse(pattern);
  if (!left || !right) return false;
  // As `==` has it: a pattern without a local label accepts every build of that version.
  return right->local.empty() ? compare_public(*left, *right) == 0 : *left == *right;
}

Error empty_pattern() {
  return Error{ErrorCode::invalid_argument,
               "an empty pattern accepts nothing; write a value or a specifier like >=1.2"};
}

}  // namespace

bool is_specifier(std::string_view text) {
  const std::string_view word = trimmed(text);
  return !word.empty() && std::string_view("<>=!~^").find(word.front()) != std::string_view::npos;
}

Result<bool> matches(std::string_view value, std::string_view pattern) {
  const std::string_view text = trimmed(pattern);
  if (text.empty()) return empty_pattern();
  if (is_specifier(text)) {  // "=>3" too: a mistake, not a value that nothing has
    const Result<bool> satisfied = satisfies(value, text);
    return satisfied && value == kNone ? Result<bool>(false) : satisfied;
  }
  if (value == kNone || text == kNone) return value == text;
  return equals(value, text);
}

Result<void> check_pattern(std::string_view pattern) {
  const Result<bool> tried = matches(kNone, pattern);
  if (tried) return {};
  if (pattern.find("||") == std::string_view::npos) return tried.error();
  return Error{ErrorCode::invalid_argument,
               in_quotes(pattern) + ": || is not part of a pattern; write a list, which accepts any of its items"};
}

}  // namespace crosswarp
