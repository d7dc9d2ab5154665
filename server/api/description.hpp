// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "server/http/message.hpp"

#include <boost/json/value.hpp>

#include <map>
#include <string>
#include <string_view>

namespace crosswarp::api {

/// The query parameters that an operation takes.
struct QueryParameters {
  std::map<std::string, bool, std::less<>> known;  ///< name to whether it may come several times
  bool open = false;                               ///< any other name is taken too: an axis

  /// Errors: invalid_argument for a parameter that is not known, and for one that comes too often.
  Result<void> check(const http::Parameters& query) const;
};

/// What openapi.json says; the server holds requests to it, so that it cannot say anything else than the truth.
class Description {
 public:
  /// Throws where `text` is no JSON.
  explicit Description(std::string_view text);

  /// Of the operation; none for one that is not described.
  QueryParameters query_parameters(std::string_view method, std::string_view pattern) const;

 private:
  boost::json::value document_;
};

}  // namespace crosswarp::api
