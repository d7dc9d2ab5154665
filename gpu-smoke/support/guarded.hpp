// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace crosswarp::smoke {

constexpr std::size_t kGuardWords = 256;              // 1 KiB on each side
constexpr std::uint32_t kGuardWord = 0xA5C3A5C3;
constexpr std::uint32_t kPoison = 0x7FC5A11D;         // a NaN with a payload that no arithmetic makes

/// Fp32 elements between two guard bands, as they lie in memory.
class GuardedImage {
 public:
  explicit GuardedImage(std::vector<std::uint32_t> words) : words_(std::move(words)) {}

  static GuardedImage holding(const std::vector<float>& values);
  /// `count` elements that nobody has written yet.
  static GuardedImage poisoned(std::size_t count);

  const std::vector<std::uint32_t>& words() const { return words_; }
  std::size_t count() const { return words_.size() - 2 * kGuardWords; }
  std::uint32_t bits(std::size_t index) const { return words_[kGuardWords + index]; }
  float value(std::size_t index) const;
  bool guards_intact() const;

  friend bool operator==(const GuardedImage& a, const GuardedImage& b) { return a.words_ == b.words_; }

 private:
  std::vector<std::uint32_t> words_;
};

}  // namespace crosswarp::smoke
