// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::protocol {

/// Reads the fields of one JSON object that came from outside. The first mistake is kept in `error`, with the field's
/// path in front; from then on all reads give empty values, so a decoder reads on without asking.
class Fields {
 public:
  /// `path` is where the object stands ("units[2]"), empty for the whole message. `error` must outlive this.
  Fields(const boost::json::value& value, std::string path, std::optional<Error>& error);

  /// Text of at most `limit` bytes.
  std::string text(std::string_view name, std::size_t limit);
  /// As text, empty where the field is absent or null.
  std::string optional_text(std::string_view name, std::size_t limit);
  std::int64_t integer(std::string_view name, std::int64_t least = 0,
                       std::int64_t most = std::numeric_limits<std::int64_t>::max());
  /// As integer, `otherwise` where the field is absent or null.
  std::int64_t optional_integer(std::string_view name, std::int64_t otherwise, std::int64_t least = 0,
                                std::int64_t most = std::numeric_limits<std::int64_t>::max());
  double optional_number(std::string_view name, double otherwise);
  bool optional_boolean(std::string_view name, bool otherwise);
  std::vector<std::string> optional_texts(std::string_view name, std::size_t count, std::size_t limit);
  std::vector<std::int64_t> optional_integers(std::string_view name, std::size_t count);
  /// An object or array as it is, at most `limit` bytes when written out; empty where absent or null.
  boost::json::object optional_object(std::string_view name, std::size_t limit);
  boost::json::array optional_array(std::string_view name, std::size_t limit);

  /// A word of ours, as `parse` knows it.
  template <class T>
  T word(std::string_view name, std::optional<T> (*parse)(std::string_view)) {
    const auto found = parse_word(name, text(name, kWordLimit), parse);
    return found.value_or(T{});
  }
  template <class T>
  std::optional<T> optional_word(std::string_view name, std::optional<T> (*parse)(std::string_view)) {
    const auto given = optional_text(name, kWordLimit);
    return given.empty() ? std::nullopt : parse_word(name, given, parse);
  }

  /// Calls `take` with the fields of each object in an array of at most `count`; an absent one is empty.
  template <class Take>
  void each(std::string_view name, std::size_t count, Take take) {
    const auto* items = optional_list(name, count);
    for (std::size_t i = 0; items && !error_ && i < items->size(); ++i)
      take(Fields((*items)[i], path_of(name) + '[' + std::to_string(i) + ']', error_));
  }

  /// Records a mistake in the field `name`: "expected ..., found ...".
  void fail(std::string_view name, const std::string& message);

 private:
  static constexpr std::size_t kWordLimit = 64;

  template <class T>
  std::optional<T> parse_word(std::string_view name, const std::string& given,
                              std::optional<T> (*parse)(std::string_view)) {
    if (error_) return std::nullopt;
    auto found = parse(given);
    if (!found) fail(name, "unknown word \"" + given + '"');
    return found;
  }
  const boost::json::value* find(std::string_view name) const;
  const boost::json::value* required(std::string_view name);
  bool storable(std::string_view name, const boost::json::value& value, std::size_t limit);
  const boost::json::array* optional_list(std::string_view name, std::size_t count);
  std::string path_of(std::string_view name) const;

  const boost::json::object* object_ = nullptr;
  std::string path_;
  std::optional<Error>& error_;
};

}  // namespace crosswarp::protocol
