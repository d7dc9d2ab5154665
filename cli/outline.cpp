// SPDX-License-Identifier: Apache-2.0
#include "cli/outline.hpp"

#include "matrix/expand/expand.hpp"
#include "matrix/facts/facts.hpp"
#include "matrix/plan/plan.hpp"

namespace crosswarp::cli {
namespace {

std::string known_axes(const Recipe& recipe) {
  std::string text;
  for (const auto& [name, axis] : recipe.axes) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

Result<OutlineRecipe> outline_recipe(const Spec& spec, const runs::RecipeSource& recipes) {
  const Result<runs::RecipeFiles> files = recipes.read(spec.recipe);
  if (!files) return files.error();
  ParsedRecipe parsed = parse_recipe(files->yaml);
  if (!parsed.ok()) {
    return Error{ErrorCode::invalid_argument, render(parsed.diagnostics.front(), spec.recipe + "/recipe.yaml")};
  }
  OutlineRecipe found{std::move(parsed.recipe), files->hash, {}};
  for (const Axis& axis : spec.axes) {
    if (found.recipe.axes.contains(axis.name)) continue;
    found.diagnostics.push_back({Severity::error, axis.place, "axes." + axis.name,
                                 "the recipe \"" + spec.recipe + "\" knows no such axis; known: " +
                                     known_axes(found.recipe)});
  }
  return found;
}

Result<Outline> outline_of(const Spec& spec, const OutlineRecipe& recipe, std::uint64_t limit,
                           const std::function<void(const OutlineItem&)>& take) {
  Planner planner(recipe.recipe, recipe.hash, spec.rungs);
  Outline outline;
  const Result<void> expanded = expand(spec, limit, [&](const Expanded& one) {
    OutlineItem item{spec.library, one.combination, one.forbidden_by};
    if (!item.unsupported) {
      if (const auto fact = infeasible(one.combination, recipe.recipe)) item.unsupported = fact->reason;
    }
    ++outline.combinations;
    if (item.unsupported) {
      ++outline.unsupported;
      ++outline.reasons[*item.unsupported];
    } else {
      planner.add(one.combination);
    }
    take(item);
  });
  if (!expanded) return expanded.error();
  outline.jobs = planner.jobs().size();
  return outline;
}

}  // namespace crosswarp::cli
