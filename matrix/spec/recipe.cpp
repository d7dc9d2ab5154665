// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/recipe.hpp"

#include "matrix/spec/decode.hpp"
#include "matrix/spec/scalar.hpp"
#include "matrix/spec/yaml.hpp"
#include "matrix/version/match.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace crosswarp {
namespace spec {
namespace {

using AxisNames = std::vector<std::string_view>;

constexpr std::array<std::string_view, 8> kKinds{"package", "toolkit",  "interpreter", "arch",
                                                 "driver",  "compiler", "os",          "option"};
constexpr std::array<std::string_view, 6> kProofs{"lock", "installed", "loaded", "toolkit", "code", "product"};
constexpr std::array<std::string_view, 5> kEvidence{"resolved", "installed", "compiled", "emulated", "hardware"};
constexpr std::array<std::string_view, 2> kSuffixes{"exact", "allowed"};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// ">=13.0 || ==11.8.*": the sets between the bars, or a list of such.
std::vector<std::string> read_specifier_sets(const Node& node, const std::string& path, Findings& findings) {
  std::vector<std::string> written;
  if (node.kind == Node::Kind::list) {
    written = read_texts(node, path, "specifier", findings);
  } else if (const auto text = read_text(node, path, "specifier", findings)) {
    written.push_back(*text);
  }
  std::vector<std::string> sets;
  for (const std::string_view text : written) {
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t bar = std::min(text.find("||", start), text.size());
      sets.emplace_back(trimmed(text.substr(start, bar - start)));
      start = bar + 2;
      if (const auto checked = check_pattern(sets.back()); !checked) {
        findings.error(node.place, path, checked.error().message);
      }
    }
  }
  return sets;
}

RecipeAxis read_axis(const Node& node, const std::string& name, Findings& findings) {
  const std::string path = "axes." + name;
  const Fields fields(read_map(node, path, findings), path, {"kind", "package", "installable"}, findings);
  RecipeAxis axis;
  const Node* kind = fields.require("kind");
  const auto word = kind ? read_word(*kind, fields.path_of("kind"), "kind", kKinds, findings) : std::nullopt;
  if (!word) return axis;
  axis.kind = static_cast<AxisKind>(*word);
  if (axis.kind == AxisKind::package) axis.package = name;
  if (const Node* package = fields.find("package")) {
    axis.package = read_name(*package, fields.path_of("package"), "package", findings).value_or("");
    if (axis.kind != AxisKind::package) {
      findings.error(package->place, fields.path_of("package"), "only an axis of the kind package has one");
    }
  }
  if (const Node* installable = fields.find("installable")) {
    axis.installable = read_specifier_sets(*installable, fields.path_of("installable"), findings);
    if (axis.kind != AxisKind::toolkit) {
      findings.error(installable->place, fields.path_of("installable"), "only an axis of the kind toolkit has it");
    }
  }
  return axis;
}

std::map<std::string, RecipeAxis, std::less<>> read_axes(const Node& node, Findings& findings) {
  std::map<std::string, RecipeAxis, std::less<>> axes;
  const Node* map = read_map(node, "axes", findings);
  if (!map) return axes;
  if (map->entries.size() > kMaxAxes) {
    findings.error(node.place, "axes",
                   std::to_string(map->entries.size()) + " axes; at most " + std::to_string(kMaxAxes));
    return axes;
  }
  for (const auto& [key, value] : map->entries) {
    RecipeAxis axis = read_axis(*value, key->text, findings);
    if (const auto name = read_axis_name(*key, "axes." + key->text, findings)) axes.emplace(*name, std::move(axis));
  }
  return axes;
}

/// What a `limits` map sets; absent ones stay empty.
LimitsWhen read_limits(const Node& node, const std::string& path, Findings& findings) {
  const Fields fields(read_map(node, path, findings), path, {"time", "memory", "processes"}, findings);
  LimitsWhen limits;
  const auto read_unit = [&](std::string_view key, auto parse, auto& target) {
    const Node* found = fields.find(key);
    const auto text = found ? read_text(*found, fields.path_of(key), key, findings) : std::nullopt;
    if (!text) return;
    if (auto parsed = parse(*text)) {
      target = *parsed;
    } else {
      findings.error(found->place, fields.path_of(key), parsed.error().message);
    }
  };
  read_unit("time", parse_duration, limits.time);
  read_unit("memory", parse_size, limits.memory_bytes);
  if (const Node* found = fields.find("processes")) {
    limits.processes = read_integer(*found, fields.path_of("processes"), 1, findings);
  }
  return limits;
}

Limits laid_over(Limits limits, const LimitsWhen& over) {
  if (over.time) limits.time = *over.time;
  if (over.memory_bytes) limits.memory_bytes = *over.memory_bytes;
  if (over.processes) limits.processes = *over.processes;
  return limits;
}

std::vector<LimitsWhen> read_limits_when(const Node& node, const std::string& path, const AxisNames& axes,
                                         Findings& findings) {
  std::vector<LimitsWhen> out;
  const Node* list = read_list(node, path, findings);
  if (!list) return out;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const std::string item = item_path(path, i);
    const Fields fields(read_map(*list->items[i], item, findings), item, {"when", "limits"}, findings);
    const Node* when = fields.require("when");
    const Node* limits = fields.require("limits");
    if (!when || !limits) continue;
    out.push_back(read_limits(*limits, fields.path_of("limits"), findings));
    out.back().when = read_condition(*when, fields.path_of("when"), axes, findings);
  }
  return out;
}

