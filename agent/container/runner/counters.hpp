// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace crosswarp::runner {

/// The control group of a container, as seen from inside (versions 1 and 2). Only a container's process 1 may use it:
/// elsewhere the figures are those of strangers too. Each is absent where the kernel or the engine does not show it.
namespace counters {

/// Anonymous and shared memory in use. The page cache is left out: the kernel takes that back by itself.
std::optional<std::uint64_t> memory_bytes();

/// The most memory, cache included, that was ever in use.
std::optional<std::uint64_t> peak_memory_bytes();

/// Processes killed so far because the container's memory was used up.
std::optional<std::uint64_t> memory_kills();

/// Times that a process or thread was refused because of the container's limit.
std::optional<std::uint64_t> processes_refused();

}  // namespace counters
}  // namespace crosswarp::runner
