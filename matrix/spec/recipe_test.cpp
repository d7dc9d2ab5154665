// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/recipe.hpp"

#include <gtest/gtest.h>

namespace crosswarp {
namespace {

const std::string kRecipe = R"(version: 1
library: triton
title: Triton
image: host
axes:
  triton: {kind: package}
  python: {kind: interpreter}
  arch: {kind: arch}
  cuda: {kind: toolkit, installable: ">=13.0 || ==11.8.*"}
stages:
  - rung: resolve
    depends_on: [triton, python]
    network: true
    limits: {time: 2m, memory: 1GiB, processes: 128}
    limits_when:
      - {when: {arch: [sm_90a, sm_100a]}, limits: {time: 15m}}
      - {when: {arch: ">=sm_90"}, limits: {memory: 6GiB}}
    run: |
      echo ok
    proof:
      - lock: {file: lock.txt}
  - rung: build
    units:
      - name: matmul
        run: compile matmul
        proof:
          - code: {file: matmul.cubin, arch: "${arch}", suffix: allowed}
          - product: {file: matmul.ptx, matrix: 1, fma: 256}
      - {name: softmax, run: compile softmax}
controls:
  - {per: [triton, python], with: {arch: 8.0a}}
)";

std::string errors_of(std::string_view yaml) {
  std::string out;
  for (const Diagnostic& diagnostic : parse_recipe(yaml).diagnostics) out += render(diagnostic, "r") + '\n';
  return out;
}

std::string with(std::string_view from, std::string_view to) {
  std::string text = kRecipe;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(ParseRecipe, ReadsEveryPart) {
  ASSERT_EQ(errors_of(kRecipe), "");
  const Recipe recipe = parse_recipe(kRecipe).recipe;
  EXPECT_EQ(recipe.axes.at("triton").package, "triton");
  EXPECT_EQ(recipe.axes.at("cuda").kind, AxisKind::toolkit);
  EXPECT_EQ(recipe.axes.at("cuda").installable, (std::vector<std::string>{">=13.0", "==11.8.*"}));
  ASSERT_EQ(recipe.stages.size(), 2u);
  const Stage& resolve = recipe.stages[0];
  EXPECT_TRUE(resolve.network);
  EXPECT_EQ(resolve.depends_on, (std::vector<std::string>{"triton", "python"}));
  EXPECT_EQ(resolve.units[0].name, "resolve");
  EXPECT_EQ(resolve.units[0].run, "echo ok\n");
  EXPECT_EQ(resolve.units[0].proofs[0].kind, Proof::Kind::lock);
  const Stage& build = recipe.stages[1];
  EXPECT_EQ(build.evidence, Evidence::compiled);
  EXPECT_EQ(build.depends_on, (std::vector<std::string>{"arch", "cuda", "python", "triton"}));
  ASSERT_EQ(build.units.size(), 2u);
  const std::vector<Proof>& proofs = build.units[0].proofs;
  EXPECT_EQ(proofs[0].arch, "${arch}");
  EXPECT_TRUE(proofs[0].suffix_allowed);
  EXPECT_EQ(proofs[1].matrix, 1);
  EXPECT_EQ(proofs[1].fma, 256);
  EXPECT_EQ(recipe.controls[0].with, (Combination{{"arch", "sm_80a"}}));
}

TEST(LimitsFor, LaysTheFirstThatMatchesOverTheStage) {
  const Stage stage = parse_recipe(kRecipe).recipe.stages[0];
  const Limits plain = limits_for(stage, {{"arch", "sm_80"}});
  EXPECT_EQ(plain.time, std::chrono::minutes(2));
  EXPECT_EQ(plain.memory_bytes, std::uint64_t{1} << 30);
  EXPECT_EQ(plain.processes, 128);
  const Limits first = limits_for(stage, {{"arch", "sm_90a"}});
  EXPECT_EQ(first.time, std::chrono::minutes(15));
  EXPECT_EQ(first.memory_bytes, std::uint64_t{1} << 30);
  const Limits second = limits_for(stage, {{"arch", "sm_120a"}});
  EXPECT_EQ(second.time, std::chrono::minutes(2));
  EXPECT_EQ(second.memory_bytes, std::uint64_t{6} << 30);
}

TEST(ParseRecipe, RefusesWithAPlace) {
  const struct {
    std::string name, yaml, errors;
  } rows[] = {
      {"an empty file", "", "r: the file is empty; a recipe begins with `version: 1`\n"},
      {"two documents", kRecipe + "---\n{}\n", "r:33:1: a recipe is one YAML document; here begins a second one\n"},
      {"no image", with("image: host\n", ""), "r:1:1: the key \"image\" is missing\n"},
      {"an unknown kind", with("kind: arch", "kind: arc"),
       "r:8:16: axes.arch.kind: unknown kind \"arc\"; did you mean \"arch\"?\n"},
      {"no axis of the library", with("library: triton", "library: tritom"),
       "r:6:3: axes: unknown axis \"tritom\"; did you mean \"triton\"?\n"},
      {"a package of an interpreter", with("{kind: interpreter}", "{kind: interpreter, package: p}"),
       "r:7:40: axes.python.package: only an axis of the kind package has one\n"},
      {"a malformed installable", with("==11.8.*", "11.x || >="),
       "r:9:38: axes.cuda.installable: \">=\" is not a version specifier: \"\" is not a version\n"},
      {"limits without units", with("{time: 2m, memory: 1GiB,", "{time: 2 m, memory: 1GB,"),
       "r:14:20: stages[0].limits.time: \"2 m\" is not a duration; write it with its unit: 90s, 2m, 1h\n"
       "r:14:33: stages[0].limits.memory: \"1GB\" is not a size; write it with its unit: 512MiB, 2GiB\n"},
      {"a rung twice", with("rung: build", "rung: resolve"),
       "r:22:5: stages[1]: rung \"resolve\" has a stage already\n"},
      {"nothing to run", with("        run: compile matmul\n", ""),
       "r:24:9: stages[1].units[0]: the key \"run\" is missing\n"},
      {"run and units", with("    units:", "    run: x\n    units:"),
       "r:22:5: stages[1]: a stage has either `run` with `proof`, or `units`\n"},
      {"a unit twice", with("name: softmax", "name: matmul"),
       "r:29:16: stages[1].units[1].name: unit \"matmul\" is here twice\n"},
      {"an unknown proof", with("lock:", "locked:"),
       "r:21:9: stages[0].proof[0]: unknown proof \"locked\"; did you mean \"lock\"?\n"},
      {"a key of another proof", with("{file: lock.txt}", "{file: lock.txt, arch: sm_80}"),
       "r:21:32: stages[0].proof[0].lock: unknown key \"arch\"; known: file\n"},
      {"evidence outside its folder", with("file: lock.txt", "file: ../lock.txt"),
       "r:21:22: stages[0].proof[0].lock.file: \"../lock.txt\" must lie in the evidence folder\n"},
      {"a reference to no axis", with("\"${arch}\"", "\"${ach}\""),
       "r:27:46: stages[1].units[0].proof[0].code.arch: unknown axis \"ach\"; did you mean \"arch\"?\n"},
      {"a control of no axis", with("with: {arch: 8.0a}", "with: {gpu: x}"),
       "r:31:35: controls[0].with: unknown axis \"gpu\"; known: arch, cuda, python, triton\n"},
      {"no boolean", with("network: true", "network: yes"),
       "r:13:14: stages[0].network: true or false is expected, not \"yes\"\n"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(errors_of(row.yaml), row.errors);
  }
}

}  // namespace
}  // namespace crosswarp
