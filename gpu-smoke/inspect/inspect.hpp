// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gpu-smoke/inspect/bytes.hpp"
#include "gpu-smoke/inspect/report.hpp"

namespace crosswarp::smoke {

/// Reads the device code in `content`: a cubin, a host object, library or program with fat binaries, a bare fat binary,
/// or PTX text. Bounds: 512 MiB for one decompressed code, 32 GiB for all of a file, one code in memory at a time.
/// Error: neither of these, or malformed; the message names the field.
Result<FileReport> inspect_bytes(const std::string& name, Bytes content);

/// The same for a file on disk, which is mapped, not read. Error: as above, or the file cannot be opened; the message
/// begins with its name.
Result<FileReport> inspect_file(const std::string& path);

}  // namespace crosswarp::smoke
