// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/scalar.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace crosswarp::spec {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_digit_or_underscore(char c) { return is_digit(c) || c == '_'; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::size_t digits_at_front(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit_or_underscore) - text.begin());
}

/// 0x1f, 0o17, 0b101, underscores allowed.
bool is_prefixed_integer(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return false;
  const std::string_view digits = text[1] == 'x'   ? "0123456789abcdef_"
                                  : text[1] == 'o' ? "01234567_"
                                  : text[1] == 'b' ? "01_"
                                                   : "";
  return text.substr(2).find_first_not_of(digits) == std::string_view::npos;
}

/// 1:30 and 1:30:15.5, which YAML 1.1 reads in base 60.
bool is_sexagesimal(std::string_view text) {
  bool colon = false;
  while (true) {
    const std::size_t size = digits_at_front(text);
    if (size == 0 || (colon && size > 2)) return false;
    text.remove_prefix(size);
    if (text.empty() || text.front() != ':') break;
    colon = true;
    text.remove_prefix(1);
  }
  return colon && (text.empty() || (text.front() == '.' && digits_at_front(text.substr(1)) == text.size() - 1));
}

/// 12, 1.5, .5, 1., 1e3, 1.5e-3, underscores allowed.
bool is_decimal(std::string_view text) {
  const std::size_t whole = digits_at_front(text);
  text.remove_prefix(whole);
  std::size_t fraction = 0;
  if (!text.empty() && text.front() == '.') {
    fraction = digits_at_front(text.substr(1));
    text.remove_prefix(1 + fraction);
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e') return false;
  text.remove_prefix(1);
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return !text.empty() && digits_at_front(text) == text.size();
}

bool is_number(std::string_view text) {
  if (text == ".nan") return true;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  if (text.empty()) return false;
  if (text == ".inf") return true;
  if (!is_digit(text.front()) && text.front() != '.') return false;
  return is_prefixed_integer(text) || is_sexagesimal(text) || is_decimal(text);
}

template <std::size_t N>
std::optional<std::uint64_t> with_unit(std::string_view text,
                                       const std::array<std::pair<std::string_view, std::uint64_t>, N>& units) {
  constexpr std::size_t kMostDigits = 9;  // no unit here can make such a number overflow
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto size = static_cast<std::size_t>(end - text.begin());
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const auto& candidate) { return candidate.first == text.substr(size); });
  if (size == 0 || size > kMostDigits || unit == units.end()) return std::nullopt;
  const std::uint64_t amount = std::stoull(std::string(text.substr(0, size))) * unit->second;
  return amount == 0 ? std::nullopt : std::optional(amount);
}

}  // namespace

ScalarKind kind_of_plain_scalar(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNulls{"", "~", "null"};
  constexpr std::array<std::string_view, 8> kBooleans{"y", "n", "yes", "no", "on", "off", "true", "false"};
  const std::string word = lower(text);
  if (is_one_of(kNulls, word)) return ScalarKind::null;
  if (is_one_of(kBooleans, word)) return ScalarKind::boolean;
  return is_number(word) ? ScalarKind::number : ScalarKind::text;
}

Result<std::chrono::seconds> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 3> kUnits{{{"s", 1}, {"m", 60}, {"h", 3600}}};
  if (const auto seconds = with_unit(text, kUnits)) return std::chrono::seconds(*seconds);
  return Error{ErrorCode::invalid_argument,
               in_quotes(text) + " is not a duration; write it with its unit: 90s, 2m, 1h"};
}

Result<std::uint64_t> parse_size(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 3> kUnits{
      {{"KiB", std::uint64_t{1} << 10}, {"MiB", std::uint64_t{1} << 20}, {"GiB", std::uint64_t{1} << 30}}};
  if (const auto bytes = with_unit(text, kUnits)) return *bytes;
  return Error{ErrorCode::invalid_argument, in_quotes(text) + " is not a size; write it with its unit: 512MiB, 2GiB"};
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      out += c;
    }
  }
  // A cut must not leave half of a UTF-8 character.
  if (text.size() > kLongest) {
    std::size_t cut = out.size();
    while (cut > 1 && (static_cast<unsigned char>(out[cut - 1]) & 0xc0) == 0x80) --cut;
    if (cut > 1 && (static_cast<unsigned char>(out[cut - 1]) & 0xc0) == 0xc0) out.resize(cut - 1);
    out += "...";
  }
  return out + '"';
}

}  // namespace crosswarp::spec
