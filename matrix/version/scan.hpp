// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace crosswarp::version {

// Characters are ASCII here whatever the locale says: versions and archs are written in ASCII only.
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_letter(char c) noexcept { return lower(c) >= 'a' && lower(c) <= 'z'; }

inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The text between double quotes, cut where it is long, for messages.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  const bool cut = text.size() > kLongest;
  return '"' + std::string(text.substr(0, kLongest)) + (cut ? "..." : "") + '"';
}

/// Reads a text from left to right. Each `skip` consumes what it names and says whether it was there.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const noexcept { return rest_.empty(); }
  std::string_view rest() const noexcept { return rest_; }

  bool skip(char c) { return take_if(!rest_.empty() && rest_.front() == c, 1); }

  bool skip_one_of(std::string_view set) {
    return take_if(!rest_.empty() && set.find(rest_.front()) != std::string_view::npos, 1);
  }

  /// `word` is lower-case and is found in any case.
  bool skip_word(std::string_view word) {
    const std::string_view head = rest_.substr(0, word.size());
    return take_if(std::equal(head.begin(), head.end(), word.begin(), word.end(),
                              [](char found, char wanted) { return lower(found) == wanted; }),
                   word.size());
  }

  std::string_view digits() { return take_while(is_digit); }
  std::string_view letters_and_digits() {
    return take_while([](char c) { return is_digit(c) || is_letter(c); });
  }

 private:
  bool take_if(bool found, std::size_t size) {
    if (found) rest_.remove_prefix(size);
    return found;
  }

  template <class Predicate>
  std::string_view take_while(Predicate wanted) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), wanted);
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
};

}  // namespace crosswarp::version
