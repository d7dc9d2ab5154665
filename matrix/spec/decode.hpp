// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/ladder.hpp"
#include "matrix/spec/diagnostic.hpp"
#include "matrix/spec/spec.hpp"
#include "matrix/spec/yaml.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::spec {

/// Past so many findings a file is not looked at further: the first ones are enough to start with.
inline constexpr std::size_t kMaxDiagnostics = 200;

inline constexpr std::size_t kMaxAxes = 256;

/// Collects what is found wrong with one file while it is decoded. Every `read` below reports here and answers empty
/// where it found something else, so that decoding goes on and all mistakes are told at once.
class Findings {
 public:
  explicit Findings(std::vector<Diagnostic>& diagnostics) : diagnostics_(diagnostics) {}

  void error(Place place, std::string_view field, std::string message);

  /// Reports that `what` may not be called `name`, with the nearest of the `known` names or, where none is near, them.
  void unknown(Place place, std::string_view field, std::string_view what, std::string_view name,
               std::span<const std::string_view> known);

  /// Sorts by place, and says so where the list was cut.
  void finish();

 private:
  std::vector<Diagnostic>& diagnostics_;
  std::size_t dropped_ = 0;
};

/// "axes.cuda[2]": where an item of a list is, for messages.
std::string item_path(std::string_view field, std::size_t index);

/// The fields of a map, each to be read once. Unknown keys are reported at once, with the nearest known one.
class Fields {
 public:
  /// `node` null is an empty map (the caller reported what was there instead).
  Fields(const Node* node, std::string path, std::initializer_list<std::string_view> known, Findings& findings);

  /// The value of `key`, or null where it is absent.
  const Node* find(std::string_view key) const;

  /// As `find`; an absent key is reported.
  const Node* require(std::string_view key) const;

  /// "axes" or "axes.cuda": where `key` is, for messages.
  std::string path_of(std::string_view key) const;

 private:
  const Node* node_;
  std::string path_;
  Findings& findings_;
};

/// The node where it is a map (a list); else reported and null.
const Node* read_map(const Node& node, std::string_view field, Findings& findings);
const Node* read_list(const Node& node, std::string_view field, Findings& findings);

/// A text, not empty. A plain scalar that YAML reads as number, boolean or null is reported with the way to quote it;
/// `what` names the thing in messages ("axis value").
std::optional<std::string> read_text(const Node& node, std::string_view field, std::string_view what,
                                     Findings& findings);

/// A whole number of at most nine digits, not below `least`, written without quotes.
std::optional<int> read_integer(const Node& node, std::string_view field, int least, Findings& findings);

/// `true` or `false`, written without quotes.
std::optional<bool> read_boolean(const Node& node, std::string_view field, Findings& findings);

/// A list of texts, none twice, not empty.
std::vector<std::string> read_texts(const Node& node, std::string_view field, std::string_view what,
                                    Findings& findings);

/// A name of an axis, library or recipe: letters, digits, `_`, `-` and `.`, a letter or `_` first, at most 64 long.
std::optional<std::string> read_name(const Node& node, std::string_view field, std::string_view what,
                                     Findings& findings);

/// As read_name, and not one of the reserved names.
std::optional<std::string> read_axis_name(const Node& node, std::string_view field, Findings& findings);

/// Reports an axis that is not one of `known`.
void require_axis(std::string_view axis, Place place, std::string_view field, std::span<const std::string_view> known,
                  Findings& findings);

/// One setting of `axis`: at most 200 bytes on one line; archs in their stored form ("9.0a" becomes "sm_90a").
std::optional<std::string> read_value(const Node& node, std::string_view axis, std::string_view field,
                                      Findings& findings);

/// A map of axis to value, not empty.
Combination read_combination(const Node& node, std::string_view field, Findings& findings);

/// A map of axis to pattern or list of patterns, not empty; each pattern is checked, each axis must be in `known`.
Condition read_condition(const Node& node, std::string_view field, std::span<const std::string_view> known,
                         Findings& findings);

/// One of the words of `words`, which is what `what` may be.
std::optional<std::size_t> read_word(const Node& node, std::string_view field, std::string_view what,
                                     std::span<const std::string_view> words, Findings& findings);

std::optional<Rung> read_rung(const Node& node, std::string_view field, Findings& findings);

/// Checks `version: 1` of a file.
void check_format_version(const Fields& fields, Findings& findings);

}  // namespace crosswarp::spec
