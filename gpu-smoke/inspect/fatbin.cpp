// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/fatbin.hpp"

#include <algorithm>

#ifdef GPU_SMOKE_HAS_ZSTD
#include <zstd.h>
#endif

#include "gpu-smoke/inspect/lz4.hpp"

namespace crosswarp::smoke {
namespace {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::uint64_t kHeaderSize = 16;
constexpr std::uint64_t kEntrySize = 64;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
// One byte of an LZ4 block stands for at most 255 decoded ones.
constexpr std::uint64_t kMostLz4Ratio = 255;

Result<FatbinEntry> read_entry(Bytes container, std::uint64_t at, std::uint64_t& next) {
  const auto header = container.slice(at, kEntrySize, "fatbin entry header");
  if (!header) return header.error();
  const std::uint64_t header_size = header->get<std::uint32_t>(4);
  const auto size = header->get<std::uint64_t>(8);
  const std::uint64_t stored = header->get<std::uint32_t>(16);
  if (header_size < kEntrySize) return Error{"fatbin entry header size: " + std::to_string(header_size)};
  const auto padded = container.slice(at + header_size, size, "fatbin entry payload");
  if (!padded) return padded.error();
  FatbinEntry entry;
  entry.kind = header->get<std::uint16_t>(0);
  entry.sm = header->get<std::uint32_t>(28);
  entry.flags = header->get<std::uint64_t>(40);
  entry.decompressed_size = header->get<std::uint64_t>(56);
  entry.payload = *padded;
  if (is_compressed(entry)) {
    const auto exact = padded->slice(0, stored, "fatbin entry compressed size");
    if (!exact) return exact.error();
    entry.payload = *exact;
  }
  next = at + header_size + size;
  return entry;
}

Result<bool> read_container(Bytes container, std::vector<FatbinEntry>& entries) {
  for (std::uint64_t at = 0; at < container.size();) {
    std::uint64_t next = at;
    const auto entry = read_entry(container, at, next);
    if (!entry) return entry.error();
    entries.push_back(*entry);
    at = next;
  }
  return true;
}

Result<std::string> decode_zstd(Bytes payload, std::uint64_t size) {
#ifdef GPU_SMOKE_HAS_ZSTD
  std::string out(static_cast<std::size_t>(size), '\0');
  const std::size_t decoded = ZSTD_decompress(&out[0], out.size(), payload.data(), payload.size());
  if (ZSTD_isError(decoded) != 0) return Error{std::string("zstd frame: ") + ZSTD_getErrorName(decoded)};
  if (decoded != size) return Error{"zstd frame: holds " + std::to_string(decoded) + " bytes, not " +
                                    std::to_string(size)};
  return out;
#else
  (void)payload;
  (void)size;
  return Error{"zstd frame: this program was built without zstd"};
#endif
}

bool is_padding(Bytes rest) {
  const std::string_view text = rest.text();
  return text.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

bool looks_like_fatbin(Bytes content) { return content.size() >= 4 && content.get<std::uint32_t>(0) == kMagic; }

bool is_compressed(const FatbinEntry& entry) { return (entry.flags & (kFlagLz4 | kFlagZstd)) != 0; }

Result<std::vector<FatbinEntry>> read_fatbins(Bytes content) {
  std::vector<FatbinEntry> entries;
  std::uint64_t at = 0;
  while (at < content.size()) {
    const Bytes rest(content.data() + at, content.size() - static_cast<std::size_t>(at));
    if (!looks_like_fatbin(rest)) {
      const auto word = rest.slice(0, std::min<std::uint64_t>(8, rest.size()), "fatbin padding");
      if (!is_padding(*word)) return Error{"fatbin magic: not found at offset " + std::to_string(at)};
      at += word->size();
      continue;
    }
    const auto header = rest.slice(0, kHeaderSize, "fatbin header");
    if (!header) return header.error();
    const std::uint64_t header_size = header->get<std::uint16_t>(6);
    const auto size = header->get<std::uint64_t>(8);
    if (header_size < kHeaderSize) return Error{"fatbin header size: " + std::to_string(header_size)};
    const auto container = rest.slice(header_size, size, "fatbin size");
    if (!container) return within("fatbin at offset " + std::to_string(at), container.error());
    const auto read = read_container(*container, entries);
    if (!read) return within("fatbin at offset " + std::to_string(at), read.error());
    at += header_size + size;
  }
  return entries;
}

Result<std::string> decompress(const FatbinEntry& entry, std::uint64_t limit) {
  const std::uint64_t size = entry.decompressed_size;
  if (size > limit) {
    return Error{"fatbin entry decompressed size: " + std::to_string(size) + " is over the limit of " +
                 std::to_string(limit)};
  }
  if ((entry.flags & kFlagZstd) != 0) return decode_zstd(entry.payload, size);
  if (size > entry.payload.size() * kMostLz4Ratio) {
    return Error{"fatbin entry decompressed size: more than lz4 can hold"};
  }
  return decode_lz4_block(entry.payload, static_cast<std::size_t>(size));
}

}  // namespace crosswarp::smoke
