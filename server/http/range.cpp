// SPDX-License-Identifier: Apache-2.0
#include "server/http/range.hpp"

#include <boost/beast/core/string.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace crosswarp::http {
namespace {

/// A number past what the type holds is its greatest: past the end of everything all the same.
std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc::result_out_of_range) value = std::numeric_limits<std::uint64_t>::max();
  if (failure == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
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
  if (!boost::beast::iequals(header.substr(0, kUnit.size()), kUnit)) return everything;
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
