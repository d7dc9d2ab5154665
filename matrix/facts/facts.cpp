// SPDX-License-Identifier: Apache-2.0
#include "matrix/facts/facts.hpp"

#include "matrix/facts/tables.hpp"
#include "matrix/version/match.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace crosswarp {
namespace facts {
namespace {

using Numbers = std::vector<int>;

/// "12.8.1" as numbers, a leading R of a driver branch dropped; nothing for what is not numbers and dots.
std::optional<Numbers> numbers_of(std::string_view text) {
  if (text.starts_with('R')) text.remove_prefix(1);
  Numbers numbers;
  for (;;) {
    int number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || number < 0) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return numbers;
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
}

/// Compares as far as both go: what a value leaves open must not reject it.
int compare_common(const Numbers& left, const Numbers& right) {
  const std::size_t common = std::min(left.size(), right.size());
  for (std::size_t at = 0; at < common; ++at) {
    if (left[at] != right[at]) return left[at] < right[at] ? -1 : 1;
  }
  return 0;
}

/// A setting as a fact sees it: "gcc-13.2" is the version 13.2 of the tool gcc.
struct Value {
  std::string tool;
  std::string version;
};

Value value_from(AxisKind kind, std::string_view axis, std::string_view text) {
  if (kind != AxisKind::compiler) return {"", std::string(text)};
  if (axis == "gcc" || axis == "clang") return {std::string(axis), std::string(text)};
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos) return {std::string(text), ""};
  std::string_view tool = text.substr(0, digit);
  while (!tool.empty() && (tool.back() == '-' || tool.back() == ' ')) tool.remove_suffix(1);
  if (tool == "g++") tool = "gcc";
  if (tool == "clang++") tool = "clang";
  return {std::string(tool), std::string(text.substr(digit))};
}

bool is_subject(AxisKind kind, const Entry& entry, std::string_view value) {
  if (kind == AxisKind::arch) return value == entry.subject || matches(value, entry.subject).value();
  const auto wanted = numbers_of(entry.subject);
  const auto numbers = numbers_of(value);
  return wanted && numbers && numbers->size() >= wanted->size() && compare_common(*numbers, *wanted) == 0;
}

const Entry* find_entry(const Table& table, std::string_view subject, std::string_view tool) {
  const auto found = std::find_if(table.entries.begin(), table.entries.end(), [&](const Entry& entry) {
    return entry.tool == tool && is_subject(table.subject, entry, subject);
  });
  return found == table.entries.end() ? nullptr : &*found;
}

std::string range_text(const Entry& entry) {
  if (entry.first.empty()) return entry.last + " or older";
  if (entry.last.empty()) return entry.first + " or newer";
  return entry.first == entry.last ? entry.first : entry.first + " to " + entry.last;
}

std::string filled(std::string text, const Entry& entry, std::string_view subject, std::string_view value) {
  const std::pair<std::string_view, std::string> fields[] = {
      {"{value}", std::string(value)}, {"{subject}", std::string(subject)}, {"{tool}", entry.tool},
      {"{first}", entry.first},        {"{last}", entry.last},              {"{range}", range_text(entry)}};
  for (const auto& [name, with] : fields) {
    std::size_t at = 0;
    while ((at = text.find(name, at)) != std::string::npos) {
      text.replace(at, name.size(), with);
      at += with.size();
    }
  }
  return text;
}

std::optional<Infeasible> check(const Table& table, std::string_view subject, const Value& value) {
  const auto numbers = numbers_of(value.version);
  if (!numbers) return std::nullopt;
  const Entry* entry = find_entry(table, subject, value.tool);
  if (!entry || !entry->may_reject()) return std::nullopt;
  const auto first = numbers_of(entry->first);
  const auto last = numbers_of(entry->last);
  const bool below = first && compare_common(*numbers, *first) < 0;
  const bool above = last && compare_common(*numbers, *last) > 0;
  if (!below && !above) return std::nullopt;
  return Infeasible{table.fact, filled(below ? table.below : table.above, *entry, subject, value.version),
                    entry->source, entry->confidence};
}

std::optional<Infeasible> check(const Table& table, const Combination& combination, const Recipe& recipe) {
  for (const auto& [subject_axis, subject] : recipe.axes) {
    const std::string_view subject_value = value_of(combination, subject_axis);
    if (subject.kind != table.subject || subject_value == kNone) continue;
    for (const auto& [axis, described] : recipe.axes) {
      const std::string_view value = value_of(combination, axis);
      if (described.kind != table.range_of || value == kNone) continue;
      if (auto found = check(table, subject_value, value_from(described.kind, axis, value))) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Infeasible> infeasible(const Combination& combination, const Recipe& recipe,
                                     const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    if (auto found = check(table, combination, recipe)) return found;
  }
  return std::nullopt;
}

}  // namespace facts

std::optional<Infeasible> infeasible(const Combination& combination, const Recipe& recipe) {
  return facts::infeasible(combination, recipe, facts::built_in_tables());
}

}  // namespace crosswarp
