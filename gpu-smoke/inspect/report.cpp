// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/report.hpp"

#include <algorithm>

#include "gpu-smoke/support/json.hpp"

namespace crosswarp::smoke {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

const char* name_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::cubin: return "cubin";
    case CodeKind::ptx: return "ptx";
    case CodeKind::other: break;
  }
  return "other";
}

const char* name_of(FileKind kind) {
  switch (kind) {
    case FileKind::cubin: return "cubin";
    case FileKind::ptx: return "ptx";
    case FileKind::fatbin: break;
  }
  return "fatbin";
}

void write_counts(JsonWriter& json, const Counts& counts) {
  json.key("matrix").begin_object();
  for (const auto& [name, count] : counts) json.key(name).value(count);
  json.end_object();
}

void write_products(JsonWriter& json, const Products& products) {
  json.key("products").begin_object();
  json.key("mma").value(products.mma).key("wgmma").value(products.wgmma);
  json.key("tcgen05").value(products.tcgen05).key("fma").value(products.fma);
  json.end_object();
}

void write_kernel(JsonWriter& json, const Kernel& kernel, bool decoded) {
  json.begin_object().key("name").value(kernel.name).key("bytes").value(kernel.bytes);
  if (decoded) {
    json.key("instructions").value(kernel.instructions);
    write_counts(json, kernel.matrix);
    write_products(json, kernel.products);
    json.key("fma").value(kernel.products.fma);
    json.key("trap_only").value(kernel.trap_only).key("empty").value(kernel.empty);
  }
  json.end_object();
}

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.key("stub_texts").begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_code(JsonWriter& json, const Code& code) {
  json.begin_object().key("kind").value(name_of(code.kind)).key("arch").value(code.arch);
  json.key("suffix_known").value(code.suffix_known);
  if (code.abi) json.key("abi").value(std::uint64_t{*code.abi});
  if (code.toolkit) json.key("toolkit").value(*code.toolkit);
  if (code.ptx_version) json.key("ptx_version").value(*code.ptx_version);
  json.key("decoded").value(code.decoded);
  json.key("kernels").begin_array();
  for (const Kernel& kernel : code.kernels) write_kernel(json, kernel, code.decoded);
  json.end_array();
  if (code.decoded) {
    write_counts(json, code.matrix);
    write_products(json, code.products);
  }
  write_texts(json, code.stub_texts);
  json.end_object();
}

std::vector<std::string> all_stub_texts(const FileReport& report) {
  std::vector<std::string> texts;
  for (const Code& code : report.codes) {
    for (const std::string& text : code.stub_texts) {
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
    }
  }
  return texts;
}

std::string in_words(const Counts& matrix, const Products& products) {
  std::string words;
  for (const auto& [name, count] : matrix) words += name + " " + std::to_string(count) + ", ";
  return words + "fma " + std::to_string(products.fma);
}

std::string printable(const std::string& text) {
  const std::string quoted = json_string(text);
  return quoted.substr(1, quoted.size() - 2);
}

std::string in_words(const Kernel& kernel, bool decoded) {
  std::string line = "    " + printable(kernel.name) + ": " + std::to_string(kernel.bytes) + " bytes";
  if (!decoded) return line + "\n";
  line += ", " + std::to_string(kernel.instructions) + " instructions, " + in_words(kernel.matrix, kernel.products);
  if (kernel.trap_only) line += " (traps only)";
  if (kernel.empty) line += " (empty)";
  return line + "\n";
}

}  // namespace

bool is_exactly_for(const FileReport& report, const std::string& arch) {
  const auto fits = [&arch](const Code& code) { return code.suffix_known && code.arch == arch; };
  return !report.codes.empty() && std::all_of(report.codes.begin(), report.codes.end(), fits);
}

std::string to_json(const FileReport& report) {
  JsonWriter json;
  json.begin_object().key("file").value(report.file).key("kind").value(name_of(report.kind));
  json.key("codes").begin_array();
  for (const Code& code : report.codes) write_code(json, code);
  json.end_array();
  write_texts(json, all_stub_texts(report));
  json.end_object();
  return json.text();
}

std::string to_text(const FileReport& report) {
  std::string text = report.file + ": " + name_of(report.kind) + ", " + std::to_string(report.codes.size()) +
                     (report.codes.size() == 1 ? " device code\n" : " device codes\n");
  for (const Code& code : report.codes) {
    text += std::string("  ") + name_of(code.kind) + " " + printable(code.arch);
    if (!code.suffix_known) text += " (a or f suffix unknown)";
    if (code.abi) text += ", ABI " + std::to_string(*code.abi);
    if (code.toolkit) text += ", toolkit " + *code.toolkit;
    if (code.ptx_version) text += ", PTX " + printable(*code.ptx_version);
    if (code.decoded) text += ": " + in_words(code.matrix, code.products);
    text += "\n";
    for (const Kernel& kernel : code.kernels) text += in_words(kernel, code.decoded);
    for (const std::string& stub : code.stub_texts) text += "    says: " + printable(stub) + "\n";
  }
  return text;
}

}  // namespace crosswarp::smoke
