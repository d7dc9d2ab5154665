// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace crosswarp::cli {

/// Reads a stream of server-sent events (WHATWG HTML, 9.2) as it comes in pieces.
class EventStream {
 public:
  struct Event {
    std::string name;  ///< "message" where the stream gives none
    std::string data;
    std::string id;    ///< the last one given so far
  };

  explicit EventStream(std::function<void(const Event&)> take) : take_(std::move(take)) {}

  void feed(std::string_view piece);

  /// Forgets an event that was cut short: a new connection begins with a whole one.
  void restart();

  /// What to send as Last-Event-ID to go on from here: the id of the last event taken.
  const std::string& last_id() const { return last_id_; }

 private:
  void take_line(std::string_view line);
  void dispatch();

  std::function<void(const Event&)> take_;
  std::string pending_;  ///< a line whose end has not come
  Event event_;
  bool has_data_ = false;
  std::string last_id_;
};

}  // namespace crosswarp::cli
