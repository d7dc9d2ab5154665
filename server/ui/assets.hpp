// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace crosswarp::ui {

/// A file that pages need, carried by the program.
struct Asset {
  std::string_view content_type;
  std::string_view text;
  std::string digest;  ///< SHA-256 in hexadecimal
};

/// "style.css", "live.mjs"; nothing for any other name.
std::optional<Asset> find_asset(std::string_view name);

/// Where the asset is, with its digest, so that it may be cached for ever.
std::string asset_url(std::string_view name);

/// What a page may load and do: own files only.
inline constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

}  // namespace crosswarp::ui
