// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/error.hpp"
#include "matrix/spec/recipe.hpp"
#include "matrix/spec/spec.hpp"
#include "server/runs/recipe_source.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosswarp::cli {

/// A recipe as a matrix uses it, and where the matrix asks for what the recipe does not know.
struct OutlineRecipe {
  Recipe recipe;
  std::string hash;
  std::vector<Diagnostic> diagnostics;  ///< of the matrix: axes that the recipe does not know
};

/// Errors: not_found for a recipe that is in no folder; invalid_argument for one with mistakes, naming the first.
Result<OutlineRecipe> outline_recipe(const Spec& spec, const runs::RecipeSource& recipes);

struct OutlineItem {
  std::string library;
  Combination combination;
  std::optional<std::string> unsupported;  ///< why it cannot work
};

/// What a run of a matrix would be.
struct Outline {
  std::uint64_t combinations = 0;
  std::uint64_t unsupported = 0;
  std::size_t jobs = 0;                          ///< distinct ones; controls not counted
  std::map<std::string, std::uint64_t> reasons;  ///< of what cannot work, and how often
};

/// Expands `spec`, giving each combination to `take` in the order of the matrix.
/// Errors: those of expand().
Result<Outline> outline_of(const Spec& spec, const OutlineRecipe& recipe, std::uint64_t limit,
                           const std::function<void(const OutlineItem&)>& take);

}  // namespace crosswarp::cli
