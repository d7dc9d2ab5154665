// SPDX-License-Identifier: Apache-2.0
#include "server/config/config.hpp"

#include "matrix/spec/scalar.hpp"
#include "matrix/spec/yaml.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>

namespace crosswarp::config {
namespace {

using spec::Node;

/// What is being read and what was wrong with it.
struct Reading {
  Config config;
  std::filesystem::path folder;
  std::vector<Diagnostic> diagnostics;

  void fail(const Place& place, std::string_view field, std::string message) {
    diagnostics.push_back({Severity::error, place, std::string(field), std::move(message)});
  }
};

/// A key and how its value is taken.
struct Key {
  std::string_view name;
  std::function<void(Reading&, const Node&, const std::string& field)> take;
};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string unknown_key_message(std::string_view name, const std::vector<Key>& keys) {
  const auto nearest = std::min_element(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    return edit_distance(name.substr(0, 64), a.name) < edit_distance(name.substr(0, 64), b.name);
  });
  std::string message = "unknown key " + spec::in_quotes(name);
  if (edit_distance(name.substr(0, 64), nearest->name) <= std::max<std::size_t>(2, nearest->name.size() / 2)) {
    return message + "; did you mean \"" + std::string(nearest->name) + "\"?";
  }
  for (const Key& key : keys) message += (&key == keys.data() ? "; known: " : ", ") + std::string(key.name);
  return message;
}

void take_map(Reading& reading, const Node& node, const std::string& field, const std::vector<Key>& keys) {
  if (node.kind == Node::Kind::null) return;
  if (node.kind != Node::Kind::map) return reading.fail(node.place, field, "expected keys and values");
  for (const auto& [name, value] : node.entries) {
    const std::string inner = field.empty() ? name->text : field + '.' + name->text;
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const Key& known) { return known.name == name->text; });
    if (key == keys.end()) {
      reading.fail(name->place, inner, unknown_key_message(name->text, keys));
    } else {
      key->take(reading, *value, inner);
    }
  }
}

/// The text of a scalar that is not empty; else a mistake.
std::optional<std::string> text_of(Reading& reading, const Node& node, const std::string& field) {
  if (node.kind == Node::Kind::scalar && !node.text.empty()) return node.text;
  reading.fail(node.place, field, "expected a text");
  return std::nullopt;
}

/// A key whose text `parse` turns into a value or an error.
template <class T>
Key scalar(std::string_view name, T& (*target)(Config&), Result<T> (*parse)(std::string_view)) {
  return {name, [target, parse](Reading& reading, const Node& node, const std::string& field) {
            const auto text = text_of(reading, node, field);
            if (!text) return;
            Result<T> value = parse(*text);
            if (value.has_error()) return reading.fail(node.place, field, value.error().message);
            target(reading.config) = std::move(*value);
          }};
}

Key path(std::string_view name, std::filesystem::path& (*target)(Config&)) {
  return {name, [target](Reading& reading, const Node& node, const std::string& field) {
            const auto text = text_of(reading, node, field);
            if (text) target(reading.config) = (reading.folder / *text).lexically_normal();
          }};
}

Result<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size() && value > 0) return value;
  return Error{ErrorCode::invalid_argument, spec::in_quotes(text) + " is not a whole number above 0"};
}

Result<bool> parse_flag(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  return Error{ErrorCode::invalid_argument, spec::in_quotes(text) + " is neither true nor false"};
}

Result<std::string> parse_database(std::string_view text) {
  const bool known = text.starts_with("postgresql://") || text.starts_with("postgres://") ||
                     RE2::PartialMatch(text, R"(^\s*[a-z_]+\s*=)");
  if (known) return std::string(text);
  return Error{ErrorCode::invalid_argument,
               "expected postgresql://user@host/database or a list like \"host=... dbname=...\""};
}

