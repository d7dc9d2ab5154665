// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/support/guarded.hpp"

#include <algorithm>
#include <cstring>

namespace crosswarp::smoke {

GuardedImage GuardedImage::poisoned(std::size_t count) {
  std::vector<std::uint32_t> words(count + 2 * kGuardWords, kGuardWord);
  std::fill_n(words.begin() + kGuardWords, count, kPoison);
  return GuardedImage(std::move(words));
}

GuardedImage GuardedImage::holding(const std::vector<float>& values) {
  GuardedImage image = poisoned(values.size());
  if (!values.empty()) std::memcpy(&image.words_[kGuardWords], values.data(), values.size() * sizeof(float));
  return image;
}

float GuardedImage::value(std::size_t index) const {
  float value;
  std::memcpy(&value, &words_[kGuardWords + index], sizeof value);
  return value;
}

bool GuardedImage::guards_intact() const {
  const auto is_guard = [](std::uint32_t word) { return word == kGuardWord; };
  return std::all_of(words_.begin(), words_.begin() + kGuardWords, is_guard) &&
         std::all_of(words_.end() - kGuardWords, words_.end(), is_guard);
}

}  // namespace crosswarp::smoke
