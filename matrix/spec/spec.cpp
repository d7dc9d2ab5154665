// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/spec.hpp"

#include "matrix/spec/decode.hpp"
#include "matrix/spec/scalar.hpp"
#include "matrix/spec/yaml.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace crosswarp {
namespace spec {
namespace {

using AxisNames = std::vector<std::string_view>;

std::vector<Rung> read_rungs(const Node& node, Findings& findings) {
  std::set<Rung> wanted{Rung::feasible};
  const Node* list = read_list(node, "rungs", findings);
  if (!list) return {};
  if (list->items.empty()) findings.error(node.place, "rungs", "an empty list; leave the key out for all rungs");
  std::set<Rung> named;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const auto rung = read_rung(*list->items[i], item_path("rungs", i), findings);
    if (rung && !named.insert(*rung).second) {
      findings.error(list->items[i]->place, item_path("rungs", i),
                     "rung " + in_quotes(to_text(*rung)) + " is here twice");
    }
    if (rung) wanted.insert(*rung);
  }
  return {wanted.begin(), wanted.end()};
}

std::vector<std::string> read_axis_values(const Node& node, const std::string& axis, Findings& findings) {
  const std::string field = "axes." + axis;
  std::vector<std::string> values;
  const Node* list = read_list(node, field, findings);
  if (!list) return values;
  if (list->items.empty()) findings.error(node.place, field, "an axis without values makes an empty matrix");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const std::string path = item_path(field, i);
    const auto value = read_value(*list->items[i], axis, path, findings);
    if (!value) continue;
    if (!seen.insert(*value).second) {
      findings.error(list->items[i]->place, path, "value " + in_quotes(*value) + " is here twice");
      continue;
    }
    values.push_back(*value);
  }
  return values;
}

/// Names that differ in case or in `-`, `_` and `.` only would be one variable in a job's environment.
std::string folded(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c == '-' || c == '.') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<Axis> read_axes(const Node& node, Findings& findings) {
  std::vector<Axis> axes;
  const Node* map = read_map(node, "axes", findings);
  if (!map) return axes;
  std::set<std::string> seen;
  for (const auto& [key, value] : map->entries) {
    const std::string path = "axes." + key->text;
    const auto name = read_axis_name(*key, path, findings);
    std::vector<std::string> values = read_axis_values(*value, key->text, findings);
    if (!name) continue;
    if (!seen.insert(folded(*name)).second) {
      findings.error(key->place, path, "axis " + in_quotes(*name) + " is here twice, spelled in two ways");
    }
    axes.push_back({*name, std::move(values), key->place});
  }
  return axes;
}

std::vector<IncludeRow> read_include(const Node& node, Findings& findings) {
  std::vector<IncludeRow> rows;
  const Node* list = read_list(node, "include", findings);
  if (!list) return rows;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    rows.push_back({read_combination(*list->items[i], item_path("include", i), findings), list->items[i]->place});
  }
  return rows;
}

std::vector<ExcludeRow> read_exclude(const Node& node, const AxisNames& axes, Findings& findings) {
  std::vector<ExcludeRow> rows;
  const Node* list = read_list(node, "exclude", findings);
  if (!list) return rows;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    rows.push_back({read_condition(*list->items[i], item_path("exclude", i), axes, findings), list->items[i]->place});
  }
  return rows;
}

std::string described(const Condition& condition) {
  std::string out;
  for (const AxisPattern& pattern : condition) {
    out += (out.empty() ? "" : " with ") + pattern.axis + ' ';
    for (std::size_t i = 0; i < pattern.any_of.size(); ++i) out += (i == 0 ? "" : " or ") + pattern.any_of[i];
  }
  return out;
}

/// What stands for a reason that the file does not give.
std::string stated(const Constraint& constraint) {
  if (constraint.forbids) return described(constraint.when) + " is forbidden by the matrix";
  return described(constraint.when) + " requires " + described(constraint.require);
}

