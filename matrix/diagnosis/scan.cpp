// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/scan.hpp"

#include "matrix/diagnosis/rules.hpp"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace crosswarp::diagnosis {
namespace {

/// Bytes and not code points are matched, so a log in any encoding can be read.
RE2::Options byte_options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_log_errors(false);
  options.set_max_mem(std::int64_t{64} << 20);  // of all rules at once; past it the automaton would start anew
  return options;
}

/// All rules of all families as one automaton.
class RuleSet {
 public:
  RuleSet() : set_(byte_options(), RE2::UNANCHORED) {
    for (const auto& family : {system_rules(), resolver_rules(), python_rules(), compiler_rules()}) add(family);
    if (!set_.Compile()) throw std::logic_error("the rules do not fit in one automaton");
  }

  /// The first rule that matches `text`, null where none does.
  const Rule* find(std::string_view text) const {
    std::vector<int> hits;
    if (!set_.Match({text.data(), text.size()}, &hits)) return nullptr;
    return rules_[static_cast<std::size_t>(*std::min_element(hits.begin(), hits.end()))];
  }

  /// The remedy of `rule` with the groups that it found in `text`.
  std::string remedy(const Rule& rule, std::string_view text) const {
    std::string typed;
    const RE2 pattern(rule.pattern, byte_options());
    if (rule.remedy[0] != '\0') RE2::Extract({text.data(), text.size()}, pattern, rule.remedy, &typed);
    return typed;
  }

 private:
  void add(std::span<const Rule> family) {
    for (const Rule& rule : family) {
      std::string error;
      if (set_.Add(rule.pattern, &error) < 0) throw std::logic_error(std::string(rule.pattern) + ": " + error);
      rules_.push_back(&rule);
    }
  }

  RE2::Set set_;
  std::vector<const Rule*> rules_;
};

const RuleSet& rule_set() {
  static const RuleSet rules;
  return rules;
}

bool is_python(const Rule* rule) {
  const auto family = python_rules();
  return rule >= family.data() && rule < family.data() + family.size();
}

/// An exception of a kind that no rule knows.
constexpr Rule kUnknownException{.code = "exception", .weight = Weight::exception};

struct Hit {
  const Rule* rule = nullptr;
  std::size_t line = 0;
};

Hit strongest(const LogLines& lines, bool by_signal) {
  Hit best;
  TracebackReader traceback;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const TracebackReader::Part part = traceback.read(lines[at].text);
    if (part == TracebackReader::Part::frames) continue;
    const Rule* rule = rule_set().find(trimmed(lines[at].text));
    if (!rule && part == TracebackReader::Part::exception) rule = &kUnknownException;
    if (!rule || (by_signal && (is_python(rule) || rule == &kUnknownException))) continue;
    if (!best.rule || rule->weight < best.rule->weight) best = {rule, at};
  }
  return best;
}

}  // namespace

std::optional<Diagnosis> scan(const LogLines& lines, const UnitTrace& trace, bool by_signal) {
  const Hit hit = strongest(lines, by_signal);
  if (!hit.rule) return std::nullopt;
  const std::string_view text = trimmed(lines[hit.line].text);
  Diagnosis found{.our_fault = hit.rule->our_fault,
                  .code = hit.rule->code,
                  .reason = std::string(text),
                  .remedy = rule_set().remedy(*hit.rule, text),
                  .offset = lines[hit.line].offset};
  if (hit.rule->refine) hit.rule->refine(lines, hit.line, trace, found);
  return found;
}

}  // namespace crosswarp::diagnosis
