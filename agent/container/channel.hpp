// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/container/container.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace crosswarp::container {

/// The conversation with one runner, over two pipes; see runner/supervisor.hpp for what is said. Takes what comes from
/// the runner as outside text: a frame that is none, or is too long, ends the conversation.
class RunnerChannel {
 public:
  RunnerChannel(asio::posix::stream_descriptor to_runner, asio::posix::stream_descriptor from_runner)
      : to_runner_(std::move(to_runner)), from_runner_(std::move(from_runner)) {}

  /// Waits for the runner's greeting. Errors: unavailable when it ends without one.
  asio::awaitable<Result<void>> ready();

  /// One command to its end. Errors: unavailable when the runner is gone or says what makes no sense.
  asio::awaitable<Result<UnitExit>> run(const Command& command, const OutputSink& output);

  /// The runner sees this as its agent's death, and dies with all it started.
  void close();

 private:
  asio::awaitable<Result<boost::json::object>> read_event();
  asio::awaitable<Result<void>> read_output(std::uint64_t bytes, const OutputSink& output);

  Error failed(const boost::system::error_code& failure) const;

  asio::posix::stream_descriptor to_runner_;
  asio::posix::stream_descriptor from_runner_;
  std::string buffer_;
  std::vector<char> piece_ = std::vector<char>(65536);
  bool closed_ = false;
  std::int64_t last_id_ = 0;
};

}  // namespace crosswarp::container
