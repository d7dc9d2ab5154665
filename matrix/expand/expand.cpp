// SPDX-License-Identifier: Apache-2.0
#include "matrix/expand/expand.hpp"

#include "matrix/version/match.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace crosswarp {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

Result<bool> accepts(const AxisPattern& pattern, std::string_view value) {
  for (const std::string& alternative : pattern.any_of) {
    const Result<bool> matched = matches(value, alternative);
    if (!matched || *matched) return matched;
  }
  return false;
}

/// Whether the condition holds; malformed patterns were refused before, when the walk was set up.
bool holds(const Condition& condition, const Combination& combination) {
  return std::all_of(condition.begin(), condition.end(), [&](const AxisPattern& pattern) {
    return accepts(pattern, value_of(combination, pattern.axis)).value();
  });
}

bool violates(const Constraint& constraint, const Combination& combination) {
  return holds(constraint.when, combination) && (constraint.forbids || !holds(constraint.require, combination));
}

/// A condition whose axes are all of the product, with the answer for each value worked out once.
class CompiledCondition {
 public:
  static Result<CompiledCondition> compile(const Condition& condition, const std::vector<Axis>& axes) {
    CompiledCondition compiled;
    for (const AxisPattern& pattern : condition) {
      Test test;
      while (axes[test.axis].name != pattern.axis) ++test.axis;
      for (const std::string& value : axes[test.axis].values) {
        const Result<bool> accepted = accepts(pattern, value);
        if (!accepted) return accepted.error();
        test.accepted.push_back(*accepted);
      }
      compiled.tests_.push_back(std::move(test));
    }
    return compiled;
  }

  /// `picks` holds the index of a value for each axis up to `last_axis` at least.
  bool holds(const std::vector<std::size_t>& picks) const {
    return std::all_of(tests_.begin(), tests_.end(),
                       [&](const Test& test) { return test.accepted[picks[test.axis]]; });
  }

  /// The last axis that the condition looks at; 0 where it looks at none.
  std::size_t last_axis() const {
    std::size_t last = 0;
    for (const Test& test : tests_) last = std::max(last, test.axis);
    return last;
  }

 private:
  struct Test {
    std::size_t axis = 0;
    std::vector<bool> accepted;
  };
  std::vector<Test> tests_;
};

/// A constraint on axes of the product that no `include` row can change: decided as soon as its axes have values.
struct CompiledConstraint {
  std::size_t index = 0;  // in the order written
  CompiledCondition when;
  CompiledCondition require;
  bool forbids = false;

  bool violated(const std::vector<std::size_t>& picks) const {
    return when.holds(picks) && (forbids || !require.holds(picks));
  }
};

/// What can be decided once a given axis has its value.
struct Checks {
  std::vector<CompiledCondition> excludes;
  std::vector<CompiledConstraint> constraints;
};

bool names_axis(const std::vector<Axis>& axes, std::string_view name) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
}

bool within(const Condition& condition, const std::vector<Axis>& axes) {
  return std::all_of(condition.begin(), condition.end(),
                     [&](const AxisPattern& pattern) { return names_axis(axes, pattern.axis); });
}

/// The walk over one matrix, depth first, one axis a level.
class Walk {
 public:
  Walk(const Spec& spec, const std::function<void(const Expanded&)>& take)
      : spec_(spec), take_(take), checks_(spec.axes.size()), included_(spec.include.size()) {}

  /// Compiles the conditions, so that running cannot fail.
  Result<void> prepare() {
    for (const ExcludeRow& row : spec_.exclude) {
      if (const Result<void> known = require_known(row.condition, false); !known) return known;
      if (spec_.axes.empty()) continue;
      Result<CompiledCondition> compiled = CompiledCondition::compile(row.condition, spec_.axes);
      if (!compiled) return compiled.error();
      const std::size_t last = compiled->last_axis();
      checks_[last].excludes.push_back(std::move(*compiled));
    }
    for (std::size_t i = 0; i < spec_.constraints.size(); ++i) {
      if (const Result<void> prepared = prepare_constraint(i); !prepared) return prepared;
    }
    return {};
  }

  void run() {
    picks_.assign(spec_.axes.size(), 0);
    for (const Axis& axis : spec_.axes) values_.push_back(&original_.combination[axis.name]);
    if (!spec_.axes.empty()) descend(0, kNowhere);
    take_new_rows();
  }

 private:
  Result<void> require_known(const Condition& condition, bool include_counts) const {
    for (const AxisPattern& pattern : condition) {
      for (const std::string& alternative : pattern.any_of) {
        if (const Result<void> checked = check_pattern(alternative); !checked) return checked;
      }
      const bool included =
          include_counts && std::any_of(spec_.include.begin(), spec_.include.end(),
                                        [&](const auto& row) { return row.values.contains(pattern.axis); });
      if (!included && !names_axis(spec_.axes, pattern.axis)) {
        return Error{ErrorCode::invalid_argument, "unknown axis \"" + pattern.axis + "\" at line " +
                                                      std::to_string(pattern.place.line) + ", column " +
                                                      std::to_string(pattern.place.column)};
      }
    }
    return {};
  }

