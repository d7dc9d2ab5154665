// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace crosswarp::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// The first of the three that is set decides, as in setlocale(3).
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = variable(name);
    if (value.empty()) continue;
    for (const std::string_view spelling : {"UTF-8", "utf-8", "utf8", "UTF8"}) {
      if (value.find(spelling) != std::string_view::npos) return true;
    }
    return false;
  }
  return false;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

Terminal terminal_of(int descriptor) {
  Terminal terminal;
  terminal.unicode = locale_is_utf8();
  if (::isatty(descriptor) != 1) return terminal;
  terminal.interactive = variable("TERM") != "dumb";
  terminal.color = terminal.interactive && variable("NO_COLOR").empty();
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.width = size.ws_col;
  return terminal;
}

std::string painted(const Terminal& terminal, Color color, std::string_view text) {
  constexpr std::array<std::string_view, 6> kStarts{"", "\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[2m"};
  if (!terminal.color || color == Color::none) return std::string(text);
  return std::string(kStarts[static_cast<std::size_t>(color)]) + std::string(text) + "\x1b[0m";
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_control(c) && c != ' ') {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string without_controls(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (is_control(c) && c != '\n' && c != '\t' && c != '\r') c = '?';
  }
  return out;
}

std::size_t columns_of(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += continues_character(c) ? 0 : 1;
  return count;
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t taken = columns_of(text);
  return std::string(text) + std::string(columns > taken ? columns - taken : 0, ' ');
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  const std::size_t dots = columns < 3 ? columns : 3;
  std::size_t at = 0;
  for (std::size_t taken = 0; at < text.size(); ++at) {
    if (!continues_character(text[at]) && taken++ == columns - dots) break;
  }
  return std::string(text.substr(0, at)) + std::string(dots, '.');
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns, std::size_t first, std::size_t rest) {
  std::vector<std::string> lines{std::string(first, ' ')};
  std::size_t begun = first;  // columns of the line that are its indentation
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool empty = columns_of(lines.back()) == begun;
    if (!empty && columns_of(lines.back()) + 1 + columns_of(word) > columns) {
      lines.emplace_back(rest, ' ');
      begun = rest;
    } else if (!empty) {
      lines.back() += ' ';
    }
    lines.back() += word;
  }
  return lines;
}

}  // namespace crosswarp::cli
