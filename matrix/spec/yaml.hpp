// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/spec/diagnostic.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosswarp::spec {

inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxNodes = 100'000;
/// Of all scalars, those behind aliases counted as often as they are named.
inline constexpr std::size_t kMaxScalarBytes = std::size_t{4} << 20;

struct Node;
/// A node that an alias names is shared, never copied; there are no cycles.
using NodePtr = std::shared_ptr<const Node>;

/// A piece of YAML with its place.
struct Node {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  Place place;
  std::string text;    ///< scalar
  bool plain = false;  ///< scalar: written without quotes, so that YAML may read it as something else than text
  std::vector<NodePtr> items;                        ///< list
  std::vector<std::pair<NodePtr, NodePtr>> entries;  ///< map: keys are scalars, none twice, in the order written
};

struct YamlDocuments {
  std::vector<NodePtr> documents;
  std::vector<Diagnostic> diagnostics;
};

/// Reads every YAML document of `text` (UTF-8). Duplicate and non-scalar keys and tags other than !!str are errors
/// that leave the rest readable; what is past the bounds above, recursive aliases, and text that is no YAML are errors
/// that end the reading. Bounds are checked before anything is built.
YamlDocuments read_yaml(std::string_view text);

}  // namespace crosswarp::spec