/// A path within the evidence folder, and never out of it.
std::optional<std::string> read_file(const Fields& fields, Findings& findings) {
  const Node* node = fields.require("file");
  const auto file = node ? read_text(*node, fields.path_of("file"), "file", findings) : std::nullopt;
  if (!file) return std::nullopt;
  const std::string wrapped = '/' + *file + '/';
  const bool inside = file->front() != '/' && wrapped.find("/../") == std::string::npos &&
                      file->find_first_of("\n\t") == std::string::npos;
  if (inside) return file;
  findings.error(node->place, fields.path_of("file"), in_quotes(*file) + " must lie in the evidence folder");
  return std::nullopt;
}

/// Every `${axis}` in `text` must name an axis of the recipe.
void check_references(const std::string& text, const Node& node, const std::string& path, const AxisNames& axes,
                      Findings& findings) {
  for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at + 2)) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) {
      findings.error(node.place, path, in_quotes(text) + ": ${ without }");
      return;
    }
    require_axis(std::string_view(text).substr(at + 2, end - at - 2), node.place, path, axes, findings);
  }
}

void read_code(const Fields& fields, Proof& proof, const AxisNames& axes, Findings& findings) {
  if (const Node* arch = fields.require("arch")) {
    proof.arch = read_text(*arch, fields.path_of("arch"), "arch", findings).value_or("");
    check_references(proof.arch, *arch, fields.path_of("arch"), axes, findings);
  }
  if (const Node* suffix = fields.find("suffix")) {
    proof.suffix_allowed = read_word(*suffix, fields.path_of("suffix"), "suffix", kSuffixes, findings) == 1;
  }
}

void read_product(const Fields& fields, Proof& proof, Findings& findings) {
  if (const Node* matrix = fields.require("matrix")) {
    proof.matrix = read_integer(*matrix, fields.path_of("matrix"), 1, findings).value_or(0);
  }
  if (const Node* fma = fields.find("fma")) proof.fma = read_integer(*fma, fields.path_of("fma"), 1, findings);
}

/// The keys that a proof of each kind has.
Fields proof_fields(Proof::Kind kind, const Node* node, const std::string& path, Findings& findings) {
  switch (kind) {
    case Proof::Kind::code: return {node, path, {"file", "arch", "suffix"}, findings};
    case Proof::Kind::product: return {node, path, {"file", "matrix", "fma"}, findings};
    default: return {node, path, {"file"}, findings};
  }
}

std::optional<Proof> read_proof(const Node& node, const std::string& path, const AxisNames& axes, Findings& findings) {
  const Node* map = read_map(node, path, findings);
  if (!map) return std::nullopt;
  if (map->entries.size() != 1) {
    findings.error(node.place, path, "a proof is one key, its kind, with a map: {lock: {file: lock.txt}}");
    return std::nullopt;
  }
  const auto& [key, value] = map->entries.front();
  const auto kind = read_word(*key, path, "proof", kProofs, findings);
  if (!kind) return std::nullopt;
  Proof proof;
  proof.kind = static_cast<Proof::Kind>(*kind);
  const std::string inner = path + '.' + key->text;
  const Fields fields = proof_fields(proof.kind, read_map(*value, inner, findings), inner, findings);
  proof.file = read_file(fields, findings).value_or("");
  if (proof.kind == Proof::Kind::code) read_code(fields, proof, axes, findings);
  if (proof.kind == Proof::Kind::product) read_product(fields, proof, findings);
  return proof;
}

