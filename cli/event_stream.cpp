// SPDX-License-Identifier: Apache-2.0
#include "cli/event_stream.hpp"

namespace crosswarp::cli {

void EventStream::feed(std::string_view piece) {
  pending_ += piece;
  std::size_t begin = 0;
  for (std::size_t end; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::string_view line = std::string_view(pending_).substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take_line(line);
  }
  pending_.erase(0, begin);
}

void EventStream::restart() {
  pending_.clear();
  event_ = {.id = last_id_};
  has_data_ = false;
}

void EventStream::take_line(std::string_view line) {
  if (line.empty()) return dispatch();
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") {
    event_.name = value;
  } else if (field == "id") {
    event_.id = value;
  } else if (field == "data") {
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
  }
}

void EventStream::dispatch() {
  if (has_data_ || !event_.name.empty()) {
    if (event_.name.empty()) event_.name = "message";
    take_(event_);
    last_id_ = event_.id;
  }
  event_.name.clear();
  event_.data.clear();
  has_data_ = false;
}

}  // namespace crosswarp::cli
