// SPDX-License-Identifier: Apache-2.0
#include "server/api/log_text.hpp"

#include "server/http/target.hpp"

#include <algorithm>

namespace crosswarp::api {
namespace {

/// The length of the character that begins with `lead`; 0 where none does.
std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::size_t unfinished_bytes(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const char byte = text[text.size() - back];
    if (continues(byte)) continue;
    return length_by_lead(static_cast<unsigned char>(byte)) > back ? back : 0;
  }
  return 0;
}

std::string repaired_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = length_by_lead(static_cast<unsigned char>(text.front()));
    if (length > 0 && length <= text.size() && http::is_utf8(text.substr(0, length))) {
      out.append(text.substr(0, length));
      text.remove_prefix(length);
    } else {
      out += "\xef\xbf\xbd";
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace crosswarp::api
