// SPDX-License-Identifier: Apache-2.0
#include "matrix/facts/tables.hpp"

#include "matrix/base/error.hpp"
#include "matrix/facts/data.hpp"

#include <yaml-cpp/yaml.h>

#include <array>
#include <utility>

namespace crosswarp::facts {
namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& message) {
  throw ErrorException({ErrorCode::invalid_argument, std::string(name) + ": " + message});
}

std::string text_of(const YAML::Node& node, const char* key, const std::string& otherwise = {}) {
  return node[key].as<std::string>(otherwise);
}

AxisKind kind_of(std::string_view name, const YAML::Node& root, const char* key) {
  constexpr std::array kKinds{std::pair{"arch", AxisKind::arch}, std::pair{"toolkit", AxisKind::toolkit},
                              std::pair{"driver", AxisKind::driver}, std::pair{"compiler", AxisKind::compiler}};
  const std::string text = text_of(root, key);
  for (const auto& [word, kind] : kKinds) {
    if (text == word) return kind;
  }
  refuse(name, std::string(key) + " is \"" + text + "\"; known: arch, toolkit, driver, compiler");
}

Entry entry_from(std::string_view name, const YAML::Node& root, const YAML::Node& node) {
  const auto inherited = [&](const char* key) { return text_of(node, key, text_of(root, key)); };
  Entry entry{.subject = text_of(node, "subject"),
              .tool = text_of(node, "tool"),
              .first = text_of(node, "first"),
              .last = text_of(node, "last"),
              .source = inherited("source"),
              .confidence = inherited("confidence"),
              .basis = inherited("basis")};
  if (entry.subject.empty()) refuse(name, "an entry has no subject");
  if (entry.source.empty() || entry.confidence.empty() || entry.basis.empty()) {
    refuse(name, entry.subject + " needs a source, a confidence and a basis");
  }
  return entry;
}

}  // namespace

bool Entry::may_reject() const {
  return confidence == "high" || (confidence == "medium" && basis != "recalled");
}

Table parse_table(std::string_view name, std::string_view yaml) {
  try {
    const YAML::Node root = YAML::Load(std::string(yaml));
    if (text_of(root, "format") != "1") refuse(name, "format is not 1");
    Table table{.fact = text_of(root, "fact"),
                .subject = kind_of(name, root, "subject"),
                .range_of = kind_of(name, root, "range_of"),
                .below = text_of(root, "below"),
                .above = text_of(root, "above"),
                .entries = {}};
    if (table.fact.empty()) refuse(name, "the table has no fact id");
    for (const YAML::Node& node : root["entries"]) table.entries.push_back(entry_from(name, root, node));
    return table;
  } catch (const YAML::Exception& error) {
    refuse(name, error.what());
  }
}

const std::vector<Table>& built_in_tables() {
  static const std::vector<Table> tables = [] {
    std::vector<Table> read;
    for (const auto& file : kFactFiles) read.push_back(parse_table(file.name, file.text));
    return read;
  }();
  return tables;
}

}  // namespace crosswarp::facts
