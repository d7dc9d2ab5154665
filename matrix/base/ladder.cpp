// SPDX-License-Identifier: Apache-2.0
#include "matrix/base/ladder.hpp"

namespace crosswarp {
namespace {

constexpr std::array<std::string_view, 10> kRungNames{"feasible", "resolve", "install",   "load",   "build",
                                                      "smoke",    "numerics", "gradients", "stable", "performance"};
constexpr std::array<std::string_view, 6> kStatusNames{"passed",  "failed",   "unsupported",
                                                       "skipped", "untested", "broken"};
constexpr std::array<std::string_view, 5> kEvidenceNames{"resolved", "installed", "compiled", "emulated", "hardware"};

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_text(Rung rung) { return kRungNames[static_cast<std::size_t>(rung)]; }
std::string_view to_text(Status status) { return kStatusNames[static_cast<std::size_t>(status)]; }
std::string_view to_text(Evidence evidence) { return kEvidenceNames[static_cast<std::size_t>(evidence)]; }

std::optional<Rung> rung_from_text(std::string_view text) { return find_name<Rung>(kRungNames, text); }
std::optional<Status> status_from_text(std::string_view text) { return find_name<Status>(kStatusNames, text); }
std::optional<Evidence> evidence_from_text(std::string_view text) {
  return find_name<Evidence>(kEvidenceNames, text);
}

}  // namespace crosswarp
