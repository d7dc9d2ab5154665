// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace crosswarp::smoke {

/// `gpu-smoke inspect [--json] [--arch sm_90a] FILE...`: prints what each file holds on stdout, one file after another,
/// errors on stderr. Answers the exit code: 0 every file was read (and, with --arch, holds device code, all of it for
/// exactly that arch), 1 a file holds none or other code, 2 usage, 3 a file could not be read (the others still are).
int run_inspect(const std::vector<std::string>& arguments);

}  // namespace crosswarp::smoke
