// SPDX-License-Identifier: Apache-2.0
#include "matrix/plan/plan.hpp"

#include "matrix/version/match.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace crosswarp {
namespace {

bool depend_on_the_same(const Stage& left, const Stage& right) {
  return std::set(left.depends_on.begin(), left.depends_on.end()) ==
         std::set(right.depends_on.begin(), right.depends_on.end());
}

/// Resolve stays alone: its verdict is cheap and wanted early, whatever the next stage costs.
bool may_share_a_job(const Stage& left, const Stage& right) {
  return left.rung != Rung::resolve && right.rung != Rung::resolve && depend_on_the_same(left, right);
}

Rung highest_of(const std::vector<Rung>& rungs) {
  return rungs.empty() ? kRungs.back() : *std::max_element(rungs.begin(), rungs.end());
}

Combination restricted(const Combination& combination, const std::vector<std::string>& axes) {
  Combination kept;
  for (const std::string& axis : axes) {
    const std::string_view value = value_of(combination, axis);
    if (value != kNone) kept.emplace(axis, value);
  }
  return kept;
}

/// The device that runs code for `arch`: the suffix is the compiler's affair.
std::string device_of(std::string arch) {
  if (arch.ends_with('a') || arch.ends_with('f')) arch.pop_back();
  return arch;
}

bool can_be_installed(const RecipeAxis& axis, const std::string& value) {
  return std::any_of(axis.installable.begin(), axis.installable.end(), [&](const std::string& pattern) {
    const Result<bool> fits = matches(value, pattern);
    return fits && *fits;
  });
}

/// What a host must have for one axis; empty where nothing.
std::string need_of(const std::string& name, const RecipeAxis& axis, const std::string& value, bool on_device) {
  switch (axis.kind) {
    case AxisKind::interpreter:
      return name + '=' + value;
    case AxisKind::toolkit:
      return can_be_installed(axis, value) ? "" : "toolkit=" + value;
    case AxisKind::arch:
      return on_device ? "device=" + device_of(value) : "";
    case AxisKind::driver:
      return "driver=" + value;
    case AxisKind::compiler:
      return "compiler=" + value;
    case AxisKind::os:
      return "os=" + value;
    case AxisKind::package:
    case AxisKind::option:
      return "";
  }
  return "";
}

std::vector<std::string> needs_of(const Recipe& recipe, const Combination& axes, bool on_device) {
  std::set<std::string> needs;
  for (const auto& [name, value] : axes) {
    const auto axis = recipe.axes.find(name);
    if (axis == recipe.axes.end()) continue;
    if (std::string need = need_of(name, axis->second, value, on_device); !need.empty()) needs.insert(std::move(need));
  }
  return {needs.begin(), needs.end()};
}

std::string key_of(const std::string& recipe_hash, const PlannedJob& job) {
  std::string text = recipe_hash + '\n';
  for (const Rung rung : job.rungs) text += std::string(to_text(rung)) + ',';
  return sha256_hex(text + '\n' + canonical_text(job.axes) + job.parent + '\n');
}

}  // namespace

Planner::Planner(const Recipe& recipe, std::string recipe_hash, const std::vector<Rung>& rungs)
    : recipe_(recipe), recipe_hash_(std::move(recipe_hash)) {
  const Rung highest = highest_of(rungs);
  std::set<std::string> axes;
  for (const Stage& stage : recipe.stages) {
    if (stage.rung > highest) continue;
    axes.insert(stage.depends_on.begin(), stage.depends_on.end());
    if (steps_.empty() || !may_share_a_job(*steps_.back().stages.back(), stage)) steps_.emplace_back();
    steps_.back().stages.push_back(&stage);
    steps_.back().axes.assign(axes.begin(), axes.end());
  }
}

Chain Planner::add(const Combination& combination) {
  Chain chain;
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    PlannedJob job = make_job(step, combination, chain.empty() ? nullptr : &jobs_[chain.back()]);
    const auto [known, is_new] = by_key_.try_emplace(job.key, jobs_.size());
    if (is_new) jobs_.push_back(std::move(job));
    chain.push_back(known->second);
  }
  return chain;
}

PlannedJob Planner::make_job(std::size_t step, const Combination& combination, const PlannedJob* parent) const {
  const Step& planned = steps_[step];
  PlannedJob job;
  job.parent = parent ? parent->key : "";
  job.axes = restricted(combination, planned.axes);
  job.depth = static_cast<int>(step);
  for (const Stage* stage : planned.stages) {
    job.rungs.push_back(stage->rung);
    // Only the job's own axes count: all combinations that share the job must see the same limits.
    job.memory_bytes = std::max(job.memory_bytes, limits_for(*stage, job.axes).memory_bytes);
  }
  job.key = key_of(recipe_hash_, job);
  const bool installs = std::find(job.rungs.begin(), job.rungs.end(), Rung::install) != job.rungs.end();
  job.environment = installs ? job.key : parent ? parent->environment : "";
  // What the stages below put in place is used here too, so the needs are those of all axes so far.
  job.needs = needs_of(recipe_, job.axes, std::any_of(job.rungs.begin(), job.rungs.end(), needs_device));
  return job;
}

std::vector<Combination> Planner::controls_of(const Combination& combination) const {
  std::vector<Combination> controls;
  for (const Control& control : recipe_.controls) {
    Combination tried = control.with;
    tried.insert(combination.begin(), combination.end());
    std::erase_if(tried, [](const auto& axis) { return axis.second == kNone; });
    if (std::find(controls.begin(), controls.end(), tried) == controls.end()) controls.push_back(std::move(tried));
  }
  return controls;
}

std::string missing_need_text(const std::string& need) {
  std::string text = need;
  if (const std::size_t equals = text.find('='); equals != std::string::npos) text[equals] = ' ';
  return "no agent offers " + text;
}

}  // namespace crosswarp
