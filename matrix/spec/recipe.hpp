// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/ladder.hpp"
#include "matrix/spec/diagnostic.hpp"
#include "matrix/spec/spec.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp {

/// What an axis is a setting of. Packages and (where `installable` says so) toolkits can be installed by a stage;
/// the others are what a host has or has not. `arch` is a host's only at the rungs that need a device.
enum class AxisKind { package, toolkit, interpreter, arch, driver, compiler, os, option };

struct RecipeAxis {
  AxisKind kind = AxisKind::option;
  std::string package;                   ///< kind package: its name on the index
  std::vector<std::string> installable;  ///< kind toolkit: specifier sets, any of which can be installed by a stage
};

/// Bounds on one unit of a stage, enforced by the container or by the runner inside it.
struct Limits {
  std::chrono::seconds time{300};
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  int processes = 256;
};

/// Limits that take the place of the stage's where `when` holds; what is absent stays.
struct LimitsWhen {
  Condition when;
  std::optional<std::chrono::seconds> time;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<int> processes;
};

/// What must be found in the evidence a unit left, judged by the agent after exit 0. `file` lies in $CROSSWARP_OUT.
struct Proof {
  enum class Kind { lock, installed, loaded, toolkit, code, product };
  Kind kind = Kind::lock;
  std::string file;
  std::string arch;                 ///< code: wanted target, `${axis}` replaced
  bool suffix_allowed = false;      ///< code: sm_90a counts for sm_90
  int matrix = 0;                   ///< product: at least so many matrix instructions
  std::optional<int> fma;           ///< product: or at least so many fused multiply-adds
};

/// A process of its own within a stage; all units are run even when one fails.
struct Unit {
  std::string name;  ///< the rung's name where the stage has a single `run`
  std::string run;   ///< text for `sh -eu -c`
  std::vector<Proof> proofs;
};

struct Stage {
  Rung rung = Rung::resolve;
  std::vector<std::string> depends_on;  ///< axes whose values enter the job key
  bool network = false;
  Evidence evidence = Evidence::resolved;
  Limits limits;
  std::vector<LimitsWhen> limits_when;
  std::vector<Unit> units;
};

/// A family is the combinations that agree on `per`; its control is the one with `with` set, and must pass before
/// failures of the family are believed.
struct Control {
  std::vector<std::string> per;
  Combination with;
};

/// How a library is taken up the ladder; from recipe.yaml, format version 1.
struct Recipe {
  std::string library;
  std::string title;
  std::string image;
  std::map<std::string, RecipeAxis, std::less<>> axes;
  std::vector<Stage> stages;  ///< in the order they are climbed
  std::vector<Control> controls;
};

struct ParsedRecipe {
  Recipe recipe;
  std::vector<Diagnostic> diagnostics;
  bool ok() const { return !has_errors(diagnostics); }
};

/// Reads a recipe; same bounds and strictness as parse_specs.
ParsedRecipe parse_recipe(std::string_view yaml);

/// The limits of `stage` for `combination`: the first matching `limits_when` laid over `limits`.
Limits limits_for(const Stage& stage, const Combination& combination);

}  // namespace crosswarp
