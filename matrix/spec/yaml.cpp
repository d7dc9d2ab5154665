// SPDX-License-Identifier: Apache-2.0
#include "matrix/spec/yaml.hpp"

#include "matrix/spec/scalar.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace crosswarp::spec {
namespace {

Place place_of(const YAML::Mark& mark) { return mark.is_null() ? Place{} : Place{mark.line + 1, mark.column + 1}; }

/// Leaves the parser from within one of its events: the only way to stop it early.
class ReadingEnded : public std::runtime_error {
 public:
  ReadingEnded(Place place, const std::string& message) : std::runtime_error(message), place_(place) {}
  Place place() const noexcept { return place_; }

 private:
  Place place_;
};

/// What a node comes to when every alias in it is followed.
struct Weight {
  std::size_t nodes = 1;
  std::size_t scalar_bytes = 0;
  std::size_t height = 1;
};

/// Builds the nodes of one document after another from the parser's events. The parser's own tree is not used: it
/// keeps duplicate keys and accepts an alias to a node that is still open.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::vector<Diagnostic>& diagnostics) : diagnostics_(diagnostics) {}

  NodePtr take_root() { return std::exchange(root_, nullptr); }

  void OnDocumentStart(const YAML::Mark&) override {
    open_.clear();
    anchors_.clear();
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    auto node = std::make_shared<Node>();
    node->place = place_of(mark);
    add_leaf(std::move(node), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    constexpr std::string_view kPlain = "?";
    constexpr std::string_view kQuoted = "!";
    constexpr std::string_view kString = "tag:yaml.org,2002:str";
    auto node = std::make_shared<Node>();
    node->kind = Node::Kind::scalar;
    node->place = place_of(mark);
    node->text = value;
    node->plain = tag == kPlain || tag.empty();
    if (!node->plain && tag != kQuoted && tag != kString) refuse_tag(node->place, tag);
    add_leaf(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Place place = place_of(mark);
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw ReadingEnded(place, "an alias names a node that it is part of");
    const auto& [node, weight] = found->second;
    if (open_.size() + weight.height > kMaxDepth) throw ReadingEnded(place, too_deep());
    count(place, weight);
    attach(node, weight);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    std::shared_ptr<Node> node;
    YAML::anchor_t anchor;
    Weight weight;
    NodePtr key;                                 // map: a key that waits for its value
    std::unordered_map<std::string, Place> seen;  // map: the keys so far
  };

  static std::string too_deep() { return "nested deeper than " + std::to_string(kMaxDepth) + " levels"; }

  void refuse_tag(Place place, const std::string& tag) {
    report(place, "the tag " + in_quotes(tag) + " has no meaning here; leave it out");
  }

  void report(Place place, std::string message) {
    diagnostics_.push_back({Severity::error, place, "", std::move(message)});
  }

  void count(Place place, const Weight& weight) {
    total_.nodes += weight.nodes;
    total_.scalar_bytes += weight.scalar_bytes;
    if (total_.nodes > kMaxNodes) {
      throw ReadingEnded(place, "more than " + std::to_string(kMaxNodes) + " nodes, aliases followed");
    }
    if (total_.scalar_bytes > kMaxScalarBytes) {
      throw ReadingEnded(place, "more than " + std::to_string(kMaxScalarBytes) + " bytes of text, aliases followed");
    }
  }

  void add_leaf(std::shared_ptr<Node> node, YAML::anchor_t anchor) {
    const Weight weight{1, node->text.size(), 1};
    if (open_.size() + 1 > kMaxDepth) throw ReadingEnded(node->place, too_deep());
    count(node->place, weight);
    remember(anchor, node, weight);
    attach(std::move(node), weight);
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->place = place_of(mark);
    if (open_.size() + 1 > kMaxDepth) throw ReadingEnded(node->place, too_deep());
    if (!tag.empty() && tag != "?" && tag != "!") refuse_tag(node->place, tag);
    count(node->place, Weight{});
    open_.push_back({std::move(node), anchor, {}, nullptr, {}});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    remember(closed.anchor, closed.node, closed.weight);
    attach(std::move(closed.node), closed.weight);
  }

  void remember(YAML::anchor_t anchor, const NodePtr& node, const Weight& weight) {
    if (anchor != YAML::NullAnchor) anchors_.insert_or_assign(anchor, std::pair(node, weight));
  }

  /// Puts a finished node where it belongs: the innermost open list or map, or the root.
  void attach(NodePtr node, const Weight& weight) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    parent.weight.nodes += weight.nodes;
    parent.weight.scalar_bytes += weight.scalar_bytes;
    parent.weight.height = std::max(parent.weight.height, weight.height + 1);
    if (parent.node->kind == Node::Kind::list) {
      parent.node->items.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = std::move(node);
    } else {
      add_entry(parent, std::exchange(parent.key, nullptr), std::move(node));
    }
  }

  void add_entry(Open& map, NodePtr key, NodePtr value) {
    if (key->kind != Node::Kind::scalar) {
      report(key->place, "a key must be a text");
      return;
    }
    const auto [first, is_new] = map.seen.emplace(key->text, key->place);
    if (!is_new) {
      report(key->place, "the key " + in_quotes(key->text) + " is here twice; first at line " +
                             std::to_string(first->second.line));
      return;
    }
    map.node->entries.emplace_back(std::move(key), std::move(value));
  }

  std::vector<Diagnostic>& diagnostics_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, std::pair<NodePtr, Weight>> anchors_;
  Weight total_{0, 0, 0};
  NodePtr root_;
};

/// The size of the UTF-8 character at the front of `text`; 0 where there is none (overlong forms, surrogates and
/// numbers past U+10FFFF are none).
std::size_t utf8_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first < 0xf0 || first > 0xf4) return 0;
  const bool out_of_range = (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90);
  return continues(1) && continues(2) && continues(3) && !out_of_range ? 4 : 0;
}

