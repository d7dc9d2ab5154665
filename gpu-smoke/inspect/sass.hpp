// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "gpu-smoke/inspect/bytes.hpp"
#include "gpu-smoke/inspect/report.hpp"

namespace crosswarp::smoke {

struct SassCount {
  std::uint64_t instructions = 0;               // no-ops of the padding included
  std::map<std::string, std::uint64_t> matrix;  // by mnemonic in lower case
  Products products;
  bool has_trap = false;
  bool has_effect = false;  // anything but traps, exits, branches, no-ops and the set-up of registers
};

/// Counts the 16-byte instructions of Volta and newer by their opcode; `sm` (90 for sm_90a) settles what an opcode
/// means where generations differ. A last partial instruction is not counted.
SassCount count_sass(Bytes code, unsigned sm);

void add_to(std::map<std::string, std::uint64_t>& total, const std::map<std::string, std::uint64_t>& part);
void add_to(Products& total, const Products& part);

}  // namespace crosswarp::smoke
