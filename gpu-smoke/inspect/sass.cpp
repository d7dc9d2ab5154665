// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/sass.hpp"

#include <array>

namespace crosswarp::smoke {
namespace {

constexpr std::size_t kInstructionSize = 16;
constexpr std::size_t kBases = 512;
constexpr std::uint64_t kZeroRegister = 0xFF;

enum class Role : std::uint8_t { effect, none, trap, fma, mma, wgmma, tcgen05 };

struct Opcode {
  Role role = Role::effect;
  const char* name = nullptr;  // of a matrix instruction
};

struct OpcodeRow {
  unsigned base;
  unsigned first_sm;
  unsigned last_sm;
  Opcode opcode;
};

constexpr unsigned kAnySm = 255;

// The low 9 bits name the instruction, the 3 above them the form of its operands (register, constant, immediate,
// uniform). NVIDIA does not publish the encoding: these values were read from nvdisasm's output for every form of mma,
// wgmma, tcgen05 and fma that ptxas 11.8 to 13.5 compiles for sm_70 to sm_121. Numbers are used again for other
// instructions in later generations (0x036 is VIADD from sm_90 on, 0x035 IADD from sm_107 on), hence the ranges.
constexpr OpcodeRow kOpcodes[] = {
    {0x023, 70, kAnySm, {Role::fma, nullptr}},   // FFMA
    {0x02b, 70, kAnySm, {Role::fma, nullptr}},   // DFMA
    {0x031, 70, kAnySm, {Role::fma, nullptr}},   // HFMA2
    {0x035, 70, 90, {Role::fma, nullptr}},       // HFMA2.MMA, which is no matrix product
    {0x049, 100, kAnySm, {Role::fma, nullptr}},  // FFMA2
    {0x036, 70, 75, {Role::mma, "hmma"}},        // m8n8k4
    {0x03c, 75, kAnySm, {Role::mma, "hmma"}},
    {0x037, 72, kAnySm, {Role::mma, "imma"}},
    {0x03d, 75, 90, {Role::mma, "bmma"}},
    {0x03f, 80, kAnySm, {Role::mma, "dmma"}},
    {0x07a, 89, kAnySm, {Role::mma, "qmma"}},
    {0x07f, 120, kAnySm, {Role::mma, "omma"}},
    {0x1f0, 90, 90, {Role::wgmma, "hgmma"}},
    {0x1f1, 90, 90, {Role::wgmma, "igmma"}},
    {0x1f2, 90, 90, {Role::wgmma, "bgmma"}},
    {0x1f3, 90, 90, {Role::wgmma, "qgmma"}},
    {0x1ea, 100, 119, {Role::tcgen05, nullptr}},
    {0x15c, 70, kAnySm, {Role::trap, nullptr}},  // BPT
    {0x002, 70, kAnySm, {Role::none, nullptr}},  // MOV
    {0x005, 70, kAnySm, {Role::none, nullptr}},  // CS2R
    {0x010, 70, kAnySm, {Role::none, nullptr}},  // IADD3
    {0x024, 70, kAnySm, {Role::none, nullptr}},  // IMAD, the form of MOV included
    {0x082, 75, kAnySm, {Role::none, nullptr}},  // UMOV
    {0x0b9, 75, kAnySm, {Role::none, nullptr}},  // ULDC
    {0x118, 70, kAnySm, {Role::none, nullptr}},  // NOP
    {0x119, 70, kAnySm, {Role::none, nullptr}},  // S2R
    {0x147, 70, kAnySm, {Role::none, nullptr}},  // BRA
    {0x14d, 70, kAnySm, {Role::none, nullptr}},  // EXIT
    {0x150, 70, kAnySm, {Role::none, nullptr}},  // RET
    {0x182, 70, kAnySm, {Role::none, nullptr}},  // LDC
    {0x1ac, 100, kAnySm, {Role::none, nullptr}}, // LDCU
};

using OpcodeTable = std::array<Opcode, kBases>;

OpcodeTable table_for(unsigned sm) {
  OpcodeTable table{};
  for (const OpcodeRow& row : kOpcodes) {
    if (row.first_sm <= sm && sm <= row.last_sm) table[row.base] = row.opcode;
  }
  return table;
}

// One opcode serves every kind of tcgen05.mma: bits 72 and 73 tell them apart, and bit 63 OMMA from HMMA.
const char* tcgen05_name(std::uint64_t low, std::uint64_t high) {
  const std::uint64_t kind = high >> 8 & 3;
  if (kind == 0) return (low >> 63) != 0 ? "utcomma" : "utchmma";
  if (kind == 1) return "utcimma";
  return kind == 3 ? "utcqmma" : "utcmma";
}

// A multiplication by the zero register is how the assembler moves a constant through the floating-point pipe.
bool is_move(std::uint64_t low) { return (low >> 24 & 0xFF) == kZeroRegister; }

// Bits 12 to 15 hold the guard; !PT never holds, so the instruction does nothing (sm_70 begins kernels with one).
bool never_runs(std::uint64_t low) { return (low >> 12 & 15) == 15; }

void add_product(Role role, Products& products) {
  if (role == Role::mma) ++products.mma;
  if (role == Role::wgmma) ++products.wgmma;
  if (role == Role::tcgen05) ++products.tcgen05;
  if (role == Role::fma) ++products.fma;
}

}  // namespace

SassCount count_sass(Bytes code, unsigned sm) {
  const OpcodeTable table = table_for(sm);
  SassCount count;
  for (std::size_t at = 0; at + kInstructionSize <= code.size(); at += kInstructionSize) {
    const auto low = code.get<std::uint64_t>(at);
    const Opcode& opcode = table[low & (kBases - 1)];
    ++count.instructions;
    if (opcode.role == Role::trap) count.has_trap = true;
    if (opcode.role == Role::trap || opcode.role == Role::none) continue;
    if (opcode.role == Role::fma && is_move(low)) continue;
    if (!never_runs(low)) count.has_effect = true;
    add_product(opcode.role, count.products);
    if (opcode.role == Role::tcgen05) ++count.matrix[tcgen05_name(low, code.get<std::uint64_t>(at + 8))];
    if (opcode.name != nullptr) ++count.matrix[opcode.name];
  }
  return count;
}

void add_to(std::map<std::string, std::uint64_t>& total, const std::map<std::string, std::uint64_t>& part) {
  for (const auto& [name, number] : part) total[name] += number;
}

void add_to(Products& total, const Products& part) {
  total.mma += part.mma;
  total.wgmma += part.wgmma;
  total.tcgen05 += part.tcgen05;
  total.fma += part.fma;
}

}  // namespace crosswarp::smoke