Result<Listen> parse_listen(std::string_view text) {
  const Error error{ErrorCode::invalid_argument,
                    spec::in_quotes(text) + " is not an address and a port; write 127.0.0.1:8080 or [::1]:8080"};
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return error;
  std::string_view address = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  Listen listen;
  const auto [end, failure] = std::from_chars(port.data(), port.data() + port.size(), listen.port);
  if (failure != std::errc() || end != port.data() + port.size()) return error;
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  if (address == "localhost") address = "127.0.0.1";
  if (address.empty() || address.find_first_not_of("0123456789abcdefABCDEF.:") != std::string_view::npos) return error;
  listen.address = address;
  return listen;
}

void take_libraries(Reading& reading, const Node& node, const std::string& field) {
  if (node.kind != Node::Kind::list || node.items.empty()) {
    return reading.fail(node.place, field, "expected a list of folders");
  }
  reading.config.libraries.clear();
  for (const auto& item : node.items) {
    const auto text = text_of(reading, *item, field);
    if (text) reading.config.libraries.push_back((reading.folder / *text).lexically_normal());
  }
}

void take_tls(Reading& reading, const Node& node, const std::string& field) {
  static const std::vector<Key> keys{
      path("certificate", [](Config& config) -> auto& { return config.tls->certificate; }),
      path("key", [](Config& config) -> auto& { return config.tls->key; }),
  };
  reading.config.tls.emplace();
  take_map(reading, node, field, keys);
  const Tls& tls = *reading.config.tls;
  if (tls.certificate.empty() || tls.key.empty()) {
    reading.fail(node.place, field, "needs both certificate and key");
  }
}

void take_limits(Reading& reading, const Node& node, const std::string& field) {
  static const std::vector<Key> keys{
      scalar<std::uint64_t>("body", [](Config& c) -> auto& { return c.limits.body_bytes; }, spec::parse_size),
      scalar<std::uint64_t>("header", [](Config& c) -> auto& { return c.limits.header_bytes; }, spec::parse_size),
      scalar<std::uint64_t>("connections", [](Config& c) -> auto& { return c.limits.connections; }, parse_count),
      scalar<std::chrono::seconds>(
          "request_time", [](Config& c) -> auto& { return c.limits.request_time; }, spec::parse_duration),
      scalar<std::chrono::seconds>(
          "idle_time", [](Config& c) -> auto& { return c.limits.idle_time; }, spec::parse_duration),
  };
  take_map(reading, node, field, keys);
  // The parser counts octets of a header in 32 bits.
  if (reading.config.limits.header_bytes > (std::uint64_t{1} << 20)) {
    reading.fail(node.place, field + ".header", "at most 1MiB");
  }
}

const std::vector<Key>& keys_of_file() {
  static const std::vector<Key> keys{
      scalar<Listen>("listen", [](Config& c) -> auto& { return c.listen; }, parse_listen),
      scalar<bool>("public", [](Config& c) -> auto& { return c.open_to_read; }, parse_flag),
      path("state_dir", [](Config& c) -> auto& { return c.state_dir; }),
      scalar<std::string>("database", [](Config& c) -> auto& { return c.database; }, parse_database),
      {"libraries", take_libraries},
      {"tls", take_tls},
      {"limits", take_limits},
      scalar<std::chrono::seconds>("lease", [](Config& c) -> auto& { return c.lease; }, spec::parse_duration),
      scalar<std::chrono::seconds>("park_after", [](Config& c) -> auto& { return c.park_after; }, spec::parse_duration),
      scalar<std::uint64_t>("log_limit", [](Config& c) -> auto& { return c.log_limit_bytes; }, spec::parse_size),
  };
  return keys;
}

