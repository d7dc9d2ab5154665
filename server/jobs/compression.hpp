// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace crosswarp::jobs {

/// `text` as one zstd frame.
std::string compress(std::string_view text);

/// The text of a frame that compress made of `size` bytes. Throws std::runtime_error when it is another.
std::string decompress(std::string_view frame, std::size_t size);

}  // namespace crosswarp::jobs
