// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal.hpp"

#include <array>
#include <string>
#include <string_view>

namespace crosswarp::cli {

/// How a status is shown to people.
struct StatusMark {
  std::string_view status;
  std::string_view unicode;
  std::string_view ascii;
  Color color;
};

/// In the order in which statuses are told; `pending` is a combination whose work goes on.
inline constexpr std::array kStatusMarks{
    StatusMark{"passed", "\u2713", "+", Color::green},     StatusMark{"failed", "\u2717", "x", Color::red},
    StatusMark{"broken", "!", "!", Color::yellow},         StatusMark{"untested", "?", "?", Color::yellow},
    StatusMark{"skipped", "\u00bb", ">", Color::yellow},   StatusMark{"unsupported", "\u2298", "-", Color::dim},
    StatusMark{"pending", "\u00b7", ".", Color::blue},
};

constexpr const StatusMark* find_status_mark(std::string_view status) {
  for (const StatusMark& mark : kStatusMarks) {
    if (mark.status == status) return &mark;
  }
  return nullptr;
}

/// The sign of `mark` on `terminal`, without colour.
inline std::string sign_of(const StatusMark& mark, const Terminal& terminal) {
  return std::string(terminal.unicode ? mark.unicode : mark.ascii);
}

}  // namespace crosswarp::cli
