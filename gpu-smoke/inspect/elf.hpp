// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu-smoke/inspect/bytes.hpp"

namespace crosswarp::smoke {

constexpr std::uint16_t kMachineCuda = 190;
constexpr std::uint32_t kSectionProgbits = 1;
constexpr std::uint32_t kSectionSymtab = 2;
constexpr std::uint32_t kSectionNobits = 8;
constexpr std::uint64_t kFlagExecutable = 4;

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint32_t link = 0;
  Bytes content;  // empty for a section without bytes in the file
};

struct ElfSymbol {
  std::string_view name;
  std::uint8_t info = 0;
  std::uint8_t other = 0;
  std::uint16_t section = 0;
};

/// The parts of a 64-bit little-endian ELF file that the inspection needs. Everything borrows from the file's bytes.
struct Elf {
  std::uint8_t abi_version = 0;  // e_ident[8]
  std::uint16_t machine = 0;
  std::uint32_t version = 0;
  std::uint32_t flags = 0;
  std::vector<ElfSection> sections;
};

bool looks_like_elf(Bytes file);

/// Reads header and section table (System V ABI, chapter 4; extended numbering included).
/// Error: not 64-bit little-endian, a table or section past the end, sections that together hold more bytes than the
/// file (they overlap, and reading each would take unbounded time), a name without an end.
Result<Elf> read_elf(Bytes file);

/// Reads the symbols of the first symbol table; none when there is no table. Error: a table or name past the end.
Result<std::vector<ElfSymbol>> read_symbols(const Elf& elf);

}  // namespace crosswarp::smoke
