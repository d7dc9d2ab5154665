// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "gpu-smoke/inspect/inspect.hpp"

// libFuzzer's entry: any bytes give a report or an error, and a report can be printed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto report = crosswarp::smoke::inspect_bytes("fuzz", crosswarp::smoke::Bytes(data, size));
  if (report) {
    crosswarp::smoke::to_json(*report);
    crosswarp::smoke::to_text(*report);
  }
  return 0;
}
