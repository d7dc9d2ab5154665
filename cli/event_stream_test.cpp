// SPDX-License-Identifier: Apache-2.0
#include "cli/event_stream.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace crosswarp::cli {
namespace {

/// Collects "name:data@id".
struct Collected {
  std::vector<std::string> events;
  EventStream stream{[this](const EventStream::Event& event) {
    events.push_back(event.name + ':' + event.data + '@' + event.id);
  }};
};

TEST(EventStream, ReadsEventsHoweverTheyAreCut) {
  const std::string text = "id: 5\ndata: {\"text\":\"a\"}\n\n: comment\n\nid: 9\nevent: end\ndata: x\ndata: y\n\n";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    SCOPED_TRACE(size);
    Collected collected;
    for (std::size_t at = 0; at < text.size(); at += size) collected.stream.feed(text.substr(at, size));
    EXPECT_EQ(collected.events, (std::vector<std::string>{"message:{\"text\":\"a\"}@5", "end:x\ny@9"}));
    EXPECT_EQ(collected.stream.last_id(), "9");
  }
}

TEST(EventStream, AcceptsLinesEndedByCarriageReturnAndLineFeed) {
  Collected collected;
  collected.stream.feed("id: 1\r\ndata: a\r\n\r\n");
  EXPECT_EQ(collected.events, (std::vector<std::string>{"message:a@1"}));
}

TEST(EventStream, ForgetsACutEventWhenItRestarts) {
  Collected collected;
  collected.stream.feed("id: 1\ndata: a\n\nid: 2\ndata: lost");
  collected.stream.restart();
  EXPECT_EQ(collected.stream.last_id(), "1");
  collected.stream.feed("id: 2\ndata: b\n\n");
  EXPECT_EQ(collected.events, (std::vector<std::string>{"message:a@1", "message:b@2"}));
}

}  // namespace
}  // namespace crosswarp::cli
