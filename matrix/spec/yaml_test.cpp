// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/yaml.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace crosswarp::spec {
namespace {

std::string rendered(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += render(diagnostic, "f") + '\n';
  return out;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(ReadYaml, KeepsPlacesAndWhatWasQuoted) {
  const YamlDocuments read = read_yaml("a: [x, \"1\"]\nb:\n  c: |\n    text\n---\n!!str 5\n");
  ASSERT_EQ(rendered(read.diagnostics), "");
  ASSERT_EQ(read.documents.size(), 2u);
  const auto& entries = read.documents[0]->entries;
  EXPECT_EQ(entries[0].first->text, "a");
  const Node& list = *entries[0].second;
  EXPECT_TRUE(list.items[0]->plain);
  EXPECT_FALSE(list.items[1]->plain);
  EXPECT_EQ(list.items[1]->place, (Place{1, 8}));
  EXPECT_EQ(entries[1].second->entries[0].second->text, "text\n");
  EXPECT_FALSE(read.documents[1]->plain);
}

TEST(ReadYaml, RefusesWithAPlace) {
  const struct {
    std::string name, text, message;
  } rows[] = {
      {"a duplicate key", "a: 1\nb: 2\na: 3\n", "f:3:1: the key \"a\" is here twice; first at line 1\n"},
      {"a duplicate key within a list", "- {x: 1, x: 2}", "f:1:10: the key \"x\" is here twice; first at line 1\n"},
      {"a key that is a list", "? [a]\n: 1\n", "f:1:3: a key must be a text\n"},
      {"a null key", "~: 1\n", "f:1:1: a key must be a text\n"},
      {"a recursive alias", "&x [*x]\n", "f:1:5: an alias names a node that it is part of\n"},
      {"an alias of nothing", "a: *x\n", "f:1:4: not YAML: the referenced anchor is not defined\n"},
      {"a tag", "a: !!int 5\n", "f:1:4: the tag \"tag:yaml.org,2002:int\" has no meaning here; leave it out\n"},
      {"a zero byte", std::string("a: b\0c", 6), "f:1:5: a control character (byte 0)\n"},
      {"an end of transmission, where the parser would stop", "a: b\n\x04 c", "f:2:1: a control character (byte 4)\n"},
      {"Latin-1", "a: caf\xe9\n", "f:1:7: this is not UTF-8\n"},
      {"an overlong form", "\xc0\xaf", "f:1:1: this is not UTF-8\n"},
      {"UTF-16",
       "\xff\xfe"
       "a",
       "f:1:1: this is not UTF-8\n"},
      {"a tab", "a:\n\tb: [c]\n", "f:2:3: not YAML: illegal map value; a tab cannot indent, use spaces\n"},
      {"an unclosed list", "a: [1, 2\n", "f:2:1: not YAML: end of sequence flow not found\n"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(rendered(read_yaml(row.text).diagnostics), row.message);
  }
}

TEST(ReadYaml, SaysThatTabsDoNotIndent) {
  const std::string message = rendered(read_yaml("a:\n\tb: 1\n").diagnostics);
  EXPECT_NE(message.find("f:2:"), std::string::npos) << message;
}

TEST(ReadYaml, IsBounded) {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1) + ',';
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeated(before, 10) + "]\n";
  }
  std::string tall = "a0: &a0 [x]\n";
  for (int i = 1; i < 100; ++i) {
    tall += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  }
  const struct {
    std::string name, text, message;
  } rows[] = {
      {"50 MB", std::string(50'000'000, 'a'), "50000000 bytes of text; at most 1048576 are read"},
      {"flow depth", std::string(500'000, '['), "nested deeper than 64 levels"},
      {"map depth", repeated("{a: ", 200'000), "nested deeper than 64 levels"},
      {"block depth", repeated("- ", 500'000), "nested deeper than 64 levels"},
      {"key depth", repeated("? ", 500'000), "nested deeper than 64 levels"},
      {"depth by aliases", tall, "nested deeper than 64 levels"},
      {"nodes", repeated("- a\n", 200'000), "more than 100000 nodes, aliases followed"},
      {"documents", repeated("---\n", 200'000), "more than 100000 nodes, aliases followed"},
      {"nodes by aliases", bomb, "more than 100000 nodes, aliases followed"},
      {"text by aliases", "- &a " + std::string(400'000, 'a') + "\n" + repeated("- *a\n", 100),
       "more than 4194304 bytes of text, aliases followed"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto start = std::chrono::steady_clock::now();
    const std::string found = rendered(read_yaml(row.text).diagnostics);
    EXPECT_NE(found.find(row.message), std::string::npos) << found;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  }
}

TEST(ReadYaml, AcceptsSixtyFourLevels) {
  EXPECT_EQ(rendered(read_yaml(repeated("[", 63) + "x" + repeated("]", 63)).diagnostics), "");
  EXPECT_NE(rendered(read_yaml(repeated("[", 64) + "x" + repeated("]", 64)).diagnostics), "");
}

}  // namespace
}  // namespace crosswarp::spec
