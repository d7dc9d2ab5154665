// SPDX-License-Identifier: Apache-2.0
#include "matrix/base/combination.hpp"

#include <openssl/sha.h>

#include <array>
#include <cstdint>

namespace crosswarp {
namespace {

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

Digest sha256(std::string_view bytes) {
  Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

}  // namespace

std::string_view value_of(const Combination& combination, std::string_view axis) {
  const auto found = combination.find(axis);
  return found == combination.end() ? kNone : std::string_view(found->second);
}

std::string canonical_text(const Combination& combination) {
  std::string text;
  for (const auto& [axis, value] : combination) {
    if (value != kNone) text += axis + '=' + value + '\n';
  }
  return text;
}

std::string combination_id(const Combination& combination) {
  constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";
  const Digest digest = sha256(canonical_text(combination));
  std::string id;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (std::size_t byte = 0; byte < 10; ++byte) {
    buffer = (buffer << 8) | digest[byte];
    for (bits += 8; bits >= 5; bits -= 5) id += kAlphabet[(buffer >> (bits - 5)) & 31];
  }
  return id;
}

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : sha256(bytes)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace crosswarp
