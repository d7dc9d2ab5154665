// SPDX-License-Identifier: Apache-2.0
#include "server/config/config.hpp"

#include <gtest/gtest.h>

namespace crosswarp::config {
namespace {

using namespace std::chrono_literals;

const Environment kHome{{"HOME", "/home/ada"}};

std::vector<std::string> rendered(const ParsedConfig& parsed) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : parsed.diagnostics) lines.push_back(render(diagnostic, "server.yaml"));
  return lines;
}

TEST(ParseConfig, NeedsNothing) {
  const ParsedConfig parsed = parse_config("", "/etc/crosswarp", kHome);
  EXPECT_EQ(rendered(parsed), std::vector<std::string>{});
  EXPECT_EQ(parsed.config.listen.address, "127.0.0.1");
  EXPECT_EQ(parsed.config.listen.port, 8080);
  EXPECT_EQ(parsed.config.state_dir, "/home/ada/.local/state/crosswarp");
  EXPECT_EQ(parsed.config.database, "");
  EXPECT_TRUE(parsed.config.open_to_read);
}

TEST(ParseConfig, ReadsEveryKey) {
  const ParsedConfig parsed = parse_config(
      "listen: '[::1]:9000'\npublic: false\nstate_dir: state\ndatabase: postgresql://ada@db/crosswarp\n"
      "libraries: [libraries, /opt/more]\ntls: {certificate: a.pem, key: /k.pem}\n"
      "limits: {body: 2MiB, header: 8KiB, connections: 10, request_time: 5s, idle_time: 2m}\n"
      "lease: 90s\npark_after: 1m\nlog_limit: 1MiB\n",
      "/etc/crosswarp", kHome);
  EXPECT_EQ(rendered(parsed), std::vector<std::string>{});
  const Config& config = parsed.config;
  EXPECT_EQ(config.listen.address, "::1");
  EXPECT_EQ(config.listen.port, 9000);
  EXPECT_FALSE(config.open_to_read);
  EXPECT_EQ(config.state_dir, "/etc/crosswarp/state");
  EXPECT_EQ(config.database, "postgresql://ada@db/crosswarp");
  EXPECT_EQ(config.libraries, (std::vector<std::filesystem::path>{"/etc/crosswarp/libraries", "/opt/more"}));
  EXPECT_EQ(config.tls->certificate, "/etc/crosswarp/a.pem");
  EXPECT_EQ(config.tls->key, "/k.pem");
  EXPECT_EQ(config.limits.body_bytes, 2u << 20);
  EXPECT_EQ(config.limits.header_bytes, 8192u);
  EXPECT_EQ(config.limits.connections, 10u);
  EXPECT_EQ(config.limits.request_time, 5s);
  EXPECT_EQ(config.limits.idle_time, 2min);
  EXPECT_EQ(config.lease, 90s);
  EXPECT_EQ(config.park_after, 1min);
  EXPECT_EQ(config.log_limit_bytes, 1u << 20);
}

TEST(ParseConfig, TellsAllMistakesAtOnceWithTheirPlaces) {
  const ParsedConfig parsed = parse_config(
      "listn: 127.0.0.1:80\npublic: maybe\nlimits:\n  body: 5\n  conections: 3\n  connections: 0\n"
      "tls: {key: a}\nlease: 5s\ndatabase: mysql://x\n",
      "/", kHome);
  EXPECT_EQ(rendered(parsed),
            (std::vector<std::string>{
                "server.yaml:1:1: listn: unknown key \"listn\"; did you mean \"listen\"?",
                "server.yaml:2:9: public: \"maybe\" is neither true nor false",
                "server.yaml:4:9: limits.body: \"5\" is not a size; write it with its unit: 512MiB, 2GiB",
                "server.yaml:5:3: limits.conections: unknown key \"conections\"; did you mean \"connections\"?",
                "server.yaml:6:16: limits.connections: \"0\" is not a whole number above 0",
                "server.yaml:7:6: tls: needs both certificate and key",
                "server.yaml:9:11: database: expected postgresql://user@host/database or a list like "
                "\"host=... dbname=...\"",
                "server.yaml: lease: at least 15s: an agent sends a heartbeat every 5s and may miss two",
            }));
}

TEST(ParseConfig, ListsTheKnownKeysWhereNoneIsNear) {
  const ParsedConfig parsed = parse_config("tls: {certificate: a, key: b, cipher-preferences: c}", "/", kHome);
  EXPECT_EQ(rendered(parsed),
            std::vector<std::string>{"server.yaml:1:31: tls.cipher-preferences: unknown key \"cipher-preferences\"; "
                                     "known: certificate, key"});
}

TEST(ParseConfig, RefusesAddressesItCannotListenOn) {
  for (const char* listen : {"8080", "host.example:80", "127.0.0.1:99999", "127.0.0.1:", ":80"}) {
    SCOPED_TRACE(listen);
    EXPECT_EQ(parse_config("listen: '" + std::string(listen) + "'", "/", kHome).diagnostics.size(), 1u);
  }
  EXPECT_EQ(parse_config("listen: localhost:0", "/", kHome).config.listen.address, "127.0.0.1");
}

TEST(ParseConfig, TakesTheDatabaseFromTheEnvironment) {
  const Environment environment{{"HOME", "/h"}, {"CROSSWARP_DATABASE", "postgresql://ada:secret@db/x"}};
  EXPECT_EQ(parse_config("database: postgresql://other/x", "/", environment).config.database,
            "postgresql://ada:secret@db/x");
}

TEST(EffectiveText, IsReadBackWithoutSecrets) {
  ParsedConfig parsed = parse_config("tls: {certificate: /a.pem, key: /b.pem}\nlimits: {header: 3KiB}\n", "/", kHome);
  parsed.config.database = "postgresql://ada:secret@db/x?sslpassword=hidden";
  const std::string text = effective_text(parsed.config);
  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
  EXPECT_EQ(text.find("hidden"), std::string::npos) << text;
  const ParsedConfig again = parse_config(text, "/", kHome);
  EXPECT_EQ(rendered(again), std::vector<std::string>{});
  EXPECT_EQ(effective_text(again.config), text);
}

TEST(MaskedUrl, HidesPasswordsOfBothForms) {
  EXPECT_EQ(masked_url("postgresql://ada:p@ss@db/x"), "postgresql://ada:***@db/x");
  EXPECT_EQ(masked_url(R"(host=db password='it\'s x' user=ada)"), "host=db password=*** user=ada");
  EXPECT_EQ(masked_url(R"(host=db password = x\ y user=ada)"), "host=db password = *** user=ada");
  EXPECT_EQ(masked_url("postgresql:///crosswarp"), "postgresql:///crosswarp");
}

}  // namespace
}  // namespace crosswarp::config