/// `run` and `proof`, which stand in a unit or, where there is only one, in the stage itself.
Unit read_run(const Fields& fields, std::string name, const AxisNames& axes, Findings& findings) {
  Unit unit;
  unit.name = std::move(name);
  if (const Node* run = fields.require("run")) {
    unit.run = read_text(*run, fields.path_of("run"), "run", findings).value_or("");
  }
  const Node* proofs = fields.find("proof");
  const Node* list = proofs ? read_list(*proofs, fields.path_of("proof"), findings) : nullptr;
  for (std::size_t i = 0; list && i < list->items.size(); ++i) {
    auto proof = read_proof(*list->items[i], item_path(fields.path_of("proof"), i), axes, findings);
    if (proof) unit.proofs.push_back(std::move(*proof));
  }
  return unit;
}

std::vector<Unit> read_units(const Node& node, const std::string& path, const AxisNames& axes, Findings& findings) {
  std::vector<Unit> units;
  const Node* list = read_list(node, path, findings);
  if (!list) return units;
  if (list->items.empty()) findings.error(node.place, path, "an empty list; a stage needs something to run");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const std::string item = item_path(path, i);
    const Fields fields(read_map(*list->items[i], item, findings), item, {"name", "run", "proof"}, findings);
    const Node* node_of_name = fields.require("name");
    const auto name =
        node_of_name ? read_name(*node_of_name, fields.path_of("name"), "unit", findings) : std::nullopt;
    if (name && !seen.insert(*name).second) {
      findings.error(node_of_name->place, fields.path_of("name"), "unit " + in_quotes(*name) + " is here twice");
    }
    units.push_back(read_run(fields, name.value_or(""), axes, findings));
  }
  return units;
}

std::vector<std::string> read_axis_list(const Node& node, const std::string& path, const AxisNames& axes,
                                        Findings& findings) {
  std::vector<std::string> names = read_texts(node, path, "axis", findings);
  for (const std::string& name : names) require_axis(name, node.place, path, axes, findings);
  return names;
}

/// How a rung is proved where the recipe does not say.
Evidence usual_evidence(Rung rung) {
  if (needs_device(rung)) return Evidence::hardware;
  if (rung == Rung::build) return Evidence::compiled;
  return rung <= Rung::resolve ? Evidence::resolved : Evidence::installed;
}

void read_stage_settings(const Fields& fields, Stage& stage, const AxisNames& axes, Findings& findings) {
  // An axis that is not named could still matter to a script, so all of them is what is safe.
  stage.depends_on.assign(axes.begin(), axes.end());
  if (const Node* node = fields.find("depends_on")) {
    stage.depends_on = read_axis_list(*node, fields.path_of("depends_on"), axes, findings);
  }
  if (const Node* node = fields.find("network")) {
    stage.network = read_boolean(*node, fields.path_of("network"), findings).value_or(false);
  }
  stage.evidence = usual_evidence(stage.rung);
  if (const Node* node = fields.find("evidence")) {
    const auto word = read_word(*node, fields.path_of("evidence"), "evidence", kEvidence, findings);
    if (word) stage.evidence = static_cast<Evidence>(*word);
  }
  if (const Node* node = fields.find("limits")) {
    stage.limits = laid_over(stage.limits, read_limits(*node, fields.path_of("limits"), findings));
  }
  if (const Node* node = fields.find("limits_when")) {
    stage.limits_when = read_limits_when(*node, fields.path_of("limits_when"), axes, findings);
  }
}

Stage read_stage(const Node& node, const std::string& path, const AxisNames& axes, Findings& findings) {
  const Fields fields(read_map(node, path, findings), path,
                      {"rung", "depends_on", "network", "evidence", "limits", "limits_when", "run", "units", "proof"},
                      findings);
  Stage stage;
  if (const Node* rung = fields.require("rung")) {
    stage.rung = read_rung(*rung, fields.path_of("rung"), findings).value_or(Rung::resolve);
  }
  read_stage_settings(fields, stage, axes, findings);
  const Node* units = fields.find("units");
  if (!units) {
    stage.units.push_back(read_run(fields, std::string(to_text(stage.rung)), axes, findings));
    return stage;
  }
  if (fields.find("run") || fields.find("proof")) {
    findings.error(node.place, path, "a stage has either `run` with `proof`, or `units`");
  }
  stage.units = read_units(*units, fields.path_of("units"), axes, findings);
  return stage;
}

