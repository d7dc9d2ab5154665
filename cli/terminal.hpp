// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::cli {

/// What is known of the place that output goes to.
struct Terminal {
  bool interactive = false;  ///< a person watches: lines may be drawn again in place
  bool color = false;        ///< never where NO_COLOR is set
  bool unicode = false;      ///< the locale says UTF-8
  std::size_t width = 80;
};

/// The terminal behind `descriptor`; 80 columns and no colour where it is a pipe or a file.
Terminal terminal_of(int descriptor);

enum class Color { none, green, red, yellow, blue, dim };

/// `text` in `color` where the terminal shows colours.
std::string painted(const Terminal& terminal, Color color, std::string_view text);

/// Text from outside, safe to show on a line of its own: control characters become spaces, of which runs become one.
std::string one_line(std::string_view text);

/// As one_line, but for a text of many lines: line ends and tabs stay, other control characters become `?`.
std::string without_controls(std::string_view text);

/// Code points of UTF-8 text, which is the columns it takes as long as it holds no wide or combining characters.
std::size_t columns_of(std::string_view text);

/// `text` with spaces at its end up to `columns`.
std::string padded(std::string_view text, std::size_t columns);

/// `text` cut to `columns`, the last of them dots where it was longer.
std::string shortened(std::string_view text, std::size_t columns);

/// `text` broken at spaces into lines of at most `columns`; longer words stand alone. The first line is indented by
/// `first`, the others by `rest`.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns, std::size_t first, std::size_t rest);

}  // namespace crosswarp::cli
