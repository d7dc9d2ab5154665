// SPDX-License-Identifier: Apache-2.0
// Any text is either read or refused with a place; nothing else may happen. The corpus lies in fuzz_corpus/.
#include "matrix/spec/recipe.hpp"
#include "matrix/spec/spec.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const crosswarp::ParsedSpecs specs = crosswarp::parse_specs(text);
  if (specs.ok() && specs.specs.empty()) std::abort();
  crosswarp::parse_recipe(text);
  return 0;
}
