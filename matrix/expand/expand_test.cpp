// SPDX-License-Identifier: Apache-2.0
#include "matrix/expand/expand.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace crosswarp {
namespace {

/// The axes and rows of a matrix, without its head.
Spec spec_of(const std::string& yaml) {
  const ParsedSpecs parsed = parse_specs("version: 1\nlibrary: x\n" + yaml);
  for (const Diagnostic& diagnostic : parsed.diagnostics) ADD_FAILURE() << render(diagnostic, "m");
  return parsed.specs.at(0);
}

/// One line a combination: "a=1 b=2", with the reason where it is forbidden.
std::string expanded(const Spec& spec) {
  std::string out;
  const Result<void> done = expand(spec, 1'000'000, [&](const Expanded& one) {
    std::string line;
    for (const auto& [axis, value] : one.combination) line += (line.empty() ? "" : " ") + axis + '=' + value;
    if (one.forbidden_by) line += " ! " + *one.forbidden_by;
    out += line + '\n';
  });
  if (!done) out += "error: " + done.error().message;
  return out;
}

std::string expanded(const std::string& yaml) { return expanded(spec_of(yaml)); }

TEST(Expand, VariesTheLastAxisFastest) {
  EXPECT_EQ(expanded("axes: {b: [s, t], a: [p, q]}\n"), "a=p b=s\na=q b=s\na=p b=t\na=q b=t\n");
}

// The worked example of GitHub's documentation, "Expanding or adding matrix configurations".
TEST(Expand, IncludesAsGitHubDocumentsIt) {
  EXPECT_EQ(expanded(R"(axes:
  fruit: [apple, pear]
  animal: [cat, dog]
include:
  - color: green
  - {color: pink, animal: cat}
  - {fruit: apple, shape: circle}
  - {fruit: banana}
  - {fruit: banana, animal: cat}
)"),
            "animal=cat color=pink fruit=apple shape=circle\n"
            "animal=dog color=green fruit=apple shape=circle\n"
            "animal=cat color=pink fruit=pear\n"
            "animal=dog color=green fruit=pear\n"
            "fruit=banana\n"
            "animal=cat fruit=banana\n");
}

TEST(Expand, MakesCombinationsOfIncludeAlone) {
  EXPECT_EQ(expanded("include:\n  - {site: production}\n  - {site: staging}\n"), "site=production\nsite=staging\n");
}

TEST(Expand, GivesNoCombinationTwice) {
  EXPECT_EQ(expanded("axes: {a: [p]}\ninclude:\n  - {a: p}\n  - {a: q}\n  - {a: q, b: none}\n  - {a: q}\n"),
            "a=p\na=q\n");
}

TEST(Expand, ExcludesByPattern) {
  EXPECT_EQ(expanded("axes: {cuda: [\"12.8\", \"13.0\"], arch: [sm_70, sm_90a]}\nexclude:\n"
                     "  - {cuda: \">=13\", arch: sm_70}\n"),
            "arch=sm_70 cuda=12.8\narch=sm_90a cuda=12.8\narch=sm_90a cuda=13.0\n");
  EXPECT_EQ(expanded("axes: {a: [p, q, r]}\nexclude:\n  - {a: [p, r]}\n"), "a=q\n");
}

TEST(Expand, IncludesWhatWasExcludedAfterwards) {
  EXPECT_EQ(expanded("axes: {a: [p, q]}\nexclude: [{a: p}]\ninclude: [{a: p, b: x}]\n"), "a=q\na=p b=x\n");
}

TEST(Expand, KeepsForbiddenCombinationsWithTheFirstReason) {
  EXPECT_EQ(expanded(R"(axes:
  cuda: ["12.8", "13.0"]
  driver: ["550.54", "580.65"]
  arch: [sm_70, sm_90]
constraints:
  - {when: {cuda: ">=13.0"}, require: {driver: ">=580"}, reason: driver too old}
  - {forbid: {arch: sm_70, cuda: ">=13"}, reason: arch dropped}
)"),
            "arch=sm_70 cuda=12.8 driver=550.54\narch=sm_90 cuda=12.8 driver=550.54\n"
            "arch=sm_70 cuda=12.8 driver=580.65\narch=sm_90 cuda=12.8 driver=580.65\n"
            "arch=sm_70 cuda=13.0 driver=550.54 ! driver too old\narch=sm_90 cuda=13.0 driver=550.54 ! driver too old\n"
            "arch=sm_70 cuda=13.0 driver=580.65 ! arch dropped\narch=sm_90 cuda=13.0 driver=580.65\n");
}

TEST(Expand, HoldsConstraintsAgainstWhatIncludeAdds) {
  EXPECT_EQ(expanded(R"(axes: {a: [p, q]}
include:
  - {a: p, extra: x}
  - {a: r, extra: x}
constraints:
  - {forbid: {a: r}, reason: never r}
  - {forbid: {extra: x}, reason: never x}
)"),
            "a=p extra=x ! never x\na=q\na=r extra=x ! never r\n");
}

TEST(Expand, RefusesWhatIsTooLargeBeforeItBegins) {
  Spec spec;
  for (int i = 0; i < 12; ++i) spec.axes.push_back({"a" + std::to_string(i), std::vector<std::string>(10, "v"), {}});
  EXPECT_EQ(raw_size(spec), 1'000'000'000'000u);
  const Result<void> done = expand(spec, 100'000, [](const Expanded&) { FAIL(); });
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::too_large);
  EXPECT_EQ(done.error().message,
            "the matrix stands for 1000000000000 combinations before exclusion; at most 100000 are expanded");
}

TEST(RawSize, Saturates) {
  Spec spec;
  for (int i = 0; i < 64; ++i) spec.axes.push_back({"a" + std::to_string(i), {"x", "y", "z"}, {}});
  EXPECT_EQ(raw_size(spec), std::numeric_limits<std::uint64_t>::max());
  spec.include.resize(5);
  EXPECT_EQ(raw_size(spec), std::numeric_limits<std::uint64_t>::max());
  spec.axes.push_back({"empty", {}, {}});
  EXPECT_EQ(raw_size(spec), 5u);
}

TEST(Expand, RefusesAxesAndPatternsThatCannotBe) {
  Spec spec = spec_of("axes: {a: [p]}\n");
  spec.exclude.push_back({{{"b", {"p"}, {3, 4}}}, {3, 3}});
  EXPECT_EQ(expanded(spec), "error: unknown axis \"b\" at line 3, column 4");
  spec.exclude[0].condition[0] = {"a", {">=x"}, {3, 4}};
  EXPECT_EQ(expanded(spec), "error: \">=x\" is not a version specifier: \"x\" is not a version");
}

TEST(Expand, StreamsAMillionCombinations) {
  Spec spec;
  for (int i = 0; i < 6; ++i) {
    spec.axes.push_back({"axis" + std::to_string(i), {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, {}});
  }
  std::uint64_t count = 0;
  ASSERT_TRUE(expand(spec, 1'000'000, [&](const Expanded&) { ++count; }).has_value());
  EXPECT_EQ(count, 1'000'000u);
}

}  // namespace
}  // namespace crosswarp