std::string value_in(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

std::filesystem::path default_state(const Environment& environment) {
  const std::string state = value_in(environment, "XDG_STATE_HOME");
  if (!state.empty()) return std::filesystem::path(state) / "crosswarp";
  const std::string home = value_in(environment, "HOME");
  return home.empty() ? "/var/lib/crosswarp" : std::filesystem::path(home) / ".local/state/crosswarp";
}

void take_environment(Reading& reading, const Environment& environment) {
  const std::string database = value_in(environment, "CROSSWARP_DATABASE");
  if (database.empty()) return;
  Result<std::string> parsed = parse_database(database);
  if (parsed.has_error()) return reading.fail({}, "CROSSWARP_DATABASE", parsed.error().message);
  reading.config.database = std::move(*parsed);
}

/// What only shows when all values are there.
void check_together(Reading& reading) {
  if (reading.config.lease < std::chrono::seconds(15)) {
    reading.fail({}, "lease", "at least 15s: an agent sends a heartbeat every 5s and may miss two");
  }
}

std::string seconds_text(std::chrono::seconds duration) { return std::to_string(duration.count()) + "s"; }

std::string size_text(std::uint64_t bytes) {
  if (bytes % (std::uint64_t{1} << 20) == 0) return std::to_string(bytes >> 20) + "MiB";
  return std::to_string(bytes >> 10) + "KiB";
}

/// A YAML scalar between double quotes.
std::string yaml_text(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') out += '\\';
    out += byte;
  }
  return out + '"';
}

}  // namespace

ParsedConfig parse_config(std::string_view yaml, const std::filesystem::path& folder, const Environment& environment) {
  Reading reading;
  reading.folder = folder;
  reading.config.state_dir = default_state(environment);
  reading.config.libraries = {folder / "libraries"};
  spec::YamlDocuments read = spec::read_yaml(yaml);
  reading.diagnostics = std::move(read.diagnostics);
  if (read.documents.size() > 1) reading.fail(read.documents[1]->place, "", "expected one document");
  if (!read.documents.empty()) take_map(reading, *read.documents.front(), "", keys_of_file());
  take_environment(reading, environment);
  check_together(reading);
  return {std::move(reading.config), std::move(reading.diagnostics)};
}

std::string effective_text(const Config& config) {
  const bool v6 = config.listen.address.find(':') != std::string::npos;
  const std::string address = v6 ? '[' + config.listen.address + ']' : config.listen.address;
  std::string text = "listen: " + yaml_text(address + ':' + std::to_string(config.listen.port)) + '\n';
  text += std::string("public: ") + (config.open_to_read ? "true" : "false") + '\n';
  text += "state_dir: " + yaml_text(config.state_dir.string()) + '\n';
  text += config.database.empty() ? "# database: embedded, in state_dir\n"
                                  : "database: " + yaml_text(masked_url(config.database)) + '\n';
  text += "libraries:\n";
  for (const auto& folder : config.libraries) text += "  - " + yaml_text(folder.string()) + '\n';
  if (config.tls) {
    text += "tls:\n  certificate: " + yaml_text(config.tls->certificate.string()) +
            "\n  key: " + yaml_text(config.tls->key.string()) + '\n';
  }
  text += "limits:\n  body: " + size_text(config.limits.body_bytes) +
          "\n  header: " + size_text(config.limits.header_bytes) +
          "\n  connections: " + std::to_string(config.limits.connections) +
          "\n  request_time: " + seconds_text(config.limits.request_time) +
          "\n  idle_time: " + seconds_text(config.limits.idle_time) + '\n';
  return text + "lease: " + seconds_text(config.lease) + "\npark_after: " + seconds_text(config.park_after) +
         "\nlog_limit: " + size_text(config.log_limit_bytes) + '\n';
}

std::string masked_url(std::string_view url) {
  std::string masked(url);
  RE2::GlobalReplace(&masked, R"((://[^/@:]*:)[^/]*@)", R"(\1***@)");
  RE2::GlobalReplace(&masked, R"(\b((?:ssl)?password\s*=\s*)(?:'(?:[^'\\]|\\.)*'|(?:[^\s&\\]|\\.)+))", R"(\1***)");
  return masked;
}

Environment process_environment() {
  Environment environment;
  for (const char* name : {"CROSSWARP_DATABASE", "XDG_STATE_HOME", "HOME"}) {
    if (const char* value = std::getenv(name)) environment[name] = value;
  }
  return environment;
}

}  // namespace crosswarp::config