Constraint read_constraint(const Node& node, const std::string& path, const AxisNames& axes, Findings& findings) {
  const Fields fields(read_map(node, path, findings), path, {"when", "require", "forbid", "reason"}, findings);
  const Node* when = fields.find("when");
  const Node* require = fields.find("require");
  const Node* forbid = fields.find("forbid");
  Constraint constraint;
  constraint.place = node.place;
  if (node.kind == Node::Kind::map && (forbid ? when || require : !when || !require)) {
    findings.error(node.place, path, "a constraint is either `when` and `require`, or `forbid` alone");
  }
  constraint.forbids = forbid != nullptr;
  if (forbid) when = forbid;
  if (when) constraint.when = read_condition(*when, fields.path_of(forbid ? "forbid" : "when"), axes, findings);
  if (require) constraint.require = read_condition(*require, fields.path_of("require"), axes, findings);
  if (const Node* reason = fields.find("reason")) {
    constraint.reason = read_text(*reason, fields.path_of("reason"), "reason", findings).value_or("");
  } else {
    constraint.reason = stated(constraint);
  }
  return constraint;
}

std::vector<Constraint> read_constraints(const Node& node, const AxisNames& axes, Findings& findings) {
  std::vector<Constraint> constraints;
  const Node* list = read_list(node, "constraints", findings);
  if (!list) return constraints;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    constraints.push_back(read_constraint(*list->items[i], item_path("constraints", i), axes, findings));
  }
  return constraints;
}

AxisNames names_of(const std::vector<Axis>& axes) {
  AxisNames names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  return names;
}

AxisNames with_included(AxisNames names, const std::vector<IncludeRow>& rows) {
  std::set<std::string_view> seen(names.begin(), names.end());
  for (const IncludeRow& row : rows) {
    for (const auto& [axis, value] : row.values) {
      if (seen.insert(axis).second) names.push_back(axis);
    }
  }
  return names;
}

Spec read_spec(const Node& root, Findings& findings) {
  Spec spec;
  const Fields fields(read_map(root, "", findings), "",
                      {"version", "library", "recipe", "rungs", "axes", "include", "exclude", "constraints"}, findings);
  check_format_version(fields, findings);
  if (const Node* node = fields.require("library")) {
    spec.library = read_name(*node, "library", "library", findings).value_or("");
  }
  spec.recipe = spec.library;
  if (const Node* node = fields.find("recipe")) {
    spec.recipe = read_name(*node, "recipe", "recipe", findings).value_or("");
  }
  if (const Node* node = fields.find("rungs")) spec.rungs = read_rungs(*node, findings);
  if (const Node* node = fields.find("axes")) spec.axes = read_axes(*node, findings);
  if (const Node* node = fields.find("include")) spec.include = read_include(*node, findings);
  const Node* axes_node = fields.find("axes");
  const bool no_axes = !axes_node || (axes_node->kind == Node::Kind::map && axes_node->entries.empty());
  if (root.kind == Node::Kind::map && no_axes && spec.include.empty()) {
    findings.error(root.place, "", "a matrix needs `axes` or `include`");
  }
  const AxisNames axes = names_of(spec.axes);
  const AxisNames all = with_included(axes, spec.include);
  if (all.size() > kMaxAxes) {
    findings.error(root.place, "", std::to_string(all.size()) + " axes; at most " + std::to_string(kMaxAxes));
    return spec;
  }
  if (const Node* node = fields.find("exclude")) spec.exclude = read_exclude(*node, axes, findings);
  if (const Node* node = fields.find("constraints")) spec.constraints = read_constraints(*node, all, findings);
  return spec;
}

}  // namespace
}  // namespace spec

ParsedSpecs parse_specs(std::string_view yaml) {
  ParsedSpecs parsed;
  spec::YamlDocuments read = spec::read_yaml(yaml);
  parsed.diagnostics = std::move(read.diagnostics);
  spec::Findings findings(parsed.diagnostics);
  if (read.documents.empty() && parsed.diagnostics.empty()) {
    findings.error({}, "", "the file is empty; a matrix begins with `version: 1`");
  }
  for (const spec::NodePtr& document : read.documents) parsed.specs.push_back(spec::read_spec(*document, findings));
  findings.finish();
  if (!parsed.ok()) parsed.specs.clear();
  return parsed;
}

}  // namespace crosswarp
