// SPDX-License-Identifier: Apache-2.0
#include "server/runs/preparation.hpp"

#include "matrix/expand/expand.hpp"
#include "matrix/facts/facts.hpp"
#include "matrix/spec/recipe.hpp"
#include "matrix/spec/spec.hpp"

#include <algorithm>
#include <map>

namespace crosswarp::runs {
namespace {

Diagnostic error_at(Place place, std::string field, std::string message) {
  return {Severity::error, place, std::move(field), std::move(message)};
}

/// An axis that the recipe does not know would be ignored by every stage: an error, at its place.
void check_axis(const std::string& axis, Place place, const Recipe& recipe, std::vector<Diagnostic>& diagnostics) {
  if (recipe.axes.contains(axis)) return;
  std::string known;
  for (const auto& [name, ignored] : recipe.axes) known += (known.empty() ? "" : ", ") + name;
  diagnostics.push_back(error_at(place, "axes." + axis,
                                 "the recipe of " + recipe.library + " has no axis \"" + axis + "\"; known: " + known));
}

void check_axes(const Spec& spec, const Recipe& recipe, std::vector<Diagnostic>& diagnostics) {
  for (const auto& axis : spec.axes) check_axis(axis.name, axis.place, recipe, diagnostics);
  for (const auto& row : spec.include)
    for (const auto& [axis, value] : row.values) check_axis(axis, row.place, recipe, diagnostics);
}

/// A rung that the recipe cannot climb must not be asked for: it would count as climbed by being left out.
void check_rungs(const Spec& spec, const Recipe& recipe, std::vector<Diagnostic>& diagnostics) {
  std::string known(to_text(Rung::feasible));
  for (const Stage& stage : recipe.stages) known += ", " + std::string(to_text(stage.rung));
  for (const Rung rung : spec.rungs) {
    const auto has = [rung](const Stage& stage) { return stage.rung == rung; };
    if (rung == Rung::feasible || std::any_of(recipe.stages.begin(), recipe.stages.end(), has)) continue;
    diagnostics.push_back(error_at({}, "rungs", "the recipe of " + recipe.library + " has no rung \"" +
                                                    std::string(to_text(rung)) + "\"; known: " + known));
  }
}

/// Reads the recipe of `spec`; nothing, with the reason among `diagnostics`, where it cannot be used.
std::optional<Recipe> read_recipe(const Spec& spec, const RecipeSource& recipes, RecipeFiles& files,
                                  std::vector<Diagnostic>& diagnostics) {
  const auto name = spec.recipe.empty() ? spec.library : spec.recipe;
  auto found = recipes.read(name);
  if (found.has_error()) {
    diagnostics.push_back(error_at({}, "recipe", found.error().message));
    return std::nullopt;
  }
  files = std::move(*found);
  auto parsed = parse_recipe(files.yaml);
  for (const auto& diagnostic : parsed.diagnostics)
    if (diagnostic.severity == Severity::error)
      diagnostics.push_back(error_at({}, "recipe", render(diagnostic, name + "/recipe.yaml")));
  if (!parsed.ok()) return std::nullopt;
  check_axes(spec, parsed.recipe, diagnostics);
  check_rungs(spec, parsed.recipe, diagnostics);
  return std::move(parsed.recipe);
}

/// Turns the combinations of one matrix into jobs and controls, one after another.
class Builder {
 public:
  Builder(const Recipe& recipe, const std::vector<Rung>& rungs, bool verify, PreparedMatrix& matrix)
      : recipe_(recipe), planner_(recipe, matrix.recipe.hash, rungs), verify_(verify), matrix_(matrix) {}

  void add(const Expanded& expanded) {
    PreparedCombination combination{expanded.combination, unsupported(expanded), std::nullopt, {}};
    if (!combination.unsupported) plan(combination);
    matrix_.combinations.push_back(std::move(combination));
  }

  void finish() {
    matrix_.jobs = planner_.jobs();
    matrix_.needed.resize(matrix_.jobs.size());
  }

 private:
  std::optional<Unsupported> unsupported(const Expanded& expanded) const {
    if (expanded.forbidden_by) return Unsupported{"constraint", *expanded.forbidden_by, "matrix"};
    if (verify_) return std::nullopt;
    const auto fact = infeasible(expanded.combination, recipe_);
    return fact ? std::optional(Unsupported{fact->fact, fact->reason, fact->source}) : std::nullopt;
  }

  void plan(PreparedCombination& combination) {
    const auto chain = planner_.add(combination.axes);
    if (chain.empty()) return;
    combination.leaf = chain.back();
    need(chain, chain.size());
    for (const auto& control : planner_.controls_of(combination.axes))
      combination.controls.push_back(control_of(control));
  }

  std::size_t control_of(const Combination& axes) {
    const auto [found, is_new] = controls_.try_emplace(canonical_text(axes), matrix_.controls.size());
    if (is_new) {
      const auto chain = planner_.add(axes);
      need(chain, chain.size() - 1);
      matrix_.controls.push_back({axes, chain.back()});
    }
    return found->second;
  }

  /// Marks the first `count` jobs of `chain` as work.
  void need(const Chain& chain, std::size_t count) {
    matrix_.needed.resize(planner_.jobs().size());
    for (std::size_t i = 0; i < count; ++i) matrix_.needed[chain[i]] = true;
  }

  const Recipe& recipe_;
  Planner planner_;
  bool verify_;
  PreparedMatrix& matrix_;
  std::map<std::string, std::size_t> controls_;
};

Result<void> prepare_one(const Spec& spec, const RecipeSource& recipes, bool verify, std::uint64_t limit,
                         Preparation& preparation) {
  PreparedMatrix matrix;
  matrix.library = spec.library;
  const auto recipe = read_recipe(spec, recipes, matrix.recipe, preparation.diagnostics);
  if (!recipe || !preparation.ok()) return {};
  Builder builder(*recipe, spec.rungs, verify, matrix);
  const auto expanded = expand(spec, limit, [&](const Expanded& one) { builder.add(one); });
  if (expanded.has_error()) {
    if (expanded.error().code == ErrorCode::too_large) return expanded.error();
    preparation.diagnostics.push_back(error_at({}, "axes", expanded.error().message));
    return {};
  }
  builder.finish();
  preparation.matrices.push_back(std::move(matrix));
  return {};
}

}  // namespace

Result<Preparation> prepare(std::string_view yaml, const RecipeSource& recipes, bool verify, std::uint64_t limit) {
  auto parsed = parse_specs(yaml);
  Preparation preparation;
  preparation.diagnostics = std::move(parsed.diagnostics);
  if (!preparation.ok()) return preparation;
  for (const auto& spec : parsed.specs)
    if (auto done = prepare_one(spec, recipes, verify, limit, preparation); done.has_error()) return done.error();
  return preparation;
}

}  // namespace crosswarp::runs
