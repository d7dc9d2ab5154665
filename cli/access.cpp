// SPDX-License-Identifier: Apache-2.0
#include "cli/access.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <iterator>

namespace crosswarp::cli {
namespace {

void warn_when_readable_by_others(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & 077) == 0) return;
  std::fprintf(stderr, "crosswarp: warning: %s can be read by others; chmod 600 it\n", file.c_str());
}

Result<std::string> read_token(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return Error{ErrorCode::invalid_argument, "token file \"" + file.string() + "\" cannot be read"};
  std::string token(std::istreambuf_iterator<char>(in), {});
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  token.erase(0, token.find_first_not_of(" \t\r\n"));
  if (token.empty() || token.find_first_of(" \t\r\n") != std::string::npos) {
    return Error{ErrorCode::invalid_argument, "token file \"" + file.string() + "\" does not hold one token"};
  }
  warn_when_readable_by_others(file);
  return token;
}

}  // namespace

void add_access_options(CLI::App& command, Access& access) {
  command
      .add_option("--server", access.server,
                  "address of the server (else $CROSSWARP_URL, else http://127.0.0.1:8080)")
      ->type_name("URL");
  command
      .add_option("--token-file", access.token_file,
                  "file that holds the token (else $CROSSWARP_TOKEN, else ~/.config/crosswarp/token)")
      ->type_name("FILE");
}

Result<ServerUrl> server_of(const Access& access, const Environment& environment) {
  if (!access.server.empty()) return parse_server_url(access.server);
  if (const std::string url = variable(environment, "CROSSWARP_URL"); !url.empty()) {
    const Result<ServerUrl> server = parse_server_url(url);
    if (!server) return in_context("CROSSWARP_URL", server.error());
    return server;
  }
  return parse_server_url("http://127.0.0.1:8080");
}

Result<std::string> token_of(const Access& access, const Environment& environment) {
  if (!access.token_file.empty()) return read_token(access.token_file);
  if (std::string token = variable(environment, "CROSSWARP_TOKEN"); !token.empty()) return token;
  const std::filesystem::path file = config_dir(environment) / "token";
  std::error_code failure;
  if (!config_dir(environment).empty() && std::filesystem::exists(file, failure)) return read_token(file);
  return std::string();
}

}  // namespace crosswarp::cli
