// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace crosswarp {

/// What kind of answer a failure is; api::status_of turns it into an HTTP status in one place.
enum class ErrorCode { invalid_argument, unauthorized, forbidden, not_found, conflict, too_large, unavailable };

/// What a caller can meet in good health. `message` says what was found and what would do.
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;

  friend bool operator==(const Error&, const Error&) = default;
};

/// What `.value()` of a failed Result throws: the caller had no way to go on.
class ErrorException : public std::runtime_error {
 public:
  explicit ErrorException(const Error& error) : std::runtime_error(error.message), code_(error.code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

/// The hook by which boost::system::result throws our error.
[[noreturn]] inline void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw ErrorException(error);
}

template <class T>
using Result = boost::system::result<T, Error>;

/// The same error with context put in front: "reading recipe: unknown key".
inline Error in_context(std::string_view context, Error error) {
  error.message = std::string(context) + ": " + error.message;
  return error;
}

}  // namespace crosswarp
