// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "gpu-smoke/support/result.hpp"

namespace crosswarp::smoke {

/// A borrowed run of bytes of a file, read with a check on every access. Nothing is owned: the file stays alive longer.
class Bytes {
 public:
  Bytes() = default;
  Bytes(const void* data, std::size_t size) : data_(static_cast<const unsigned char*>(data)), size_(size) {}
  explicit Bytes(std::string_view text) : Bytes(text.data(), text.size()) {}

  std::size_t size() const { return size_; }
  const unsigned char* data() const { return data_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

  /// The little-endian integer at `offset`. Error: it lies past the end; the message names `field`.
  template <class T>
  Result<T> read(std::uint64_t offset, const char* field) const {
    static_assert(std::is_unsigned<T>::value, "read takes an unsigned integer type");
    if (offset > size_ || size_ - offset < sizeof(T)) return past_end(field, offset, sizeof(T));
    return get<T>(offset);
  }

  /// As `read`, for an offset already known to be inside.
  template <class T>
  T get(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, data_ + offset, sizeof value);
    return value;
  }

  /// `length` bytes from `offset`. Error: they do not all lie inside; the message names `field`.
  Result<Bytes> slice(std::uint64_t offset, std::uint64_t length, const char* field) const {
    if (offset > size_ || size_ - offset < length) return past_end(field, offset, length);
    return Bytes(data_ + offset, static_cast<std::size_t>(length));
  }

  /// The NUL-terminated text at `offset`. Error: no NUL before the end or within 64 KiB, the bound that keeps a file of
  /// many overlapping names from taking quadratic time; the message names `field`.
  Result<std::string_view> terminated(std::uint64_t offset, const char* field) const {
    if (offset >= size_) return past_end(field, offset, 1);
    const std::string_view rest = text().substr(static_cast<std::size_t>(offset), kLongestName);
    const std::size_t end = rest.find('\0');
    if (end == std::string_view::npos) return Error{std::string(field) + ": text has no end"};
    return rest.substr(0, end);
  }

 private:
  Error past_end(const char* field, std::uint64_t offset, std::uint64_t length) const {
    return Error{std::string(field) + ": " + std::to_string(length) + " bytes at offset " + std::to_string(offset) +
                 " lie past the end at " + std::to_string(size_)};
  }

  static constexpr std::size_t kLongestName = 65536;

  const unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace crosswarp::smoke
