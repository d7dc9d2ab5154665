// SPDX-License-Identifier: Apache-2.0
#include "cli/matrix_file.hpp"

#include "cli/terminal.hpp"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace crosswarp::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

/// Reads one byte past the bound at most, however long the input is.
std::string read_bounded(std::istream& in) {
  std::string text(kMostBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace

Result<MatrixFile> read_matrix_file(const std::string& path) {
  MatrixFile file{path == "-" ? "<stdin>" : path, {}};
  if (path == "-") {
    file.text = read_bounded(std::cin);
  } else {
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{ErrorCode::invalid_argument, file.name + ": cannot be read"};
    file.text = read_bounded(in);
    if (in.bad()) return Error{ErrorCode::invalid_argument, file.name + ": cannot be read"};
  }
  if (file.text.size() > kMostBytes) return Error{ErrorCode::too_large, file.name + ": larger than 1 MiB"};
  return file;
}

void tell(const Diagnostic& diagnostic, const MatrixFile& file) {
  std::fprintf(stderr, "%s\n", one_line(render(diagnostic, file.name)).c_str());
}

}  // namespace crosswarp::cli
