// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>

namespace crosswarp::cli {
namespace {

std::string write_config(const std::string& text) {
  const std::string path = testing::TempDir() + "crosswarp-config.yaml";
  std::ofstream(path) << text;
  return path;
}

TEST(ConfigOf, LetsFlagsWinOverTheFile) {
  ServerFlags flags;
  flags.config = write_config("listen: \"127.0.0.1:9000\"\nstate_dir: /from/file\n");
  flags.listen = "127.0.0.1:9001";
  const auto config = config_of(flags, {});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->listen.port, 9001);
  EXPECT_EQ(config->state_dir, "/from/file");
}

TEST(ConfigOf, TakesLibrariesFromFlagsBeforeAllElse) {
  ServerFlags flags;
  flags.libraries = {"/one", "/two"};
  const auto config = config_of(flags, {{"CROSSWARP_LIBRARIES", "/three"}});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->libraries, (std::vector<std::filesystem::path>{"/one", "/two"}));
}

TEST(ConfigOf, TellsMistakesOfFileAndFlags) {
  ServerFlags flags;
  flags.config = write_config("listne: x\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(config_of(flags, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(":1:1: listne: "), std::string::npos);

  ServerFlags wrong;
  wrong.listen = "nowhere";
  testing::internal::CaptureStderr();
  EXPECT_EQ(config_of(wrong, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(testing::internal::GetCapturedStderr().starts_with("command line: listen: "));
}

TEST(ConfigOf, RefusesLibrariesOfTheFileThatAreNotThere) {
  ServerFlags flags;
  flags.config = write_config("libraries: [/absent]\n");
  EXPECT_EQ(config_of(flags, {}).error().message, flags.config + ": libraries: there is no folder /absent");
}

TEST(ConfigOf, ReadsTheSampleAndEveryLineOfItThatIsCommentedOut) {
  ServerFlags flags;
  flags.config = CROSSWARP_SAMPLE_CONFIG;
  EXPECT_TRUE(config_of(flags, {}));
  // What is prose begins with a capital, or has no colon after its first word.
  const std::regex setting("# +[a-z_]+:( .*)?");
  std::ifstream in(flags.config);
  std::string all;
  for (std::string line; std::getline(in, line);) {
    if (std::regex_match(line, setting)) line.erase(0, 2);
    all += line + '\n';
  }
  flags.config = write_config(all);
  flags.libraries = {"/elsewhere"};
  const auto config = config_of(flags, {});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->tls->key, "/etc/crosswarp/key.pem");
  EXPECT_EQ(config->log_limit_bytes, std::uint64_t{64} << 20);
}

TEST(ConfigOf, WarnsOfAPasswordThatEverybodySees) {
  ServerFlags flags;
  flags.database = "postgresql://user:secret@host/db";
  testing::internal::CaptureStderr();
  EXPECT_TRUE(config_of(flags, {}));
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("warning: the password"), std::string::npos);
  EXPECT_EQ(told.find("secret"), std::string::npos);
}

TEST(ConfigOf, SaysThatAFileCannotBeRead) {
  ServerFlags flags;
  flags.config = "/absent.yaml";
  EXPECT_EQ(config_of(flags, {}).error().message, "/absent.yaml: cannot be read");
}

}  // namespace
}  // namespace crosswarp::cli
