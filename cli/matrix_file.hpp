// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "matrix/spec/diagnostic.hpp"

#include <string>

namespace crosswarp::cli {

/// A matrix file as given on the command line.
struct MatrixFile {
  std::string name;  ///< as written; "<stdin>" for `-`
  std::string text;
};

/// Reads `path`, or standard input for `-`. Errors: invalid_argument for a file that cannot be read; too_large past
/// 1 MiB.
Result<MatrixFile> read_matrix_file(const std::string& path);

/// Tells one finding on standard error.
void tell(const Diagnostic& diagnostic, const MatrixFile& file);

}  // namespace crosswarp::cli
