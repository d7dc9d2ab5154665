// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/support/json.hpp"

#include <cmath>
#include <cstdio>

namespace crosswarp::smoke {
namespace {

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

// The length of the well-formed UTF-8 sequence at `at` (Unicode, table 3-7), 0 where there is none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  if (!is_continuation(text, at + 1)) return 0;
  const auto second = static_cast<unsigned char>(text[at + 1]);
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (!is_continuation(text, at + 2)) return 0;
  const bool overlong3 = first == 0xE0 && second < 0xA0;
  const bool surrogate = first == 0xED && second >= 0xA0;
  if (first >= 0xE0 && first <= 0xEF) return overlong3 || surrogate ? 0 : 3;
  if (!is_continuation(text, at + 3)) return 0;
  const bool overlong4 = first == 0xF0 && second < 0x90;
  const bool beyond = first == 0xF4 && second >= 0x90;
  return first >= 0xF0 && first <= 0xF4 && !overlong4 && !beyond ? 4 : 0;
}

void append_escape(std::string& out, unsigned char byte) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", byte);
  out += escape;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      append_escape(out, byte);
      at += 1;
      continue;
    }
    if (byte == '"' || byte == '\\') out += '\\';
    out.append(text.substr(at, length));
    at += length;
  }
  return out + '"';
}

void JsonWriter::separate() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  text_ += '{';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  text_ += '}';
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  text_ += '[';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  text_ += ']';
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  text_ += json_string(name) + ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  text_ += json_string(text);
  return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", number);
  text_ += digits;
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  text_ += truth ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
  return *this;
}

}  // namespace crosswarp::smoke
