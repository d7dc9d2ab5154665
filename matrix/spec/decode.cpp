// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/decode.hpp"

#include "matrix/spec/scalar.hpp"
#include "matrix/version/arch.hpp"
#include "matrix/version/match.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace crosswarp::spec {
namespace {

constexpr std::array<std::string_view, 8> kReservedAxes{"library",  "version", "status", "rung",
                                                        "evidence", "cursor",  "limit",  "sort"};

std::string kind_name(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return "nothing";
    case Node::Kind::scalar: return in_quotes(node.text);
    case Node::Kind::list: return "a list";
    case Node::Kind::map: break;
  }
  return "a map";
}

std::string member_path(std::string_view field, std::string_view key) {
  return field.empty() ? std::string(key) : std::string(field) + '.' + std::string(key);
}

/// Levenshtein's distance, for words that are short.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t changed = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

std::string how_to_quote(std::string_view what, std::string_view text, ScalarKind kind) {
  const std::string_view read_as = kind == ScalarKind::number    ? "a number"
                                   : kind == ScalarKind::boolean ? "a boolean"
                                                                 : "null";
  return std::string(what) + ' ' + std::string(text) + " is " + std::string(read_as) + " here: write \"" +
         std::string(text) + '"';
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool is_name(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  if (text.empty() || text.size() > kLongest || !is_name_character(text.front())) return false;
  const char first = text.front();
  return first != '-' && first != '.' && !(first >= '0' && first <= '9') &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

std::vector<std::string> read_patterns(const Node& node, std::string_view field, Findings& findings) {
  const bool list = node.kind == Node::Kind::list;
  std::vector<std::string> patterns;
  const auto read = [&](const Node& item, const std::string& path) {
    const auto pattern = read_text(item, path, "pattern", findings);
    if (!pattern) return;
    if (const Result<void> checked = check_pattern(*pattern); !checked) {
      findings.error(item.place, path, checked.error().message);
      return;
    }
    patterns.push_back(*pattern);
  };
  if (!list) read(node, std::string(field));
  for (std::size_t i = 0; i < node.items.size(); ++i) read(*node.items[i], item_path(field, i));
  if (list && node.items.empty()) findings.error(node.place, field, "an empty list accepts nothing");
  return patterns;
}

/// The name in `known` nearest to `name`, or where none is near all that are known.
std::string nearest_hint(std::string_view name, std::span<const std::string_view> known) {
  constexpr std::size_t kLongest = 64;
  constexpr std::size_t kMostListed = 12;
  std::size_t shortest = kLongest;
  std::string_view nearest;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(name.substr(0, kLongest), candidate);
    if (distance < shortest) std::tie(shortest, nearest) = std::tuple(distance, candidate);
  }
  if (shortest <= std::max<std::size_t>(2, nearest.size() / 3)) return "; did you mean " + in_quotes(nearest) + "?";
  std::string all;
  for (const std::string_view candidate : known.first(std::min(known.size(), kMostListed))) {
    all.append(all.empty() ? "; known: " : ", ").append(candidate);
  }
  return all;
}

}  // namespace

std::string item_path(std::string_view field, std::size_t index) {
  return std::string(field) + '[' + std::to_string(index) + ']';
}

void Findings::error(Place place, std::string_view field, std::string message) {
  if (diagnostics_.size() < kMaxDiagnostics) {
    diagnostics_.push_back({Severity::error, place, std::string(field), std::move(message)});
  } else {
    ++dropped_;
  }
}

void Findings::unknown(Place place, std::string_view field, std::string_view what, std::string_view name,
                       std::span<const std::string_view> known) {
  // The search for the nearest name is what costs, so a hostile file gets it only as often as it is told.
  const std::string hint = diagnostics_.size() < kMaxDiagnostics ? nearest_hint(name, known) : std::string();
  error(place, field, "unknown " + std::string(what) + ' ' + in_quotes(name) + hint);
}

void Findings::finish() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& left, const Diagnostic& right) {
    return std::tie(left.place.line, left.place.column) < std::tie(right.place.line, right.place.column);
  });
  if (dropped_ == 0) return;
  diagnostics_.push_back({Severity::error, {}, "", "and " + std::to_string(dropped_) + " more"});
}