std::vector<Stage> read_stages(const Node& node, const AxisNames& axes, Findings& findings) {
  std::vector<Stage> stages;
  const Node* list = read_list(node, "stages", findings);
  if (!list) return stages;
  if (list->items.empty()) findings.error(node.place, "stages", "an empty list; a recipe needs at least one stage");
  std::set<Rung> seen;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    stages.push_back(read_stage(*list->items[i], item_path("stages", i), axes, findings));
    if (seen.insert(stages.back().rung).second) continue;
    findings.error(list->items[i]->place, item_path("stages", i),
                   "rung " + in_quotes(to_text(stages.back().rung)) + " has a stage already");
  }
  return stages;
}

std::vector<Control> read_controls(const Node& node, const AxisNames& axes, Findings& findings) {
  std::vector<Control> controls;
  const Node* list = read_list(node, "controls", findings);
  if (!list) return controls;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const std::string path = item_path("controls", i);
    const Fields fields(read_map(*list->items[i], path, findings), path, {"per", "with"}, findings);
    Control control;
    if (const Node* per = fields.require("per")) {
      control.per = read_axis_list(*per, fields.path_of("per"), axes, findings);
    }
    if (const Node* with = fields.require("with")) {
      control.with = read_combination(*with, fields.path_of("with"), findings);
      for (const auto& [axis, value] : control.with) {
        require_axis(axis, with->place, fields.path_of("with"), axes, findings);
      }
    }
    controls.push_back(std::move(control));
  }
  return controls;
}

void read_names(const Fields& fields, Recipe& recipe, Findings& findings) {
  if (const Node* node = fields.require("library")) {
    recipe.library = read_name(*node, "library", "library", findings).value_or("");
  }
  recipe.title = recipe.library;
  if (const Node* node = fields.find("title")) {
    recipe.title = read_text(*node, "title", "title", findings).value_or("");
  }
  if (const Node* node = fields.require("image")) {
    recipe.image = read_text(*node, "image", "image", findings).value_or("");
  }
}

Recipe read_recipe(const Node& root, Findings& findings) {
  const Fields fields(read_map(root, "", findings), "",
                      {"version", "library", "title", "image", "axes", "stages", "controls"}, findings);
  Recipe recipe;
  check_format_version(fields, findings);
  read_names(fields, recipe, findings);
  const Node* axes = fields.require("axes");
  if (axes) recipe.axes = read_axes(*axes, findings);
  AxisNames names;
  for (const auto& [name, axis] : recipe.axes) names.push_back(name);
  if (axes && !recipe.library.empty()) {
    require_axis(recipe.library, axes->place, "axes", names, findings);
  }
  if (const Node* node = fields.require("stages")) recipe.stages = read_stages(*node, names, findings);
  if (const Node* node = fields.find("controls")) recipe.controls = read_controls(*node, names, findings);
  return recipe;
}

bool holds(const Condition& condition, const Combination& combination) {
  return std::all_of(condition.begin(), condition.end(), [&](const AxisPattern& axis) {
    return std::any_of(axis.any_of.begin(), axis.any_of.end(), [&](const std::string& pattern) {
      // Patterns were checked when the recipe was read.
      return matches(value_of(combination, axis.axis), pattern).value();
    });
  });
}

}  // namespace
}  // namespace spec

ParsedRecipe parse_recipe(std::string_view yaml) {
  ParsedRecipe parsed;
  spec::YamlDocuments read = spec::read_yaml(yaml);
  parsed.diagnostics = std::move(read.diagnostics);
  spec::Findings findings(parsed.diagnostics);
  if (read.documents.empty() && parsed.diagnostics.empty()) {
    findings.error({}, "", "the file is empty; a recipe begins with `version: 1`");
  }
  if (read.documents.size() > 1) {
    findings.error(read.documents[1]->place, "", "a recipe is one YAML document; here begins a second one");
  }
  if (!read.documents.empty()) parsed.recipe = spec::read_recipe(*read.documents.front(), findings);
  findings.finish();
  if (!parsed.ok()) parsed.recipe = {};
  return parsed;
}

Limits limits_for(const Stage& stage, const Combination& combination) {
  for (const LimitsWhen& over : stage.limits_when) {
    if (spec::holds(over.when, combination)) return spec::laid_over(stage.limits, over);
  }
  return stage.limits;
}

}  // namespace crosswarp
