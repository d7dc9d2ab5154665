// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/error.hpp"
#include "matrix/base/ladder.hpp"
#include "matrix/spec/recipe.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace crosswarp {

/// One unit of work: the stages of some neighbouring rungs for one setting of the axes they depend on. It serves every
/// combination that agrees on those axes.
struct PlannedJob {
  std::string key;                 ///< SHA-256 over recipe hash, rungs, axis values and the parent's key
  std::string parent;              ///< key of the job that must pass first; empty for the first
  std::vector<Rung> rungs;         ///< stages it runs, in order
  Combination axes;                ///< values of the axes that this job and its parents depend on
  std::string environment;         ///< key of the job whose install made the environment; own key if it installs
  std::vector<std::string> needs;  ///< host facts an agent must offer, "python=3.11", sorted
  std::uint64_t memory_bytes = 0;  ///< the largest memory limit among its stages
  int depth = 0;                   ///< 0 for the first job of a chain: breadth first works these off in order
};

/// A chain of jobs for one combination, as positions in Planner::jobs(); the last one decides it.
using Chain = std::vector<std::size_t>;

/// Turns combinations into jobs, each distinct key once. Deterministic: equal recipes and combinations in equal order
/// give equal jobs.
class Planner {
 public:
  /// `rungs` are those the run asks for (empty: all of the recipe); stages beyond the highest are left out.
  /// `recipe` must outlive the planner; `recipe_hash` is the digest of all of its files.
  Planner(const Recipe& recipe, std::string recipe_hash, const std::vector<Rung>& rungs);

  /// The chain of `combination`; new jobs are appended to jobs().
  Chain add(const Combination& combination);

  /// The control of the family of `combination` for each entry of the recipe's `controls` that applies, as full
  /// combinations. A combination that is its own control is listed too.
  std::vector<Combination> controls_of(const Combination& combination) const;

  const std::vector<PlannedJob>& jobs() const { return jobs_; }

 private:
  struct Step {
    std::vector<const Stage*> stages;
    std::vector<std::string> axes;  ///< axes this step and all before depend on, sorted
  };

  PlannedJob make_job(std::size_t step, const Combination& combination, const PlannedJob* parent) const;

  const Recipe& recipe_;
  std::string recipe_hash_;
  std::vector<Step> steps_;
  std::vector<PlannedJob> jobs_;
  std::unordered_map<std::string, std::size_t> by_key_;
};

/// "no agent offers driver 550" for the need "driver=550".
std::string missing_need_text(const std::string& need);

}  // namespace crosswarp
