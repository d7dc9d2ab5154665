// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/diagnostic.hpp"

#include <algorithm>

namespace crosswarp {

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

std::string render(const Diagnostic& diagnostic, std::string_view file_name) {
  std::string out(file_name);
  if (diagnostic.place.line > 0) {
    out += ':' + std::to_string(diagnostic.place.line) + ':' + std::to_string(diagnostic.place.column);
  }
  if (diagnostic.severity == Severity::warning) out += ": warning";
  if (!diagnostic.field.empty()) out += ": " + diagnostic.field;
  return out + ": " + diagnostic.message;
}

}  // namespace crosswarp
