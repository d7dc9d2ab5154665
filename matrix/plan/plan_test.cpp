// SPDX-License-Identifier: Apache-2.0
#include "matrix/plan/plan.hpp"

#include <gtest/gtest.h>

namespace crosswarp {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

Stage stage(Rung rung, std::vector<std::string> depends_on, std::uint64_t memory_bytes = kGiB) {
  Stage made;
  made.rung = rung;
  made.depends_on = std::move(depends_on);
  made.limits.memory_bytes = memory_bytes;
  made.units = {{"main", "true", {}}};
  return made;
}

Recipe triton() {
  Recipe recipe;
  recipe.library = "triton";
  recipe.axes = {{"triton", {AxisKind::package, "triton", {}}},
                 {"python", {AxisKind::interpreter, "", {}}},
                 {"arch", {AxisKind::arch, "", {}}}};
  recipe.stages = {stage(Rung::resolve, {"triton", "python"}), stage(Rung::install, {"triton", "python"}),
                   stage(Rung::load, {"python", "triton"}, 2 * kGiB),
                   stage(Rung::build, {"triton", "python", "arch"}),
                   stage(Rung::smoke, {"triton", "python", "arch", "driver"})};
  recipe.axes["driver"] = {AxisKind::driver, "", {}};
  return recipe;
}

Combination at(const char* version, const char* arch) {
  return {{"triton", version}, {"python", "3.11"}, {"arch", arch}};
}

using Rungs = std::vector<Rung>;
using Needs = std::vector<std::string>;

TEST(Planner, FusesNeighboursOfEqualAxesAndLeavesResolveAlone) {
  const Recipe recipe = triton();
  Planner planner(recipe, "h", {Rung::feasible, Rung::build});
  const Chain chain = planner.add(at("3.3.0", "sm_90"));
  ASSERT_EQ(chain, (Chain{0, 1, 2}));
  EXPECT_EQ(planner.jobs()[0].rungs, Rungs{Rung::resolve});
  EXPECT_EQ(planner.jobs()[1].rungs, (Rungs{Rung::install, Rung::load}));
  EXPECT_EQ(planner.jobs()[2].rungs, Rungs{Rung::build});
  EXPECT_EQ(planner.jobs()[1].memory_bytes, 2 * kGiB);
  EXPECT_EQ(planner.jobs()[2].depth, 2);
}

TEST(Planner, ServesAllCombinationsThatAgreeWithOneJob) {
  const Recipe recipe = triton();
  Planner planner(recipe, "h", {Rung::build});
  EXPECT_EQ(planner.add(at("3.3.0", "sm_90")), (Chain{0, 1, 2}));
  EXPECT_EQ(planner.add(at("3.3.0", "sm_80")), (Chain{0, 1, 3}));
  EXPECT_EQ(planner.add(at("3.2.0", "sm_80")), (Chain{4, 5, 6}));
  EXPECT_EQ(planner.add(at("3.3.0", "sm_90")), (Chain{0, 1, 2}));
  EXPECT_EQ(planner.jobs().size(), 7u);
}

TEST(Planner, LinksEachJobToItsParentAndToItsEnvironment) {
  const Recipe recipe = triton();
  Planner planner(recipe, "h", {Rung::build});
  planner.add(at("3.3.0", "sm_90"));
  const auto& jobs = planner.jobs();
  EXPECT_EQ(jobs[0].parent, "");
  EXPECT_EQ(jobs[0].environment, "");
  EXPECT_EQ(jobs[1].parent, jobs[0].key);
  EXPECT_EQ(jobs[1].environment, jobs[1].key);
  EXPECT_EQ(jobs[2].parent, jobs[1].key);
  EXPECT_EQ(jobs[2].environment, jobs[1].key);
}

TEST(Planner, AddsUpTheAxesOfTheStagesBelow) {
  Recipe recipe = triton();
  recipe.stages = {stage(Rung::resolve, {"triton", "python"}), stage(Rung::build, {"arch"})};
  Planner planner(recipe, "h", {});
  planner.add(at("3.3.0", "sm_90"));
  EXPECT_EQ(planner.jobs()[0].axes, (Combination{{"python", "3.11"}, {"triton", "3.3.0"}}));
  EXPECT_EQ(planner.jobs()[1].axes, at("3.3.0", "sm_90"));
  EXPECT_EQ(planner.jobs()[1].needs, Needs{"python=3.11"});
}

TEST(Planner, MakesKeysOfRecipeRungsAxesAndParent) {
  const Recipe recipe = triton();
  Planner planner(recipe, "h", {Rung::build});
  planner.add(at("3.3.0", "sm_90"));
  EXPECT_EQ(planner.jobs()[0].key, sha256_hex("h\nresolve,\npython=3.11\ntriton=3.3.0\n\n"));
  EXPECT_EQ(planner.jobs()[1].key,
            sha256_hex("h\ninstall,load,\npython=3.11\ntriton=3.3.0\n" + planner.jobs()[0].key + "\n"));
  Planner other(recipe, "h2", {Rung::build});
  other.add(at("3.3.0", "sm_90"));
  EXPECT_NE(other.jobs()[0].key, planner.jobs()[0].key);
}

TEST(Planner, TreatsNoneAndAbsentAlike) {
  const Recipe recipe = triton();
  Planner planner(recipe, "h", {Rung::build});
  const Chain absent = planner.add({{"triton", "3.3.0"}});
  EXPECT_EQ(planner.add({{"triton", "3.3.0"}, {"python", "none"}, {"arch", "none"}}), absent);
  EXPECT_EQ(planner.jobs()[0].needs, Needs{});
}

TEST(Planner, ClimbsNothingWhereOnlyFeasibleIsAsked) {
  const Recipe recipe = triton();
  Planner planner(recipe, "h", {Rung::feasible});
  EXPECT_EQ(planner.add(at("3.3.0", "sm_90")), Chain{});
}

TEST(Planner, KeepsTheRungsBelowTheOneAskedFor) {
  const Recipe recipe = triton();
  Planner planner(recipe, "h", {Rung::load});
  planner.add(at("3.3.0", "sm_90"));
  ASSERT_EQ(planner.jobs().size(), 2u);
  EXPECT_EQ(planner.jobs()[1].rungs, (Rungs{Rung::install, Rung::load}));
}

TEST(Planner, AsksForADeviceOnlyWhereARungNeedsOne) {
  const Recipe recipe = triton();
  Planner planner(recipe, "h", {});
  Combination combination = at("3.3.0", "sm_90a");
  combination["driver"] = "550";
  planner.add(combination);
  ASSERT_EQ(planner.jobs().size(), 4u);
  EXPECT_EQ(planner.jobs()[2].needs, Needs{"python=3.11"});
  EXPECT_EQ(planner.jobs()[3].needs, (Needs{"device=sm_90", "driver=550", "python=3.11"}));
}

TEST(Planner, AsksForAToolkitThatCannotBeInstalled) {
  Recipe recipe;
  recipe.axes = {{"cuda", {AxisKind::toolkit, "", {">=13.0", "==11.8.*"}}},
                 {"host", {AxisKind::compiler, "", {}}},
                 {"os", {AxisKind::os, "", {}}}};
  recipe.stages = {stage(Rung::build, {"cuda", "host", "os"})};
  Planner planner(recipe, "h", {});
  planner.add({{"cuda", "13.0"}});
  planner.add({{"cuda", "11.8"}});
  planner.add({{"cuda", "12.4"}, {"host", "gcc-13"}, {"os", "debian-12"}});
  EXPECT_EQ(planner.jobs()[0].needs, Needs{});
  EXPECT_EQ(planner.jobs()[1].needs, Needs{});
  EXPECT_EQ(planner.jobs()[2].needs, (Needs{"compiler=gcc-13", "os=debian-12", "toolkit=12.4"}));
}

TEST(Planner, TakesTheMemoryOfTheLimitsThatApply) {
  Recipe recipe = triton();
  recipe.stages[3].limits_when = {{{{"arch", {"sm_90a"}, {}}}, std::nullopt, 6 * kGiB, std::nullopt}};
  Planner planner(recipe, "h", {Rung::build});
  planner.add(at("3.3.0", "sm_90a"));
  planner.add(at("3.3.0", "sm_80"));
  EXPECT_EQ(planner.jobs()[2].memory_bytes, 6 * kGiB);
  EXPECT_EQ(planner.jobs()[3].memory_bytes, kGiB);
}

TEST(Controls, LayTheirValuesOverTheCombinationOnceEach) {
  Recipe recipe = triton();
  recipe.controls = {{{"triton", "python"}, {{"arch", "sm_80"}}},
                     {{"triton"}, {{"arch", "sm_80"}}},
                     {{"python"}, {{"triton", "3.5.0"}, {"arch", "sm_90"}}}};
  const Planner planner(recipe, "h", {});
  EXPECT_EQ(planner.controls_of(at("3.3.0", "sm_120")),
            (std::vector{at("3.3.0", "sm_80"), at("3.5.0", "sm_90")}));
  EXPECT_EQ(planner.controls_of(at("3.3.0", "sm_80")).front(), at("3.3.0", "sm_80"));
}

TEST(MissingNeed, IsASentence) {
  EXPECT_EQ(missing_need_text("driver=550"), "no agent offers driver 550");
  EXPECT_EQ(missing_need_text("python=3.11"), "no agent offers python 3.11");
}

}  // namespace
}  // namespace crosswarp
