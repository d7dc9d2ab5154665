// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "gpu-smoke/inspect/bytes.hpp"

namespace crosswarp::smoke {

/// Decodes one LZ4 block (LZ4 block format description 1.6: no frame, no dictionary) to exactly `size` bytes.
/// Error: the block is truncated, refers back before its start, or holds more or fewer bytes than `size`.
Result<std::string> decode_lz4_block(Bytes block, std::size_t size);

}  // namespace crosswarp::smoke
