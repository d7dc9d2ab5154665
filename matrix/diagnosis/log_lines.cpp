// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/log_lines.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace crosswarp::diagnosis {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::size_t kLongestReason = 300;
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Where the escape sequence that begins at `at` ends (ECMA-48: CSI up to its final byte, OSC up to BEL or ST).
std::size_t end_of_escape(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return text.size();
  const char kind = text[at + 1];
  std::size_t end = at + 2;
  if (kind == '[') {
    while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
    return std::min(end + 1, text.size());
  }
  if (kind == ']') {
    while (end < text.size() && text[end] != '\a' && text[end] != kEscape) ++end;
    if (end < text.size() && text[end] == kEscape) ++end;
    return std::min(end + 1, text.size());
  }
  return end;
}

std::string without_escapes(std::string_view text) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == kEscape) {
      at = end_of_escape(text, at);
    } else {
      clean += text[at++];
    }
  }
  return clean;
}

std::string_view without_trailing_blanks(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kBlanks);
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

/// Bytes of the UTF-8 sequence that begins at `at`, 0 where there is none (RFC 3629, section 4).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t offset) { return static_cast<unsigned char>(text[at + offset]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t offset = 1; offset < length; ++offset) {
    if ((byte(offset) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool out_of_range = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || out_of_range ? 0 : length;
}

std::string as_valid_text(std::string_view text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const unsigned char first = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      valid += kReplacement;
    } else if (first <= ' ' || first == 0x7F) {
      if (!valid.empty() && valid.back() != ' ') valid += ' ';
    } else {
      valid += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return valid;
}

}  // namespace

LogLines::LogLines(std::string_view log) {
  std::size_t begin = 0;
  while (begin < log.size()) {
    const std::size_t end = std::min(log.find_first_of("\r\n", begin), log.size());
    add(log.substr(begin, end - begin), begin);
    const bool is_crlf = log.substr(end, 2) == "\r\n";
    begin = end + (is_crlf ? 2 : 1);
  }
}

void LogLines::add(std::string_view raw, std::uint64_t offset) {
  raw = raw.substr(0, kLongestLine);
  if (raw.find(kEscape) != std::string_view::npos) raw = cleaned_.emplace_back(without_escapes(raw));
  lines_.push_back({without_trailing_blanks(raw), offset});
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{} : without_trailing_blanks(text.substr(first));
}

std::string one_line(std::string_view text) {
  static const RE2 credentials("://[^/@\\s]+@");
  std::string line = as_valid_text(trimmed(text.substr(0, 4 * LogLines::kLongestLine)));
  RE2::GlobalReplace(&line, credentials, "://");
  if (line.size() <= kLongestReason) return line;
  std::size_t cut = kLongestReason - kEllipsis.size();
  while ((static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;
  return line.substr(0, cut) + std::string(kEllipsis);
}

}  // namespace crosswarp::diagnosis
