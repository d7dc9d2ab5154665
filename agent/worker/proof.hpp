// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/error.hpp"
#include "matrix/spec/recipe.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

/// Judges the evidence that a unit left. Recipes and adapters never judge: they do the thing and leave files. Evidence
/// that is missing or unreadable says nothing of the library (`broken`); evidence that contradicts is `failed`.
namespace crosswarp::worker {

struct Judgement {
  enum class Outcome { holds, contradicts, unusable };
  Outcome outcome = Outcome::unusable;
  std::string code;    ///< stable word when it does not hold: wrong_version, wrong_arch, stub, product_missing...
  std::string reason;  ///< one line, what was found and what was wanted
  boost::json::object found;  ///< the figures, for the table
};

/// What of a job the evidence is held against.
struct Claims {
  const Recipe& recipe;
  const Combination& axes;
  std::string_view lock;         ///< requirements text; for the proof `installed`
  std::string_view environment;  ///< path of the environment as the job sees it
};

/// requirements lines pin every package axis at exactly its value (public part by PEP 440).
Judgement judge_lock(std::string_view lock, const Claims& claims);

/// A JSON list of {"name","version"}: each pinned package in its pinned version, each package axis at its value.
Judgement judge_installed(std::string_view json, const Claims& claims);

/// {"module","version","file","extensions","mapped"}: the version asked for, from the environment, its extensions
/// mapped and nothing mapped from elsewhere than the environment and the system's library folders.
Judgement judge_loaded(std::string_view json, const Claims& claims);

/// {"nvcc","cicc","ptxas","crt"}: one release, that of the toolkit axis.
Judgement judge_toolkit(std::string_view json, const Claims& claims);

/// The report of `gpu-smoke inspect --json` on the file of a `code` proof: device code, all of it for the arch asked
/// for, no stub.
Judgement judge_code(std::string_view report, const Proof& proof, const Claims& claims);

/// The same report for a `product` proof: enough matrix instructions, or enough multiply-adds where these may do.
Judgement judge_product(std::string_view report, const Proof& proof);

/// `${axis}` in `text` replaced by the value of that axis.
std::string with_axes(std::string_view text, const Combination& axes);

}  // namespace crosswarp::worker
