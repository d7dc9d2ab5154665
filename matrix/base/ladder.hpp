// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace crosswarp {

/// A step of the ladder, lowest first; the order of the enumerators is the order of the ladder.
enum class Rung { feasible, resolve, install, load, build, smoke, numerics, gradients, stable, performance };

inline constexpr std::array kRungs{Rung::feasible, Rung::resolve,   Rung::install, Rung::load,
                                   Rung::build,    Rung::smoke,     Rung::numerics, Rung::gradients,
                                   Rung::stable,   Rung::performance};

/// What the table says of a combination. Skipped is never passed, broken is never failed.
enum class Status { passed, failed, unsupported, skipped, untested, broken };

/// How a rung was proved, weakest first. Nothing below `hardware` ever counts as hardware.
enum class Evidence { resolved, installed, compiled, emulated, hardware };

std::string_view to_text(Rung rung);
std::string_view to_text(Status status);
std::string_view to_text(Evidence evidence);

std::optional<Rung> rung_from_text(std::string_view text);
std::optional<Status> status_from_text(std::string_view text);
std::optional<Evidence> evidence_from_text(std::string_view text);

/// Whether the rung can only be climbed on a device.
constexpr bool needs_device(Rung rung) { return rung >= Rung::smoke; }

}  // namespace crosswarp
