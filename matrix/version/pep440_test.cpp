// SPDX-License-Identifier: Apache-2.0
#include "matrix/version/pep440.hpp"

#include <gtest/gtest.h>

namespace crosswarp::version {
namespace {

Version parsed(std::string_view text) { return Version::parse(text).value(); }

TEST(Version, IsWrittenInNormalForm) {
  const struct {
    std::string_view written, normal;
  } rows[] = {{"1.0", "1.0"},
              {" v1.0 ", "1.0"},
              {"01.002", "1.2"},
              {"1.0-ALPHA_1", "1.0a1"},
              {"1.0.preview", "1.0rc0"},
              {"1.0c2", "1.0rc2"},
              {"1.0-1", "1.0.post1"},
              {"1.0.rev", "1.0.post0"},
              {"1.0r3", "1.0.post3"},
              {"1.0_dev-4", "1.0.dev4"},
              {"1!2.0rc1.post2.dev3+CU-128_01", "1!2.0rc1.post2.dev3+cu.128.1"},
              {"1.0a.", "1.0a0"},
              {"1.0a--1", "1.0a0.post1"},
              {"0!1", "1"},
              {"99999999999999999999999.0", "99999999999999999999999.0"}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.written);
    ASSERT_TRUE(Version::parse(row.written).has_value());
    EXPECT_EQ(parsed(row.written).text(), row.normal);
    EXPECT_EQ(parsed(row.normal), parsed(row.written));
  }
}

TEST(Version, RefusesWhatPep440DoesNotRead) {
  for (const std::string_view text : {"", "v", "1.", ".1", "1..2", "1.0+", "1.0+a..b", "1.0+a+b", "1!", "1!!2", "1.0x",
                                      "1.0 a1", "1.0-", "1.0a1a2", "1.0.dev1.post2", "12.x", "1.0+\xc3\xa9"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(Version::parse(text).has_value());
  }
  EXPECT_EQ(Version::parse("12.x").error().message,
            "\"12.x\" is not a version; PEP 440 reads versions such as 2.8.0, 3.0rc1, 2.8.0+cu128");
}

TEST(Version, IsOrderedAsPep440Says) {
  const std::string_view ascending[] = {"1.dev0",
                                        "1.0.dev456",
                                        "1.0a1.dev1",
                                        "1.0a1",
                                        "1.0a2.dev456",
                                        "1.0a12.dev456",
                                        "1.0a12",
                                        "1.0a12.post1.dev1",
                                        "1.0a12.post1",
                                        "1.0b1.dev456",
                                        "1.0b2",
                                        "1.0b2.post345.dev456",
                                        "1.0b2.post345",
                                        "1.0rc1.dev456",
                                        "1.0rc1",
                                        "1.0",
                                        "1.0+abc.5",
                                        "1.0+abc.7",
                                        "1.0+5",
                                        "1.0+5.1",
                                        "1.0.post456.dev34",
                                        "1.0.post456",
                                        "1.0.15",
                                        "1.1.dev1",
                                        "1.10",
                                        "99999999999999999999999",
                                        "1!0.1"};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      SCOPED_TRACE(std::string(ascending[i]) + " / " + std::string(ascending[j]));
      EXPECT_TRUE((parsed(ascending[i]) <=> parsed(ascending[j])) == (i <=> j));
    }
  }
  EXPECT_EQ(parsed("1"), parsed("1.0.0"));
  EXPECT_EQ(parsed("0"), parsed("0.0"));
}

TEST(SpecifierSet, HoldsWhereEverySpecifierDoes) {
  const struct {
    std::string_view set, version;
    bool contained;
  } rows[] = {
      {"", "1.0", true},
      {"==2.8.0", "2.8.0+cu128", true},
      {"==2.8.0+cu128", "2.8.0", false},
      {"!=2.8.0", "2.8.0+cu128", false},
      {"==2.*", "2.0.dev1", true},
      {"==2.1.*", "2", false},
      {"==2.0.*", "2", true},
      {"!=2.1.*", "2.1.3", false},
      {"~=3.1", "3.9", true},
      {"~=3.1", "4.0", false},
      {"~=3.1.2", "3.2", false},
      {"~=3.1.2", "3.1.10", true},
      {"~=3.1", "3.1.dev1", false},
      {">1.0", "1.0.post1", false},
      {">1.0", "1.0+local", false},
      {">1.0.post1", "1.0.post2", true},
      {">1.0", "1.0.1", true},
      {"<1.0", "1.0rc1", false},
      {"<1.0rc2", "1.0rc1", true},
      {"<1.0.post1", "1.0", true},
      {"<=1.0", "1.0+local", true},
      {">=1!1.0", "2.0", false},
      {">=1.0,<2,!=1.5", "1.5", false},
      {">=1.0,<2,!=1.5", "1.6", true},
      {"===1.0", "1.0", true},
      {"===1.0", "1.0.0", false},
      {"===Weird", "wEIRD", true},
      {">=1", "weird", false},
      {" >= 1.0 , ", "1.0", true},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(std::string(row.set) + " / " + std::string(row.version));
    EXPECT_EQ(SpecifierSet::parse(row.set)->contains(row.version, PreReleases::allowed), row.contained);
  }
}

TEST(SpecifierSet, TakesPreReleasesOnlyWhereAskedOrNamed) {
  const struct {
    std::string_view set, version;
    bool by_default;
  } rows[] = {{">=3.3", "3.4.0rc1", false},
              {">=3.3rc1", "3.4.0rc1", true},
              {">=3.3.dev0", "3.4.dev1", true},
              {">=3.3,!=3.4rc2", "3.4rc1", false},
              {"==3.*", "3.4rc1", false},
              {"===3.4rc1", "3.4rc1", true},
              {"", "3.4rc1", false},
              {">=3.3", "3.4.post1", true}};
  for (const auto& row : rows) {
    SCOPED_TRACE(std::string(row.set) + " / " + std::string(row.version));
    const SpecifierSet set = SpecifierSet::parse(row.set).value();
    EXPECT_EQ(set.contains(row.version), row.by_default);
    EXPECT_TRUE(set.contains(row.version, PreReleases::allowed));
    EXPECT_EQ(set.contains(row.version, PreReleases::refused), !parsed(row.version).is_prerelease());
  }
}

TEST(SpecifierSet, RefusesMalformedSpecifiers) {
  for (const std::string_view text : {"1.0", "=1.0", ">=1.0.*", "~=1", "~=1.0.*", "==1.0rc1.*", "==1.0+a.*", ">=1.0+a",
                                      "===", "=== a;b", "== 1.0 .*", ">>1", "=>1", ">=1.0 <2", ">=1;<2"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(SpecifierSet::parse(text).has_value());
  }
}

}  // namespace
}  // namespace crosswarp::version
