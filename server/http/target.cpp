// SPDX-License-Identifier: Apache-2.0
#include "server/http/target.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace crosswarp::http {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

Error bad(std::string message) { return Error{ErrorCode::invalid_argument, std::move(message)}; }

int hex_value(char digit) {
  const auto at = kHexDigits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(digit))));
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }

Result<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char byte = text[i];
    if (byte == '%') {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
      if (high < 0 || low < 0) return bad("request target: \"%\" must be followed by two hexadecimal digits");
      byte = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (byte == '+' && plus_is_space) {
      byte = ' ';
    }
    if (is_control(byte)) return bad("request target: control characters are not accepted");
    out += byte;
  }
  if (!is_utf8(out)) return bad("request target: not UTF-8");
  return out;
}

/// Calls `take` with each piece between separators; stops at the first error.
template <class Take>
Result<void> for_each_piece(std::string_view text, char separator, Take take) {
  while (true) {
    const auto end = text.find(separator);
    if (Result<void> taken = take(text.substr(0, end)); taken.has_error()) return taken;
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
}

Result<std::vector<std::string>> decode_path(std::string_view path) {
  std::vector<std::string> segments;
  const auto take = [&](std::string_view piece) -> Result<void> {
    Result<std::string> segment = decode(piece, false);
    if (segment.has_error()) return segment.error();
    if (*segment == "." || *segment == "..") return bad("request target: dot segments are not accepted");
    segments.push_back(std::move(*segment));
    return {};
  };
  const Result<void> done = for_each_piece(path.substr(1), '/', take);
  if (done.has_error()) return done.error();
  if (segments.size() == 1 && segments.front().empty()) segments.clear();
  return segments;
}

Result<Parameters> decode_query(std::string_view query) {
  Parameters parameters;
  const auto take = [&](std::string_view piece) -> Result<void> {
    if (piece.empty()) return {};
    const auto equals = piece.find('=');
    Result<std::string> name = decode(piece.substr(0, equals), true);
    if (name.has_error()) return name.error();
    Result<std::string> value = decode(equals == std::string_view::npos ? "" : piece.substr(equals + 1), true);
    if (value.has_error()) return value.error();
    parameters.emplace_back(std::move(*name), std::move(*value));
    return {};
  };
  const Result<void> done = for_each_piece(query, '&', take);
  if (done.has_error()) return done.error();
  return parameters;
}

/// "http://host/path" as a proxy may send it, without its scheme and host.
std::string_view without_authority(std::string_view target) {
  const auto scheme = target.find("://");
  if (target.starts_with('/') || scheme == std::string_view::npos) return target;
  const auto path = target.find('/', scheme + 3);
  return path == std::string_view::npos ? "/" : target.substr(path);
}

/// Length of the UTF-8 sequence that begins with `lead` and the smallest code point it may stand for; 0: no lead byte.
std::pair<std::size_t, std::uint32_t> sequence_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0};
  if (lead >= 0xc2 && lead < 0xe0) return {2, 0x80};
  if (lead >= 0xe0 && lead < 0xf0) return {3, 0x800};
  if (lead >= 0xf0 && lead < 0xf5) return {4, 0x10000};
  return {0, 0};
}

}  // namespace

Result<Target> parse_target(std::string_view target) {
  target = without_authority(target);
  if (!target.starts_with('/')) return bad("request target: expected a path that begins with \"/\"");
  if (target.find('#') != std::string_view::npos) return bad("request target: a fragment is not accepted");
  const auto mark = target.find('?');
  Result<std::vector<std::string>> path = decode_path(target.substr(0, mark));
  if (path.has_error()) return path.error();
  Result<Parameters> query = decode_query(mark == std::string_view::npos ? "" : target.substr(mark + 1));
  if (query.has_error()) return query.error();
  return Target{std::move(*path), std::move(*query)};
}

std::string percent_encode(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x80 && (std::isalnum(code) || byte == '-' || byte == '_' || byte == '.' || byte == '~')) {
      out += byte;
    } else {
      out += {'%', kHexDigits[code >> 4], kHexDigits[code & 15]};
    }
  }
  return out;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const auto [length, least] = sequence_of(lead);
    if (length == 0 || i + length > text.size()) return false;
    std::uint32_t code = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return false;
      code = (code << 6) | (next & 0x3f);
    }
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    i += length;
  }
  return true;
}

}  // namespace crosswarp::http
