// SPDX-License-Identifier: Apache-2.0
// Answers one question a line, so that a differential test can ask hundreds of thousands at once:
//   compare\tLEFT\tRIGHT          -> -1, 0, 1, or "invalid"
//   normal\tVERSION               -> the normal form, or "invalid"
//   contains\tSET\tVERSION        -> three bits: pre-releases allowed, refused, only if named; or "invalid"
#include "matrix/version/pep440.hpp"

#include <iostream>
#include <string>
#include <vector>

namespace crosswarp::version {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::string compare(const std::string& left_text, const std::string& right_text) {
  const auto left = Version::parse(left_text);
  const auto right = Version::parse(right_text);
  if (!left || !right) return "invalid";
  return *left < *right ? "-1" : *left == *right ? "0" : "1";
}

std::string contains(const std::string& set_text, const std::string& version) {
  const auto set = SpecifierSet::parse(set_text);
  if (!set) return "invalid";
  std::string bits;
  for (const PreReleases policy : {PreReleases::allowed, PreReleases::refused, PreReleases::only_if_named}) {
    bits += set->contains(version, policy) ? '1' : '0';
  }
  return bits;
}

std::string answer(const std::vector<std::string>& fields) {
  if (fields.size() == 3 && fields[0] == "compare") return compare(fields[1], fields[2]);
  if (fields.size() == 3 && fields[0] == "contains") return contains(fields[1], fields[2]);
  if (fields.size() == 2 && fields[0] == "normal") {
    const auto version = Version::parse(fields[1]);
    return version ? version->text() : "invalid";
  }
  return "unknown question";
}

}  // namespace
}  // namespace crosswarp::version

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << crosswarp::version::answer(crosswarp::version::fields_of(line)) << '\n';
  }
}
