// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/stub_texts.hpp"

#include <algorithm>

namespace crosswarp::smoke {
namespace {

constexpr std::size_t kMostTexts = 16;
constexpr std::size_t kLongestSide = 100;
constexpr std::string_view kSigns[] = {"Arch conditional MMA", "without CUTE_ARCH_", "not implemented"};

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

std::string text_around(std::string_view code, std::size_t at, std::size_t length) {
  std::size_t from = at;
  while (from > 0 && at - from < kLongestSide && is_printable(code[from - 1])) --from;
  std::size_t to = at + length;
  while (to < code.size() && to - at < kLongestSide && is_printable(code[to])) ++to;
  return std::string(code.substr(from, to - from));
}

}  // namespace

std::vector<std::string> find_stub_texts(std::string_view code) {
  std::vector<std::string> texts;
  for (const std::string_view sign : kSigns) {
    for (std::size_t at = code.find(sign); at != std::string_view::npos; at = code.find(sign, at + sign.size())) {
      std::string text = text_around(code, at, sign.size());
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
      if (texts.size() == kMostTexts) return texts;
    }
  }
  return texts;
}

}  // namespace crosswarp::smoke
