// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace crosswarp::runner {

/// All living descendants of this process, from /proc, however they detached themselves: as this process is the
/// subreaper (or process 1) their orphans come back to it. Those already dead and not yet waited for are left out.
std::vector<pid_t> descendants();

/// What descendants use now. Threads are counted, as the kernel's own limit counts them.
struct Usage {
  int threads = 0;
  std::uint64_t memory_bytes = 0;  ///< anonymous and shared memory; pages shared by a fork count in each process
};
Usage usage_of(const std::vector<pid_t>& processes);

/// Their memory with shared pages divided among those who share them; slower to ask for.
std::uint64_t proportional_memory(const std::vector<pid_t>& processes);

/// Sends `signal` to all descendants.
void signal_descendants(int signal);

/// Kills descendants until none is left; `reap` waits for the dead ones and answers whether children remain.
/// False when some would not die within `patience` (a process stuck in the kernel).
bool kill_descendants(const std::function<bool()>& reap, std::chrono::milliseconds patience);

}  // namespace crosswarp::runner
