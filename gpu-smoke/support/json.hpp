// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crosswarp::smoke {

/// `text` as a JSON string, quotes included. Bytes that are not part of valid UTF-8 appear as U+0080..U+00FF, so that
/// the line is valid JSON whatever a hostile file holds.
std::string json_string(std::string_view text);

/// Builds one JSON object or array, member by member, in the order of the calls.
class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::uint64_t number);
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);
  JsonWriter& null();

  const std::string& text() const { return text_; }

 private:
  void separate();

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace crosswarp::smoke
