// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crosswarp {

/// A place in a text; both count from 1. 0 means that the place is the whole file.
struct Place {
  int line = 0;
  int column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

enum class Severity { error, warning };

/// One finding about a file: where, in which field ("axes.cuda[2]"), and what was found and would do.
struct Diagnostic {
  Severity severity = Severity::error;
  Place place;
  std::string field;
  std::string message;
};

bool has_errors(const std::vector<Diagnostic>& diagnostics);

/// "matrix.yaml:12:7: axes.cuda[2]: message" (warnings say so).
std::string render(const Diagnostic& diagnostic, std::string_view file_name);

}  // namespace crosswarp