Fields::Fields(const Node* node, std::string path, std::initializer_list<std::string_view> known, Findings& findings)
    : node_(node), path_(std::move(path)), findings_(findings) {
  if (!node_) return;
  for (const auto& [key, value] : node_->entries) {
    if (std::find(known.begin(), known.end(), key->text) != known.end()) continue;
    findings_.unknown(key->place, path_, "key", key->text, std::span(known.begin(), known.size()));
  }
}

const Node* Fields::find(std::string_view key) const {
  if (!node_) return nullptr;
  const auto found = std::find_if(node_->entries.begin(), node_->entries.end(),
                                  [&](const auto& entry) { return entry.first->text == key; });
  return found == node_->entries.end() ? nullptr : found->second.get();
}

const Node* Fields::require(std::string_view key) const {
  const Node* found = find(key);
  if (!found && node_) findings_.error(node_->place, path_, "the key " + in_quotes(key) + " is missing");
  return found;
}

std::string Fields::path_of(std::string_view key) const { return member_path(path_, key); }

const Node* read_map(const Node& node, std::string_view field, Findings& findings) {
  if (node.kind == Node::Kind::map) return &node;
  findings.error(node.place, field, "a map is expected, not " + kind_name(node));
  return nullptr;
}

const Node* read_list(const Node& node, std::string_view field, Findings& findings) {
  if (node.kind == Node::Kind::list) return &node;
  findings.error(node.place, field, "a list is expected, not " + kind_name(node));
  return nullptr;
}

std::optional<std::string> read_text(const Node& node, std::string_view field, std::string_view what,
                                     Findings& findings) {
  if (node.kind == Node::Kind::null) {
    findings.error(node.place, field, std::string(what) + " is null here: write a text in quotes");
    return std::nullopt;
  }
  if (node.kind != Node::Kind::scalar) {
    findings.error(node.place, field, std::string(what) + " must be a text, not " + kind_name(node));
    return std::nullopt;
  }
  const ScalarKind kind = node.plain ? kind_of_plain_scalar(node.text) : ScalarKind::text;
  if (kind != ScalarKind::text) {
    findings.error(node.place, field, how_to_quote(what, node.text, kind));
    return std::nullopt;
  }
  if (node.text.empty()) {
    findings.error(node.place, field, std::string(what) + " is empty");
    return std::nullopt;
  }
  return node.text;
}

std::optional<int> read_integer(const Node& node, std::string_view field, int least, Findings& findings) {
  constexpr std::size_t kMostDigits = 9;
  const bool digits = node.kind == Node::Kind::scalar && node.plain && !node.text.empty() &&
                      node.text.size() <= kMostDigits &&
                      node.text.find_first_not_of("0123456789") == std::string::npos;
  const std::optional<int> number = digits ? std::optional(std::stoi(node.text)) : std::nullopt;
  if (number && *number >= least) return number;
  findings.error(node.place, field,
                 "a whole number, " + std::to_string(least) + " or more, is expected, not " + kind_name(node));
  return std::nullopt;
}

std::optional<bool> read_boolean(const Node& node, std::string_view field, Findings& findings) {
  if (node.kind == Node::Kind::scalar && node.plain && (node.text == "true" || node.text == "false")) {
    return node.text == "true";
  }
  findings.error(node.place, field, "true or false is expected, not " + kind_name(node));
  return std::nullopt;
}

std::vector<std::string> read_texts(const Node& node, std::string_view field, std::string_view what,
                                    Findings& findings) {
  std::vector<std::string> texts;
  const Node* list = read_list(node, field, findings);
  if (!list) return texts;
  if (list->items.empty()) findings.error(node.place, field, "an empty list");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const std::string path = item_path(field, i);
    const auto text = read_text(*list->items[i], path, what, findings);
    if (!text) continue;
    if (!seen.insert(*text).second) {
      findings.error(list->items[i]->place, path, std::string(what) + ' ' + in_quotes(*text) + " is here twice");
      continue;
    }
    texts.push_back(*text);
  }
  return texts;
}

