// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crosswarp::smoke {

constexpr unsigned kBlock = 256;

struct Launch {
  unsigned grid;
  unsigned block;
};

/// A one-dimensional launch with at least one thread for each of `n` elements; 0 < n < 2^31 * kBlock.
inline Launch one_thread_per(std::int64_t n) { return {static_cast<unsigned>((n + kBlock - 1) / kBlock), kBlock}; }

}  // namespace crosswarp::smoke