  Result<void> prepare_constraint(std::size_t index) {
    const Constraint& constraint = spec_.constraints[index];
    if (const Result<void> known = require_known(constraint.when, true); !known) return known;
    if (const Result<void> known = require_known(constraint.require, true); !known) return known;
    if (spec_.axes.empty() || !within(constraint.when, spec_.axes) || !within(constraint.require, spec_.axes)) {
      late_.push_back(index);
      return {};
    }
    Result<CompiledCondition> when = CompiledCondition::compile(constraint.when, spec_.axes);
    if (!when) return when.error();
    Result<CompiledCondition> require = CompiledCondition::compile(constraint.require, spec_.axes);
    if (!require) return require.error();
    const std::size_t last = std::max(when->last_axis(), require->last_axis());
    checks_[last].constraints.push_back({index, std::move(*when), std::move(*require), constraint.forbids});
    return {};
  }

  /// `forbidding` is the first constraint, in the order written, that the values chosen so far violate.
  void descend(std::size_t depth, std::size_t forbidding) {
    const Axis& axis = spec_.axes[depth];
    for (std::size_t pick = 0; pick < axis.values.size(); ++pick) {
      picks_[depth] = pick;
      *values_[depth] = axis.values[pick];
      const Checks& checks = checks_[depth];
      if (std::any_of(checks.excludes.begin(), checks.excludes.end(),
                      [&](const CompiledCondition& exclude) { return exclude.holds(picks_); })) {
        continue;
      }
      std::size_t first = forbidding;
      for (const CompiledConstraint& constraint : checks.constraints) {
        if (constraint.index < first && constraint.violated(picks_)) first = constraint.index;
      }
      if (depth + 1 < spec_.axes.size()) {
        descend(depth + 1, first);
      } else {
        take_original(first);
      }
    }
  }

  void take_original(std::size_t forbidding) {
    std::vector<std::size_t> fitting;
    for (std::size_t row = 0; row < spec_.include.size(); ++row) {
      if (fits(original_.combination, spec_.include[row].values)) fitting.push_back(row);
    }
    if (fitting.empty()) {
      give(original_, forbidding);
      return;
    }
    Expanded merged = original_;
    for (const std::size_t row : fitting) {
      included_[row] = true;
      for (const auto& [axis, value] : spec_.include[row].values) merged.combination.insert_or_assign(axis, value);
    }
    give(merged, forbidding);
  }

  /// Whether none of the row's values would overwrite an original one; values that other rows added do not count.
  static bool fits(const Combination& original, const Combination& row) {
    return std::all_of(row.begin(), row.end(), [&](const auto& entry) {
      const auto found = original.find(entry.first);
      return found == original.end() || found->second == entry.second;
    });
  }

  /// Rows of `include` that fitted no combination of the product are combinations of their own.
  void take_new_rows() {
    std::set<std::string> seen;
    for (std::size_t row = 0; row < spec_.include.size(); ++row) {
      const Combination& combination = spec_.include[row].values;
      if (included_[row] || !seen.insert(canonical_text(combination)).second) continue;
      std::size_t forbidding = 0;
      while (forbidding < spec_.constraints.size() && !violates(spec_.constraints[forbidding], combination)) {
        ++forbidding;
      }
      Expanded expanded{combination, std::nullopt};
      give(expanded, forbidding);
    }
  }

  void give(Expanded& expanded, std::size_t forbidding) const {
    for (const std::size_t index : late_) {
      if (index < forbidding && violates(spec_.constraints[index], expanded.combination)) forbidding = index;
    }
    expanded.forbidden_by.reset();
    if (forbidding < spec_.constraints.size()) expanded.forbidden_by = spec_.constraints[forbidding].reason;
    take_(expanded);
  }

  const Spec& spec_;
  const std::function<void(const Expanded&)>& take_;
  std::vector<Checks> checks_;      // by axis
  std::vector<std::size_t> late_;   // constraints on axes that only `include` gives a value
  std::vector<std::size_t> picks_;  // by axis: the value chosen
  Expanded original_;                  // the combination of the values chosen, written over and over
  std::vector<std::string*> values_;   // by axis: its value in there
  std::vector<bool> included_;      // by include row: whether it fitted somewhere
};

}  // namespace

std::uint64_t raw_size(const Spec& spec) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t size = spec.axes.empty() ? 0 : 1;
  for (const Axis& axis : spec.axes) {
    const std::uint64_t values = axis.values.size();
    if (values == 0) {
      size = 0;
      break;
    }
    size = size > kMost / values ? kMost : size * values;
  }
  const std::uint64_t rows = spec.include.size();
  return size > kMost - rows ? kMost : size + rows;
}

Result<void> expand(const Spec& spec, std::uint64_t limit, const std::function<void(const Expanded&)>& take) {
  if (const std::uint64_t size = raw_size(spec); size > limit) {
    return Error{ErrorCode::too_large, "the matrix stands for " + std::to_string(size) +
                                           " combinations before exclusion; at most " + std::to_string(limit) +
                                           " are expanded"};
  }
  Walk walk(spec, take);
  if (const Result<void> prepared = walk.prepare(); !prepared) return prepared;
  walk.run();
  return {};
}

}  // namespace crosswarp
