// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crosswarp::smoke::test {

/// `value` as little-endian bytes.
template <class T>
std::string little(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

struct Section {
  std::string name;
  std::uint32_t type = 1;
  std::uint64_t flags = 0;
  std::string bytes;
  std::uint32_t link = 0;
};

struct ElfHeader {
  std::uint16_t machine = 190;
  std::uint8_t abi = 7;
  std::uint32_t version = 124;
  std::uint32_t flags = 0;
};

/// One entry of a section table.
inline std::string section_header(const Section& section, std::uint32_t name_at, std::uint64_t offset) {
  return little(name_at) + little(section.type) + little(section.flags) + little(std::uint64_t{0}) + little(offset) +
         little(std::uint64_t{section.bytes.size()}) + little(section.link) + little(std::uint32_t{0}) +
         little(std::uint64_t{1}) + little(std::uint64_t{0});
}

/// An ELF file of those sections, numbered from 1; the section of the names comes last.
inline std::string make_elf(const ElfHeader& header, std::vector<Section> sections) {
  sections.insert(sections.begin(), Section{"", 0, 0, "", 0});
  sections.push_back({".shstrtab", 3, 0, "", 0});
  std::string names;
  std::vector<std::uint32_t> name_at;
  for (const Section& section : sections) {
    name_at.push_back(static_cast<std::uint32_t>(names.size()));
    names += section.name + '\0';
  }
  sections.back().bytes = names;
  std::string body;
  std::string table;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    table += section_header(sections[i], name_at[i], 64 + body.size());
    body += sections[i].bytes;
  }
  const std::string ident = std::string("\x7F" "ELF\x02\x01\x01\x33", 8) + static_cast<char>(header.abi) +
                            std::string(7, '\0');
  const auto count = static_cast<std::uint16_t>(sections.size());
  return ident + little(std::uint16_t{2}) + little(header.machine) + little(header.version) +
         little(std::uint64_t{0}) + little(std::uint64_t{0}) + little(std::uint64_t{64 + body.size()}) +
         little(header.flags) + little(std::uint16_t{64}) + little(std::uint16_t{56}) + little(std::uint16_t{0}) +
         little(std::uint16_t{64}) + little(count) + little(static_cast<std::uint16_t>(count - 1)) + body + table;
}

/// One 16-byte instruction.
inline std::string instruction(std::uint64_t low, std::uint64_t high = 0) { return little(low) + little(high); }

/// A cubin with the kernel `name` of that SASS; `more` sections come behind.
inline std::string make_cubin(const ElfHeader& header, const std::string& name, const std::string& sass,
                              const std::vector<Section>& more = {}) {
  const std::string symbol = little(std::uint32_t{1}) + '\x12' + '\x10' + little(std::uint16_t{1}) +
                             little(std::uint64_t{0}) + little(std::uint64_t{sass.size()});
  std::vector<Section> sections = {{".text." + name, 1, 6, sass, 0},
                                   {".strtab", 3, 0, std::string(1, '\0') + name + '\0', 0},
                                   {".symtab", 2, 0, symbol, 2}};
  sections.insert(sections.end(), more.begin(), more.end());
  return make_elf(header, sections);
}

/// A .note.nv.tkinfo section as ptxas writes it, with those words.
inline Section tool_note(const std::string& words) {
  const std::string text = std::string(24, '\0') + words;
  const std::string padding((4 - text.size() % 4) % 4, '\0');
  return {".note.nv.tkinfo", 7, 0,
          little(std::uint32_t{12}) + little(static_cast<std::uint32_t>(text.size())) + little(std::uint32_t{2000}) +
              std::string("NVIDIA Corp\0", 12) + text + padding,
          0};
}

/// An entry of a fat binary; `flags` 0x2000 and 0x8000 say that `payload` is compressed.
inline std::string fatbin_entry(std::uint16_t kind, const std::string& payload, std::uint64_t flags = 0x11,
                                std::uint64_t decompressed = 0) {
  return little(kind) + little(std::uint16_t{0x101}) + little(std::uint32_t{64}) +
         little(std::uint64_t{payload.size()}) + little(static_cast<std::uint32_t>(payload.size())) +
         little(std::uint32_t{0}) + little(std::uint32_t{0}) + little(std::uint32_t{90}) + little(std::uint64_t{0}) +
         little(flags) + little(std::uint64_t{0}) + little(decompressed) + payload;
}

inline std::string fatbin(const std::string& entries) {
  return little(std::uint32_t{0xBA55ED50}) + little(std::uint16_t{1}) + little(std::uint16_t{16}) +
         little(std::uint64_t{entries.size()}) + entries;
}

constexpr const char* kPtx = R"ptx(
// Cuda compilation tools, release 12.8, V12.8.93
.version 8.7
.target sm_90a
.address_size 64
.global .b8 text[4] = {104, 105, 33, 0};
.visible .entry k(.param .u64 p) // mma.sync in a comment
{
  .reg .b32 %r<9>;
  .loc 1 2 3
  @%p0 bra $L;
$L:
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1}, {%r1}, {%r2}, {%f0,%f1};
  .loc 1 3 3
  @!%p1 fma.rn.f32 %f1, %f2, %f3, %f4;
  { wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0}, %d1, %d2, 1,1,1,0,0; }
  tcgen05.mma.cta_group::1.kind::f16 [%r0], %d0, %d1, %r1, %p1;
  st.global.f32 [%rd1], %f1;
  ret;
}
)ptx";

}  // namespace crosswarp::smoke::test
