// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/spec.hpp"

#include <gtest/gtest.h>

namespace crosswarp {
namespace {

std::string errors_of(std::string_view yaml) {
  std::string out;
  const ParsedSpecs parsed = parse_specs(yaml);
  for (const Diagnostic& diagnostic : parsed.diagnostics) out += render(diagnostic, "m") + '\n';
  EXPECT_EQ(parsed.specs.empty(), !parsed.ok());
  return out;
}

const std::string kHead = "version: 1\nlibrary: triton\naxes:\n  triton: [3.0.0, 3.1.0]\n  arch: [sm_80, sm_90a]\n";

TEST(ParseSpecs, ReadsEveryPartOfAMatrix) {
  const ParsedSpecs parsed = parse_specs(R"(version: 1
library: triton
rungs: [build, resolve]
axes:
  triton: [3.0.0, "3.10"]
  arch: [9.0a, sm_80, cpu]
include:
  - {triton: 3.0.0, setuptools: none}
exclude:
  - {arch: [sm_80, cpu], triton: ">=3.1"}
constraints:
  - {when: {triton: "<3.1"}, require: {arch: "<=sm_90"}, reason: too old}
  - {forbid: {arch: sm_80, setuptools: none}}
---
version: 1
library: cutlass
recipe: headers
axes: {cuda: ["13.0"]}
)");
  ASSERT_TRUE(parsed.ok()) << render(parsed.diagnostics.front(), "m");
  ASSERT_EQ(parsed.specs.size(), 2u);
  const Spec& spec = parsed.specs[0];
  EXPECT_EQ(spec.recipe, "triton");
  EXPECT_EQ(spec.rungs, (std::vector{Rung::feasible, Rung::resolve, Rung::build}));
  ASSERT_EQ(spec.axes.size(), 2u);
  EXPECT_EQ(spec.axes[0].values, (std::vector<std::string>{"3.0.0", "3.10"}));
  EXPECT_EQ(spec.axes[1].values, (std::vector<std::string>{"sm_90a", "sm_80", "cpu"}));
  EXPECT_EQ(spec.axes[1].place, (Place{6, 3}));
  EXPECT_EQ(spec.include[0].values, (Combination{{"triton", "3.0.0"}, {"setuptools", "none"}}));
  EXPECT_EQ(spec.exclude[0].condition[0].any_of, (std::vector<std::string>{"sm_80", "cpu"}));
  EXPECT_EQ(spec.constraints[0].reason, "too old");
  EXPECT_TRUE(spec.constraints[1].forbids);
  EXPECT_EQ(spec.constraints[1].reason, "arch sm_80 with setuptools none is forbidden by the matrix");
  EXPECT_EQ(parsed.specs[1].recipe, "headers");
  EXPECT_TRUE(parsed.specs[1].rungs.empty());
}

TEST(ParseSpecs, SaysHowToQuoteWhatYamlReadsAsSomethingElse) {
  EXPECT_EQ(errors_of("version: 1\nlibrary: x\naxes:\n  python: [3.10, 3.11.2, on, ~]\n"),
            "m:4:12: axes.python[0]: axis value 3.10 is a number here: write \"3.10\"\n"
            "m:4:26: axes.python[2]: axis value on is a boolean here: write \"on\"\n"
            "m:4:30: axes.python[3]: axis value is null here: write a text in quotes\n");
}

TEST(ParseSpecs, TellsAllMistakesAtOnceWithTheirPlaces) {
  const struct {
    std::string name, yaml, errors;
  } rows[] = {
      {"an empty file", "", "m: the file is empty; a matrix begins with `version: 1`\n"},
      {"only a comment", "# nothing\n", "m: the file is empty; a matrix begins with `version: 1`\n"},
      {"a list", "- a\n", "m:1:1: a map is expected, not a list\n"},
      {"an empty document", "---\n...\n", "m:2:1: a map is expected, not nothing\n"},
      {"missing keys", "{}",
       "m:1:1: the key \"version\" is missing\nm:1:1: the key \"library\" is missing\n"
       "m:1:1: a matrix needs `axes` or `include`\n"},
      {"another version", "version: 2\nlibrary: x\naxes: {a: [b]}\n",
       "m:1:10: version: format version 2 is not known; this program reads 1\n"},
      {"unknown keys", "verson: 1\n" + kHead + "colour: red\n",
       "m:1:1: unknown key \"verson\"; did you mean \"version\"?\n"
       "m:7:1: unknown key \"colour\"; known: version, library, recipe, rungs, axes, include, exclude, constraints\n"},
      {"a reserved axis", "version: 1\nlibrary: x\naxes: {status: [a]}\n",
       "m:3:8: axes.status: no axis may be called \"status\", which queries use for another thing\n"},
      {"an axis that is no name", "version: 1\nlibrary: x\naxes: {a=b: [c]}\n",
       "m:3:8: axes.a=b: axis \"a=b\" is not a name: letters, digits, _ - and ., a letter or _ first, at most 64\n"},
      {"an axis twice", "version: 1\nlibrary: x\naxes:\n  a: [b]\n  a: [c]\n",
       "m:5:3: the key \"a\" is here twice; first at line 4\n"},
      {"an axis in two spellings", "version: 1\nlibrary: x\naxes:\n  a-b: [b]\n  a_b: [c]\n",
       "m:5:3: axes.a_b: axis \"a_b\" is here twice, spelled in two ways\n"},
      {"axes without values", "version: 1\nlibrary: x\naxes: {a: [], b: c, d: }\n",
       "m:3:11: axes.a: an axis without values makes an empty matrix\nm:3:18: axes.b: a list is expected, not \"c\"\n"
       "m:3:24: axes.d: a list is expected, not nothing\n"},
      {"a value twice", "version: 1\nlibrary: x\naxes: {arch: [sm_90a, 9.0a]}\n",
       "m:3:23: axes.arch[1]: value \"sm_90a\" is here twice\n"},
      {"a value with a line break", "version: 1\nlibrary: x\naxes: {a: [\"b\\nc\"]}\n",
       "m:3:12: axes.a[0]: axis value \"b\\x0ac\" must be one line of at most 200 bytes without spaces around it\n"},
      {"no axes", "version: 1\nlibrary: x\naxes: {}\n", "m:1:1: a matrix needs `axes` or `include`\n"},
      {"a specifier where a value stands", "version: 1\nlibrary: x\naxes: {a: [\">=3.0\"]}\ninclude: [{b: \"=>1\"}]\n",
       "m:3:12: axes.a[0]: axis value \">=3.0\" is a specifier; name each value by itself\n"
       "m:4:15: include[0].b: axis value \"=>1\" is a specifier; name each value by itself\n"},
      {"an operator that is none", kHead + "exclude: [{triton: \"=>3.0\"}]\n",
       "m:6:20: exclude[0].triton: \"=>3.0\" is not a version specifier: it starts with none of == != <= >= < > ~= "
       "===\n"},
      {"rungs", kHead + "rungs: [build, compile, build]\n",
       "m:6:16: rungs[1]: unknown rung \"compile\"; known: feasible, resolve, install, load, build, smoke, numerics, "
       "gradients, stable, performance\nm:6:25: rungs[2]: rung \"build\" is here twice\n"},
      {"unknown axes", kHead + "exclude:\n  - {arhc: sm_80}\nconstraints:\n  - {forbid: {driver: \">=1\"}}\n",
       "m:7:6: exclude[0].arhc: unknown axis \"arhc\"; did you mean \"arch\"?\n"
       "m:9:15: constraints[0].forbid.driver: unknown axis \"driver\"; known: triton, arch\n"},
      {"an exclude by an axis that only include has", kHead + "include: [{extra: a}]\nexclude: [{extra: a}]\n",
       "m:7:12: exclude[0].extra: unknown axis \"extra\"; known: triton, arch\n"},
      {"malformed specifiers",
       kHead + "exclude:\n  - {triton: [3.0.0, \">=3.x\"]}\n  - {triton: 3.10}\n  - {triton: []}\n",
       "m:7:22: exclude[0].triton[1]: \">=3.x\" is not a version specifier: \"3.x\" is not a version\n"
       "m:8:14: exclude[1].triton: pattern 3.10 is a number here: write \"3.10\"\n"
       "m:9:14: exclude[2].triton: an empty list accepts nothing\n"},
      {"half a constraint",
       kHead + "constraints:\n  - {when: {arch: sm_80}}\n  - {forbid: {arch: sm_80}, require: {arch: sm_90}}\n",
       "m:7:5: constraints[0]: a constraint is either `when` and `require`, or `forbid` alone\n"
       "m:8:5: constraints[1]: a constraint is either `when` and `require`, or `forbid` alone\n"},
      {"empty rows", kHead + "include: [{}]\nexclude: [{}]\n",
       "m:6:11: include[0]: an empty row\nm:7:11: exclude[0]: an empty condition holds for everything\n"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(errors_of(row.yaml), row.errors);
  }
}

TEST(ParseSpecs, StopsTellingAfterTwoHundredMistakes) {
  std::string yaml = "version: 1\nlibrary: x\naxes: {a: [b]}\nexclude:\n";
  for (int i = 0; i < 30'000; ++i) yaml += "  - {b: c}\n";
  const ParsedSpecs parsed = parse_specs(yaml);
  ASSERT_EQ(parsed.diagnostics.size(), 201u);
  EXPECT_EQ(parsed.diagnostics.back().message, "and 29800 more");
}

TEST(ParseSpecs, FollowsAliases) {
  const ParsedSpecs parsed =
      parse_specs("version: 1\nlibrary: x\naxes: {a: &v [b, c], d: *v}\nexclude:\n  - &row {a: b}\n  - *row\n");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.specs[0].axes[0].values, parsed.specs[0].axes[1].values);
  EXPECT_EQ(parsed.specs[0].exclude.size(), 2u);
}

}  // namespace
}  // namespace crosswarp
