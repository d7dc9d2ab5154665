// SPDX-License-Identifier: Apache-2.0
#include "server/http/range.hpp"

#include <algorithm>
#include <charconv>

namespace crosswarp::http {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

RangeAnswer last_octets(std::uint64_t count, std::uint64_t size) {
  if (count == 0 || size == 0) return {false, std::nullopt};
  return {true, ByteRange{size - std::min(count, size), size - 1}};
}

}  // namespace

RangeAnswer read_range(std::string_view header, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  const RangeAnswer everything;
  if (!header.starts_with(kUnit)) return everything;
  header.remove_prefix(kUnit.size());
  const auto dash = header.find('-');
  if (dash == std::string_view::npos) return everything;
  const auto first = number(header.substr(0, dash));
  const std::string_view end = header.substr(dash + 1);
  const auto last = number(end);
  if (dash == 0) return last ? last_octets(*last, size) : everything;
  if (!first || (!end.empty() && !last) || (last && *last < *first)) return everything;
  if (*first >= size) return {false, std::nullopt};
  return {true, ByteRange{*first, std::min(last.value_or(size - 1), size - 1)}};
}

std::string content_range(const ByteRange& range, std::uint64_t size) {
  return "bytes " + std::to_string(range.first) + '-' + std::to_string(range.last) + '/' + std::to_string(size);
}

}  // namespace crosswarp::http