/// What makes `text` unfit for the parser, which would guess UTF-16 from zero bytes and end at a U+0004 in silence.
std::optional<Diagnostic> unreadable(std::string_view text) {
  if (text.size() > kMaxTextBytes) {
    return Diagnostic{Severity::error, {}, "", std::to_string(text.size()) + " bytes of text; at most " +
                                                   std::to_string(kMaxTextBytes) + " are read"};
  }
  Place place{1, 1};
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = utf8_size(text.substr(i));
    if (size == 0) return Diagnostic{Severity::error, place, "", "this is not UTF-8"};
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f) {
      return Diagnostic{Severity::error, place, "", "a control character (byte " + std::to_string(byte) + ")"};
    }
    place = byte == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
    i += size;
  }
  return std::nullopt;
}

/// Whether the line (counted from 1) or the one before it is indented with a tab, which the parser tells as anything.
bool tab_indents(std::string_view text, int line) {
  for (int at = 1; at <= line && !text.empty(); ++at) {
    const std::string_view current = text.substr(0, text.find('\n'));
    const std::size_t indent = std::min(current.find_first_not_of(" \t"), current.size());
    if (at + 1 >= line && current.substr(0, indent).find('\t') != std::string_view::npos) return true;
    text.remove_prefix(std::min(current.size() + 1, text.size()));
  }
  return false;
}

Diagnostic parser_error(const YAML::Exception& error, std::string_view text) {
  const Place place = place_of(error.mark);
  const bool tab = tab_indents(text, place.line) || error.msg.find("tab") != std::string::npos;
  const std::string hint = tab ? "; a tab cannot indent, use spaces" : "";
  return {Severity::error, place, "", "not YAML: " + error.msg + hint};
}

}  // namespace

YamlDocuments read_yaml(std::string_view text) {
  YamlDocuments out;
  if (std::optional<Diagnostic> fault = unreadable(text)) {
    out.diagnostics.push_back(std::move(*fault));
    return out;
  }
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(out.diagnostics);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) out.documents.push_back(builder.take_root());
  } catch (const ReadingEnded& ended) {
    out.diagnostics.push_back({Severity::error, ended.place(), "", ended.what()});
  } catch (const YAML::Exception& error) {
    out.diagnostics.push_back(parser_error(error, text));
  }
  return out;
}

}  // namespace crosswarp::spec
