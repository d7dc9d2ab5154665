// SPDX-License-Identifier: Apache-2.0
#include "server/jobs/compression.hpp"

#include <zstd.h>

#include <stdexcept>

namespace crosswarp::jobs {
namespace {

constexpr int kLevel = 3;

}  // namespace

std::string compress(std::string_view text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const auto size = ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  frame.resize(size);
  return frame;
}

std::string decompress(std::string_view frame, std::size_t size) {
  std::string text(size, '\0');
  const auto found = ZSTD_decompress(text.data(), text.size(), frame.data(), frame.size());
  if (ZSTD_isError(found) || found != size) throw std::runtime_error("a piece of a log is damaged");
  return text;
}

}  // namespace crosswarp::jobs
