// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/elf.hpp"

#include <algorithm>
#include <string>

namespace crosswarp::smoke {
namespace {

constexpr std::size_t kHeaderSize = 64;
constexpr std::size_t kSectionHeaderSize = 64;
constexpr std::size_t kSymbolSize = 24;
constexpr std::uint16_t kExtendedIndex = 0xFFFF;

struct SectionHeader {
  std::uint32_t name = 0;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
};

struct SectionTable {
  Bytes headers;
  std::uint64_t names_index = 0;

  std::size_t count() const { return headers.size() / kSectionHeaderSize; }
  SectionHeader at(std::size_t index) const {
    const std::uint64_t base = index * kSectionHeaderSize;
    return {headers.get<std::uint32_t>(base),      headers.get<std::uint32_t>(base + 4),
            headers.get<std::uint64_t>(base + 8),  headers.get<std::uint64_t>(base + 24),
            headers.get<std::uint64_t>(base + 32), headers.get<std::uint32_t>(base + 40)};
  }
};

Result<SectionTable> locate_sections(Bytes file) {
  const auto offset = file.get<std::uint64_t>(40);
  std::uint64_t count = file.get<std::uint16_t>(60);
  std::uint64_t names = file.get<std::uint16_t>(62);
  if (offset == 0) return SectionTable{};
  if (file.get<std::uint16_t>(58) != kSectionHeaderSize) return Error{"e_shentsize: not 64"};
  if (count == 0 || names == kExtendedIndex) {  // the true numbers stand in section 0
    const auto first = file.slice(offset, kSectionHeaderSize, "section header 0");
    if (!first) return first.error();
    if (count == 0) count = first->get<std::uint64_t>(32);
    if (names == kExtendedIndex) names = first->get<std::uint32_t>(40);
  }
  if (count > file.size() / kSectionHeaderSize) {
    return Error{"e_shnum: " + std::to_string(count) + " sections are more than the file can hold"};
  }
  const auto headers = file.slice(offset, count * kSectionHeaderSize, "section table");
  if (!headers) return headers.error();
  if (count > 0 && names >= count) return Error{"e_shstrndx: no section " + std::to_string(names)};
  return SectionTable{*headers, names};
}

Result<Bytes> content_of(Bytes file, const SectionHeader& header, const std::string& field) {
  if (header.type == kSectionNobits || header.type == 0) return Bytes{};
  return file.slice(header.offset, header.size, field.c_str());
}

}  // namespace

bool looks_like_elf(Bytes file) { return file.text().substr(0, 4) == "\x7F" "ELF"; }

Result<Elf> read_elf(Bytes file) {
  if (file.size() < kHeaderSize) return Error{"ELF header: truncated at " + std::to_string(file.size()) + " bytes"};
  if (file.data()[4] != 2) return Error{"e_ident: not a 64-bit ELF file"};
  if (file.data()[5] != 1) return Error{"e_ident: not little-endian"};
  Elf elf;
  elf.abi_version = file.data()[8];
  elf.machine = file.get<std::uint16_t>(18);
  elf.version = file.get<std::uint32_t>(20);
  elf.flags = file.get<std::uint32_t>(48);
  const auto table = locate_sections(file);
  if (!table) return table.error();
  if (table->count() == 0) return elf;
  const auto names = content_of(file, table->at(table->names_index), "section names");
  if (!names) return names.error();
  // Debug sections of real cubins share bytes; code that is listed twice would be counted twice.
  std::uint64_t left = file.size();
  for (std::size_t index = 0; index < table->count(); ++index) {
    const SectionHeader header = table->at(index);
    const std::string field = "section " + std::to_string(index);
    const auto content = content_of(file, header, field);
    if (!content) return content.error();
    if ((header.flags & kFlagExecutable) != 0) {
      if (content->size() > left) return Error{field + ": code sections overlap"};
      left -= content->size();
    }
    const auto name = header.type == 0 ? Result<std::string_view>(std::string_view{})
                                       : names->terminated(header.name, (field + " name").c_str());
    if (!name) return name.error();
    elf.sections.push_back({*name, header.type, header.flags, header.link, *content});
  }
  return elf;
}

Result<std::vector<ElfSymbol>> read_symbols(const Elf& elf) {
  std::vector<ElfSymbol> symbols;
  const auto table = std::find_if(elf.sections.begin(), elf.sections.end(),
                                  [](const ElfSection& section) { return section.type == kSectionSymtab; });
  if (table == elf.sections.end()) return symbols;
  if (table->link >= elf.sections.size()) return Error{"symbol table: sh_link names no section"};
  const Bytes names = elf.sections[table->link].content;
  const std::size_t count = table->content.size() / kSymbolSize;
  symbols.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    const std::uint64_t base = index * kSymbolSize;
    const auto name_at = table->content.get<std::uint32_t>(base);
    const auto name = name_at == 0 ? Result<std::string_view>(std::string_view{})
                                   : names.terminated(name_at, "symbol name");
    if (!name) return within("symbol " + std::to_string(index), name.error());
    symbols.push_back({*name, table->content.data()[base + 4], table->content.data()[base + 5],
                       table->content.get<std::uint16_t>(base + 6)});
  }
  return symbols;
}

}  // namespace crosswarp::smoke
