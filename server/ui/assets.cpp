// SPDX-License-Identifier: Apache-2.0
#include "server/ui/assets.hpp"

#include "matrix/base/combination.hpp"
#include "server/ui/asset_files.hpp"

namespace crosswarp::ui {

std::optional<Asset> find_asset(std::string_view name) {
  for (const auto& file : kAssetFiles) {
    if (file.name != "assets/" + std::string(name)) continue;
    const bool style = name.ends_with(".css");
    return Asset{style ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8", file.text,
                 sha256_hex(file.text)};
  }
  return std::nullopt;
}

std::string asset_url(std::string_view name) {
  return "/assets/" + std::string(name) + "?v=" + find_asset(name).value().digest.substr(0, 12);
}

}  // namespace crosswarp::ui