std::optional<std::string> read_name(const Node& node, std::string_view field, std::string_view what,
                                     Findings& findings) {
  const auto text = read_text(node, field, what, findings);
  if (!text || is_name(*text)) return text;
  findings.error(node.place, field,
                 std::string(what) + ' ' + in_quotes(*text) +
                     " is not a name: letters, digits, _ - and ., a letter or _ first, at most 64");
  return std::nullopt;
}

std::optional<std::string> read_axis_name(const Node& node, std::string_view field, Findings& findings) {
  auto name = read_name(node, field, "axis", findings);
  if (!name || std::find(kReservedAxes.begin(), kReservedAxes.end(), *name) == kReservedAxes.end()) return name;
  findings.error(node.place, field,
                 "no axis may be called " + in_quotes(*name) + ", which queries use for another thing");
  return std::nullopt;
}

void require_axis(std::string_view axis, Place place, std::string_view field, std::span<const std::string_view> known,
                  Findings& findings) {
  if (std::find(known.begin(), known.end(), axis) != known.end()) return;
  findings.unknown(place, field, "axis", axis, known);
}

std::optional<std::string> read_value(const Node& node, std::string_view axis, std::string_view field,
                                      Findings& findings) {
  constexpr std::size_t kLongest = 200;
  auto value = read_text(node, field, "axis value", findings);
  if (!value) return std::nullopt;
  const bool breaks = std::any_of(value->begin(), value->end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (breaks || value->size() > kLongest || value->front() == ' ' || value->back() == ' ') {
    findings.error(node.place, field, "axis value " + in_quotes(*value) +
                                          " must be one line of at most 200 bytes without spaces around it");
    return std::nullopt;
  }
  if (is_specifier(*value)) {
    findings.error(node.place, field, "axis value " + in_quotes(*value) + " is a specifier; name each value by itself");
    return std::nullopt;
  }
  // One stored form, so that one thing has one id however a file spells it.
  if (axis == "arch") {
    if (const Result<version::Arch> arch = version::Arch::parse(*value)) return arch->text();
  }
  return value;
}

Combination read_combination(const Node& node, std::string_view field, Findings& findings) {
  Combination combination;
  const Node* map = read_map(node, field, findings);
  if (!map) return combination;
  if (map->entries.empty()) findings.error(node.place, field, "an empty row");
  for (const auto& [key, value] : map->entries) {
    const std::string path = member_path(field, key->text);
    const auto axis = read_axis_name(*key, path, findings);
    const auto setting = read_value(*value, key->text, path, findings);
    if (axis && setting) combination.emplace(*axis, *setting);
  }
  return combination;
}

Condition read_condition(const Node& node, std::string_view field, std::span<const std::string_view> known,
                         Findings& findings) {
  Condition condition;
  const Node* map = read_map(node, field, findings);
  if (!map) return condition;
  if (map->entries.empty()) findings.error(node.place, field, "an empty condition holds for everything");
  for (const auto& [key, value] : map->entries) {
    const std::string path = member_path(field, key->text);
    require_axis(key->text, key->place, path, known, findings);
    condition.push_back({key->text, read_patterns(*value, path, findings), key->place});
  }
  return condition;
}

std::optional<std::size_t> read_word(const Node& node, std::string_view field, std::string_view what,
                                     std::span<const std::string_view> words, Findings& findings) {
  const auto text = read_text(node, field, what, findings);
  if (!text) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  findings.unknown(node.place, field, what, *text, words);
  return std::nullopt;
}

std::optional<Rung> read_rung(const Node& node, std::string_view field, Findings& findings) {
  std::array<std::string_view, kRungs.size()> names{};
  std::transform(kRungs.begin(), kRungs.end(), names.begin(), [](Rung rung) { return to_text(rung); });
  const auto word = read_word(node, field, "rung", names, findings);
  return word ? std::optional(kRungs[*word]) : std::nullopt;
}

void check_format_version(const Fields& fields, Findings& findings) {
  const Node* node = fields.require("version");
  if (!node) return;
  const auto number = read_integer(*node, fields.path_of("version"), 1, findings);
  if (number && *number != 1) {
    findings.error(node->place, "version", "format version " + node->text + " is not known; this program reads 1");
  }
}

}  // namespace crosswarp::spec
