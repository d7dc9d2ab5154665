// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu-smoke/inspect/bytes.hpp"

namespace crosswarp::smoke {

/// One entry of a fat binary, still as it is stored.
struct FatbinEntry {
  std::uint16_t kind = 0;  // 1 PTX, 2 cubin; others hold NVVM or LTO code
  std::uint32_t sm = 0;
  std::uint64_t flags = 0;
  std::uint64_t decompressed_size = 0;
  Bytes payload;
};

constexpr std::uint16_t kEntryPtx = 1;
constexpr std::uint16_t kEntryCubin = 2;

bool looks_like_fatbin(Bytes content);

/// Lists the entries of all fat binaries that stand one after another in `content` (a section of a host file, or a file
/// of its own), padding of zeros between them allowed. The layout is not documented; it was read from the output of
/// CUDA 11.8 to 13.5. Error: other bytes between them, or a size past the end.
Result<std::vector<FatbinEntry>> read_fatbins(Bytes content);

/// True when the payload is stored compressed and must go through `decompress`.
bool is_compressed(const FatbinEntry& entry);

/// The payload of a compressed entry (LZ4 block up to CUDA 12, zstd frame since), in a buffer of its own.
/// Error: a declared size over `limit`, no known compression, data that do not decode to the declared size.
Result<std::string> decompress(const FatbinEntry& entry, std::uint64_t limit);

}  // namespace crosswarp::smoke
