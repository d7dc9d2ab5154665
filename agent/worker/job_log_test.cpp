// SPDX-License-Identifier: Apache-2.0
#include "agent/worker/job_log.hpp"

#include <gtest/gtest.h>

namespace crosswarp::worker {
namespace {

/// Takes all that is ready, as a server would.
std::string take(JobLog& log) {
  std::string got(log.pending());
  EXPECT_TRUE(log.acknowledge(log.sent() + got.size()));
  return got;
}

TEST(JobLog, HandsOnAShortLogAsItComes) {
  JobLog log(100, 10);
  log.write("one\n");
  EXPECT_EQ(take(log), "one\n");
  log.write("two\n");
  log.finish();
  EXPECT_EQ(take(log), "two\n");
  EXPECT_EQ(log.stored_at(4), 4u);
}

TEST(JobLog, KeepsHeadAndTailOfALongOneAndSaysWhatIsMissing) {
  JobLog log(4, 3);
  log.write("abcdefghij");
  for (int i = 0; i < 1000; ++i) log.write("0123456789");
  log.finish();
  EXPECT_EQ(take(log), "abcd\n[... 10003 bytes left out ...]\n789");
  EXPECT_EQ(log.written(), 10010u);
  EXPECT_EQ(log.stored_at(2), 2u);
  EXPECT_EQ(log.stored_at(10010), log.sent());
  EXPECT_EQ(log.stored_at(5000), log.sent() - 3);
}

TEST(JobLog, StaysSmallHoweverMuchIsWritten) {
  JobLog log(1000, 1000);
  const std::string piece(65536, 'x');
  for (int i = 0; i < 1000; ++i) log.write(piece);
  EXPECT_LE(log.pending().size(), 1000u);
}

TEST(JobLog, RefusesASizeThatCannotBe) {
  JobLog log(100, 10);
  log.write("abc");
  EXPECT_TRUE(log.acknowledge(2));
  EXPECT_EQ(log.pending(), "c");
  EXPECT_FALSE(log.acknowledge(1));
  EXPECT_FALSE(log.acknowledge(4));
}

TEST(Excerpt, KeepsBothEnds) {
  Excerpt excerpt(3);
  excerpt.write("abcdef");
  EXPECT_EQ(excerpt.text(), "abcdef");
  for (int i = 0; i < 100; ++i) excerpt.write("0123456789");
  EXPECT_EQ(excerpt.text().substr(0, 3), "abc");
  EXPECT_EQ(excerpt.text().substr(excerpt.text().size() - 3), "789");
  EXPECT_NE(excerpt.text().find("bytes left out"), std::string::npos);
}

}  // namespace
}  // namespace crosswarp::worker
