// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crosswarp::http {

/// Octets `first` to `last`, both included.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  std::uint64_t length() const { return last - first + 1; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// What a Range header asks of `size` octets.
struct RangeAnswer {
  bool satisfiable = true;         ///< false: answer 416
  std::optional<ByteRange> range;  ///< absent: send everything
};

/// Reads "bytes=0-499", "bytes=500-" or "bytes=-500" (RFC 9110, 14.1.2). A header that is malformed, of another unit
/// or asks for several ranges is ignored, as the RFC permits: everything is sent.
RangeAnswer read_range(std::string_view header, std::uint64_t size);

/// "bytes 0-499/1234"
std::string content_range(const ByteRange& range, std::uint64_t size);

}  // namespace crosswarp::http
