// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace crosswarp {

/// Where what depends on time gets it, so that tests can turn the hands.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::steady_clock::time_point now() const = 0;
};

class SystemClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point now() const override { return std::chrono::steady_clock::now(); }
};

class FakeClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point now() const override { return now_; }
  void advance(std::chrono::steady_clock::duration by) { now_ += by; }

 private:
  std::chrono::steady_clock::time_point now_{};
};

}  // namespace crosswarp
