// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>

namespace crosswarp::container {

namespace asio = boost::asio;

/// Runs a coroutine to its end on an executor of its own.
template <class T>
T complete(asio::io_context& context, asio::awaitable<T> work) {
  std::optional<T> result;
  std::exception_ptr failure;
  asio::co_spawn(context, std::move(work), [&](std::exception_ptr thrown, T value) {
    failure = thrown;
    result.emplace(std::move(value));
  });
  context.restart();
  context.run();
  if (failure) std::rethrow_exception(failure);
  return std::move(*result);
}

inline void complete(asio::io_context& context, asio::awaitable<void> work) {
  asio::co_spawn(context, std::move(work), [](std::exception_ptr thrown) {
    if (thrown) std::rethrow_exception(thrown);
  });
  context.restart();
  context.run();
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "crosswarp-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace crosswarp::container
