// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/ladder.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// How single values are written on a page. Nothing here is HTML: templates escape.
namespace crosswarp::ui {

/// `text` (UTF-8) with control characters as text, `\x1b`; newline and tab stay.
std::string shown(std::string_view text);

/// The sign of a status: passed and failed differ by shape, not by colour alone. Nothing is "pending".
std::string_view mark_of(std::optional<Status> status);
std::string_view word_of(std::optional<Status> status);
/// The sign of how a rung was proved: filled is hardware.
std::string_view sign_of(Evidence evidence);

/// The stage that an agent is at; it names none before it has begun the first.
std::string_view stage_text(std::string_view stage);

/// "3 h" since `time` (RFC 3339, UTC); empty where that is no time.
std::string age(std::string_view time, std::chrono::system_clock::time_point now);
/// "0.4 s", "2 min 5 s", "3 h 2 min"
std::string duration(double seconds);
/// "1.5 GiB"
std::string size(std::uint64_t bytes);

}  // namespace crosswarp::ui
