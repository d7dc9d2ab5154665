// SPDX-License-Identifier: Apache-2.0
#include "agent/worker/proof.hpp"

#include "matrix/version/arch.hpp"
#include "matrix/version/match.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace crosswarp::worker {
namespace {

namespace json = boost::json;
using Versions = std::map<std::string, std::string>;  ///< package name, normalised, to version

Judgement unusable(std::string reason) { return {Judgement::Outcome::unusable, "bad_evidence", std::move(reason), {}}; }

Judgement contradicts(std::string code, std::string reason, json::object found = {}) {
  return {Judgement::Outcome::contradicts, std::move(code), std::move(reason), std::move(found)};
}

Judgement holds(json::object found) { return {Judgement::Outcome::holds, {}, {}, std::move(found)}; }

/// PEP 503: runs of - _ . are one dash, letters are lower-case.
std::string normalised(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == '.') {
      if (!out.ends_with('-')) out += '-';
    } else {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

Versions pins_of(std::string_view lock) {
  Versions pins;
  while (!lock.empty()) {
    const std::size_t end = std::min(lock.find('\n'), lock.size());
    const std::string_view line = lock.substr(0, end);
    lock.remove_prefix(std::min(end + 1, lock.size()));
    const std::size_t equals = line.find("==");
    if (line.starts_with('#') || equals == std::string_view::npos) continue;
    const std::string_view version = line.substr(equals + 2);
    pins[normalised(line.substr(0, line.find_first_of("[=")))] = version.substr(0, version.find_first_of(" ;\\\t\r"));
  }
  return pins;
}

/// Equal by PEP 440, a local version label of what was found left aside.
bool same_version(std::string_view found, std::string_view wanted) {
  const auto equal = matches(found, "==" + std::string(wanted));
  return equal ? *equal : found == wanted;
}

/// The first package axis that `versions` do not hold at its value.
std::optional<Judgement> missed_axis(const Versions& versions, const Claims& claims, std::string_view verb) {
  for (const auto& [axis, declared] : claims.recipe.axes) {
    const std::string_view wanted = value_of(claims.axes, axis);
    if (declared.kind != AxisKind::package || wanted == kNone) continue;
    const auto found = versions.find(normalised(declared.package));
    const std::string asked = declared.package + "==" + std::string(wanted);
    if (found == versions.end()) {
      return contradicts("wrong_version", "asked for " + asked + ", " + std::string(verb) + " without it");
    }
    if (!same_version(found->second, wanted)) {
      return contradicts("wrong_version", "asked for " + asked + ", " + std::string(verb) + ' ' + found->second);
    }
  }
  return std::nullopt;
}

json::object object_of(const Versions& versions) {
  json::object out;
  for (const auto& [name, version] : versions) out[name] = version;
  return out;
}

std::optional<json::value> parsed(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? std::nullopt : std::optional(std::move(value));
}

std::optional<std::string> text_at(const json::object& object, std::string_view key) {
  const auto* found = object.if_contains(key);
  return found && found->is_string() ? std::optional(std::string(found->as_string())) : std::nullopt;
}

std::optional<std::vector<std::string>> texts_at(const json::object& object, std::string_view key) {
  const auto* found = object.if_contains(key);
  if (!found || !found->is_array()) return std::nullopt;
  std::vector<std::string> texts;
  for (const auto& item : found->as_array()) {
    if (!item.is_string()) return std::nullopt;
    texts.emplace_back(item.as_string());
  }
  return texts;
}

std::optional<Versions> versions_of(const json::value& list) {
  if (!list.is_array()) return std::nullopt;
  Versions versions;
  for (const auto& item : list.as_array()) {
    if (!item.is_object()) return std::nullopt;
    const auto name = text_at(item.as_object(), "name");
    const auto version = text_at(item.as_object(), "version");
    if (!name || !version) return std::nullopt;
    versions[normalised(*name)] = *version;
  }
  return versions;
}

bool lies_in(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

bool is_system_library(std::string_view path) {
  constexpr std::array<std::string_view, 5> kFolders{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/bin"};
  return std::any_of(kFolders.begin(), kFolders.end(), [&](std::string_view folder) { return lies_in(path, folder); });
}

/// "13.0" of "13.0.88".
std::string release_of(std::string_view version) {
  const std::size_t first = version.find('.');
  if (first == std::string_view::npos) return std::string(version);
  return std::string(version.substr(0, version.find('.', first + 1)));
}

std::optional<std::string> toolkit_axis(const Claims& claims) {
  for (const auto& [axis, declared] : claims.recipe.axes) {
    if (declared.kind == AxisKind::toolkit) return std::string(value_of(claims.axes, axis));
  }
  return std::nullopt;
}

std::uint64_t count_at(const json::object& object, std::string_view key) {
  const auto* found = object.if_contains(key);
  boost::system::error_code error;
  return found ? found->to_number<std::uint64_t>(error) : 0;
}

bool arch_agrees(std::string_view found, std::string_view wanted, bool suffix_allowed) {
  const auto have = version::Arch::parse(found);
  const auto want = version::Arch::parse(wanted);
  if (!have || !want) return found == wanted;
  if (have->number != want->number) return false;
  return have->suffix == want->suffix || (suffix_allowed && want->suffix == version::Arch::Suffix::none);
}

/// Code of a kernel whose body was left out counts as none.
bool is_stub(const json::object& code) {
  const auto* texts = code.if_contains("stub_texts");
  if (texts && texts->is_array() && !texts->as_array().empty()) return true;
  const auto* kernels = code.if_contains("kernels");
  if (!kernels || !kernels->is_array() || kernels->as_array().empty()) return false;
  return std::all_of(kernels->as_array().begin(), kernels->as_array().end(), [](const json::value& kernel) {
    const auto flag = [&](std::string_view key) {
      const auto* found = kernel.is_object() ? kernel.as_object().if_contains(key) : nullptr;
      return found && found->is_bool() && found->as_bool();
    };
    return flag("trap_only") || flag("empty");
  });
}

/// The codes of a report; nothing when it is no report.
std::optional<std::vector<json::object>> codes_of(std::string_view report) {
  const auto value = parsed(report);
  if (!value || !value->is_object()) return std::nullopt;
  const auto* list = value->as_object().if_contains("codes");
  if (!list || !list->is_array()) return std::nullopt;
  std::vector<json::object> codes;
  for (const auto& code : list->as_array()) {
    if (!code.is_object()) return std::nullopt;
    codes.push_back(code.as_object());
  }
  return codes;
}

}  // namespace

Judgement judge_lock(std::string_view lock, const Claims& claims) {
  const Versions pins = pins_of(lock);
  if (auto missed = missed_axis(pins, claims, "resolved")) return *missed;
  return holds({{"packages", pins.size()}});
}

Judgement judge_installed(std::string_view text, const Claims& claims) {
  const auto value = parsed(text);
  const auto installed = value ? versions_of(*value) : std::nullopt;
  if (!installed) return unusable("the list of installed packages is not a list of name and version");
  if (auto missed = missed_axis(*installed, claims, "installed")) return *missed;
  for (const auto& [name, version] : pins_of(claims.lock)) {
    const auto found = installed->find(name);
    const std::string pin = name + "==" + version;
    if (found == installed->end())
      return contradicts("wrong_version", "the lock has " + pin + ", installed without it");
    if (!same_version(found->second, version)) {
      return contradicts("wrong_version", "the lock has " + pin + ", installed " + found->second);
    }
  }
  return holds({{"installed", object_of(*installed)}});
}

Judgement judge_loaded(std::string_view text, const Claims& claims) {
  const auto value = parsed(text);
  if (!value || !value->is_object()) return unusable("the evidence of loading is not a JSON object");
  const auto& loaded = value->as_object();
  const auto version = text_at(loaded, "version");
  const auto file = text_at(loaded, "file");
  const auto extensions = texts_at(loaded, "extensions");
  const auto mapped = texts_at(loaded, "mapped");
  if (!version || !file || !extensions || !mapped) {
    return unusable("the evidence of loading lacks version, file, extensions or mapped");
  }
  const std::string_view wanted = value_of(claims.axes, claims.recipe.library);
  if (!same_version(*version, wanted)) {
    return contradicts("wrong_version", "asked for " + std::string(wanted) + ", loaded " + *version);
  }
  if (!lies_in(*file, claims.environment))
    return contradicts("shadowed", "loaded from outside the environment: " + *file);
  for (const auto& extension : *extensions) {
    if (std::find(mapped->begin(), mapped->end(), extension) == mapped->end()) {
      return contradicts("hollow", "imported, but its native part is not mapped: " + extension);
    }
  }
  for (const auto& object : *mapped) {
    if (!lies_in(object, claims.environment) && !is_system_library(object)) {
      return contradicts("shadowed", "a library from outside the environment is mapped: " + object);
    }
  }
  return holds({{"version", *version},
                {"file", *file},
                {"extensions", json::value_from(*extensions)},
                {"mapped", mapped->size()}});
}

Judgement judge_toolkit(std::string_view text, const Claims& claims) {
  const auto value = parsed(text);
  if (!value || !value->is_object()) return unusable("the evidence of the toolkit is not a JSON object");
  std::string all;
  const std::string wanted = toolkit_axis(claims).value_or("");
  bool agree = true;
  for (const char* part : {"nvcc", "cicc", "ptxas", "crt"}) {
    const auto version = text_at(value->as_object(), part);
    if (!version) return unusable(std::string("the evidence of the toolkit lacks ") + part);
    all += (all.empty() ? "" : ", ") + std::string(part) + ' ' + *version;
    agree = agree && release_of(*version) == release_of(wanted);
  }
  if (!agree) return contradicts("toolkit_parts_disagree", "asked for CUDA " + wanted + ", installed " + all);
  return holds({{"toolkit", *value}});
}

Judgement judge_code(std::string_view report, const Proof& proof, const Claims& claims) {
  const auto codes = codes_of(report);
  if (!codes) return unusable(proof.file + ": the report on its device code cannot be read");
  if (codes->empty()) return contradicts("no_device_code", proof.file + " holds no device code");
  const std::string wanted = with_axes(proof.arch, claims.axes);
  json::array archs;
  for (const auto& code : *codes) {
    const std::string arch = text_at(code, "arch").value_or("unknown");
    archs.emplace_back(arch);
    if (!arch_agrees(arch, wanted, proof.suffix_allowed)) {
      return contradicts("wrong_arch", proof.file + " holds code for " + arch + ", asked for " + wanted,
                         {{"archs", archs}});
    }
    if (is_stub(code)) {
      return contradicts("stub", proof.file + " holds a stub for " + arch + ": the kernel's body was compiled out",
                         {{"archs", archs}});
    }
  }
  return holds({{"archs", archs}});
}

Judgement judge_product(std::string_view report, const Proof& proof) {
  const auto codes = codes_of(report);
  if (!codes) return unusable(proof.file + ": the report on its device code cannot be read");
  json::object found{{"mma", 0}, {"wgmma", 0}, {"tcgen05", 0}, {"fma", 0}};
  for (const auto& code : *codes) {
    const auto* products = code.if_contains("products");
    if (!products || !products->is_object()) continue;
    for (auto& [name, count] : found) count = count.to_number<std::uint64_t>() + count_at(products->as_object(), name);
  }
  const std::uint64_t matrix = count_at(found, "mma") + count_at(found, "wgmma") + count_at(found, "tcgen05");
  const std::uint64_t fma = count_at(found, "fma");
  if (matrix >= static_cast<std::uint64_t>(proof.matrix)) return holds(found);
  if (proof.fma && fma >= static_cast<std::uint64_t>(*proof.fma)) return holds(found);
  std::string wanted = std::to_string(proof.matrix) + " wanted";
  std::string have = std::to_string(matrix) + " matrix instructions (" + wanted + ")";
  if (proof.fma) have += " and " + std::to_string(fma) + " multiply-adds (or " + std::to_string(*proof.fma) + ')';
  return contradicts("product_missing", "compiled, but the product is not in " + proof.file + ": " + have, found);
}

std::string with_axes(std::string_view text, const Combination& axes) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = text.find("${");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    if (end == std::string_view::npos) return out += text;
    out += text.substr(0, begin);
    out += value_of(axes, text.substr(begin + 2, end - begin - 2));
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace crosswarp::worker
