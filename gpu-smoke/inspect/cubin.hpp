// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu-smoke/inspect/elf.hpp"
#include "gpu-smoke/inspect/report.hpp"

namespace crosswarp::smoke {

/// Reads a cubin: an ELF file of machine EM_CUDA, ABI 7 (or older) and 8.
/// Up to ABI 7 the target stands in e_flags (bits 0-7, `a` as 0x800), the toolkit in e_version. In ABI 8 the number
/// stands in bits 8-15; number and suffix as text in .note.nv.tkinfo, which also names the toolkit; without that note
/// only an `a` written by 12.8 and 12.9 (0x8) is known.
/// Error: not for EM_CUDA, a table past the end, note and header that contradict each other, overlapping names.
Result<Code> read_cubin(Bytes cubin);

}  // namespace crosswarp::smoke
