// SPDX-License-Identifier: Apache-2.0
#include "agent/client/client.hpp"

#include <gtest/gtest.h>

namespace crosswarp {
namespace {

TEST(ServerUrl, TakesSchemeHostPortAndPrefix) {
  const auto plain = parse_server_url("http://127.0.0.1:8080").value();
  EXPECT_EQ(plain.text(), "http://127.0.0.1:8080");
  const auto secure = parse_server_url("https://crosswarp.example/tables/").value();
  EXPECT_EQ(secure.text(), "https://crosswarp.example:443/tables");
  EXPECT_EQ(parse_server_url("http://[::1]:81").value().host, "::1");
}

TEST(ServerUrl, SaysWhatAnAddressLooksLike) {
  for (const char* text : {"", "localhost:8080", "ftp://host", "http://", "http://host/?q=1"}) {
    SCOPED_TRACE(text);
    const auto parsed = parse_server_url(text);
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("http://host:port"), std::string::npos);
  }
}

TEST(ErrorOf, IsMadeOfTheProblemDocument) {
  const Error error = error_of({422, R"({"title":"Unprocessable","detail":"axis \"cuda\": unknown"})"});
  EXPECT_EQ(error.code, ErrorCode::invalid_argument);
  EXPECT_EQ(error.message, "axis \"cuda\": unknown");
  EXPECT_EQ(error_of({502, "<html>"}).message, "server answered HTTP status 502");
}

TEST(UrlEncode, KeepsOnlyUnreservedCharacters) { EXPECT_EQ(url_encode(">=3.3,<4 +"), "%3E%3D3.3%2C%3C4%20%2B"); }

}  // namespace
}  // namespace crosswarp
