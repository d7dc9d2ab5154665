// SPDX-License-Identifier: Apache-2.0
#include "server/api/resources.hpp"
#include "server/api/serve.hpp"

#include <boost/json/parse.hpp>

#include <gtest/gtest.h>

#include <cctype>
#include <set>

namespace crosswarp::api {
namespace {

namespace json = boost::json;

using Operations = std::set<std::string>;

class OpenapiTest : public testing::Test {
 protected:
  Operations described() const {
    Operations operations;
    for (const auto& [path, item] : document_.as_object().at("paths").as_object()) {
      for (const auto& [method, operation] : item.as_object()) {
        std::string name(method);
        for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        operations.insert(name + ' ' + std::string(path));
      }
    }
    return operations;
  }

  void each_operation(const std::function<void(const std::string& path, const json::object&)>& take) const {
    for (const auto& [path, item] : document_.as_object().at("paths").as_object()) {
      for (const auto& [method, operation] : item.as_object()) take(path, operation.as_object());
    }
  }

  json::value document_ = json::parse(openapi_text());
};

TEST_F(OpenapiTest, DescribesEveryRouteAndNoOther) {
  asio::io_context context;
  db::Pool pool(context.get_executor(), "host=/nowhere");
  const SystemClock clock;
  const Service service(config::Config{}, context, pool, clock, "0");
  Operations served;
  for (const http::Route& route : service.router().routes()) served.insert(route.method + ' ' + route.pattern);
  EXPECT_EQ(described(), served);
}

TEST_F(OpenapiTest, DeclaresEveryParameterOfEachPath) {
  each_operation([](const std::string& path, const json::object& operation) {
    SCOPED_TRACE(path);
    std::set<std::string> declared;
    if (const json::value* parameters = operation.if_contains("parameters")) {
      for (const json::value& parameter : parameters->as_array()) {
        if (parameter.at("in").as_string() == "path") declared.insert(std::string(parameter.at("name").as_string()));
      }
    }
    std::set<std::string> named;
    for (std::size_t at = path.find('{'); at != std::string::npos; at = path.find('{', at + 1)) {
      named.insert(path.substr(at + 1, path.find('}', at) - at - 1));
    }
    EXPECT_EQ(declared, named);
  });
}

/// Calls `take` with the target of every reference below `value`.
void each_reference(const json::value& value, const std::function<void(const std::string&)>& take) {
  if (value.is_array()) {
    for (const json::value& item : value.as_array()) each_reference(item, take);
  }
  if (!value.is_object()) return;
  for (const auto& [key, item] : value.as_object()) {
    if (key == "$ref") take(std::string(item.as_string()));
    each_reference(item, take);
  }
}

TEST_F(OpenapiTest, RefersOnlyToWhatItHolds) {
  std::size_t count = 0;
  each_reference(document_, [&](const std::string& target) {
    ++count;
    boost::system::error_code failure;
    const json::value* found = document_.find_pointer(target.substr(1), failure);
    EXPECT_TRUE(found != nullptr && !failure) << target;
  });
  EXPECT_GT(count, 20u);
}

TEST_F(OpenapiTest, AsksForATokenWhereTheServerDoes) {
  each_operation([](const std::string& path, const json::object& operation) {
    SCOPED_TRACE(path);
    const bool open = operation.at("security").as_array().empty();
    EXPECT_EQ(operation.at("responses").as_object().contains("401"), !open);
  });
}

}  // namespace
}  // namespace crosswarp::api
