// SPDX-License-Identifier: Apache-2.0
#include "agent/container/channel.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/json.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>

namespace crosswarp::container {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestHeader = 65536;
constexpr std::uint64_t kLongestOutput = 1 << 20;

Error gone(std::string message) { return {ErrorCode::unavailable, std::move(message)}; }

std::string request_line(std::int64_t id, const Command& command) {
  json::object request{{"id", id},
                       {"cwd", command.cwd.string()},
                       {"time_seconds", command.time.count()},
                       {"memory_bytes", command.memory_bytes},
                       {"processes", command.processes}};
  json::array& argv = request["argv"].emplace_array();
  for (const std::string& word : command.argv) argv.emplace_back(word);
  json::object& environment = request["env"].emplace_object();
  for (const auto& [name, value] : command.env) environment[name] = value;
  return json::serialize(request) + '\n';
}

template <class T>
T number(const json::object& event, std::string_view key) {
  const json::value* value = event.if_contains(key);
  boost::system::error_code failure;
  const T found = value == nullptr ? T{} : value->to_number<T>(failure);
  return failure ? T{} : found;
}

std::string_view text(const json::object& event, std::string_view key) {
  const json::value* value = event.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

Result<UnitExit> exit_of(const json::object& event) {
  const auto stopped = stopped_from_text(text(event, "stopped"));
  if (!stopped) return gone("the runner reported an end that is none");
  return UnitExit{number<int>(event, "code"), number<int>(event, "signal"), number<double>(event, "seconds"),
                  number<std::uint64_t>(event, "peak_memory_bytes"), *stopped};
}

}  // namespace

/// A cancelled coroutine must end as one; every other failure of a pipe means that the runner is gone.
Error RunnerChannel::failed(const boost::system::error_code& failure) const {
  if (failure == asio::error::operation_aborted && !closed_) throw boost::system::system_error(failure);
  return gone("the runner is gone: " + failure.message());
}

asio::awaitable<Result<void>> RunnerChannel::ready() {
  const auto event = co_await read_event();
  if (!event) co_return event.error();
  if (text(*event, "event") != "ready") co_return gone("the runner did not greet");
  co_return Result<void>{};
}

asio::awaitable<Result<UnitExit>> RunnerChannel::run(const Command& command, const OutputSink& output) {
  const std::string line = request_line(++last_id_, command);
  boost::system::error_code failure;
  co_await asio::async_write(to_runner_, asio::buffer(line), asio::redirect_error(asio::use_awaitable, failure));
  if (failure) co_return failed(failure);
  while (true) {
    const auto event = co_await read_event();
    if (!event) co_return event.error();
    const std::string_view kind = text(*event, "event");
    if (kind == "exit") co_return exit_of(*event);
    if (kind != "output") co_return gone("runner: " + std::string(text(*event, "message")));
    const auto taken = co_await read_output(number<std::uint64_t>(*event, "bytes"), output);
    if (!taken) co_return taken.error();
  }
}

asio::awaitable<Result<json::object>> RunnerChannel::read_event() {
  boost::system::error_code failure;
  const std::size_t length =
      co_await asio::async_read_until(from_runner_, asio::dynamic_buffer(buffer_, kLongestHeader), '\n',
                                      asio::redirect_error(asio::use_awaitable, failure));
  if (failure) co_return failed(failure);
  json::value value = json::parse(std::string_view(buffer_).substr(0, length), failure);
  buffer_.erase(0, length);
  if (failure || !value.is_object()) co_return gone("the runner sent no frame");
  co_return std::move(value.get_object());
}

asio::awaitable<Result<void>> RunnerChannel::read_output(std::uint64_t bytes, const OutputSink& output) {
  if (bytes > kLongestOutput) co_return gone("the runner sent a frame that is too long");
  const std::size_t held = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, buffer_.size()));
  if (held > 0) output(std::string_view(buffer_).substr(0, held));
  buffer_.erase(0, held);
  bytes -= held;
  while (bytes > 0) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, piece_.size()));
    boost::system::error_code failure;
    const std::size_t count = co_await from_runner_.async_read_some(
        asio::buffer(piece_.data(), wanted), asio::redirect_error(asio::use_awaitable, failure));
    if (failure) co_return failed(failure);
    output(std::string_view(piece_.data(), count));
    bytes -= count;
  }
  co_return Result<void>{};
}

void RunnerChannel::close() {
  closed_ = true;
  boost::system::error_code ignored;
  to_runner_.close(ignored);
}

}  // namespace crosswarp::container
