// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/ptx.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "gpu-smoke/inspect/sass.hpp"
#include "gpu-smoke/inspect/stub_texts.hpp"

namespace crosswarp::smoke {
namespace {

bool starts_with(std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::size_t after_comment(std::string_view text, std::size_t at) {
  const bool line = text[at + 1] == '/';
  const std::size_t end = text.find(line ? "\n" : "*/", at + 2);
  if (end == std::string_view::npos) return text.size();
  return line ? end : end + 2;
}

bool is_comment(std::string_view text, std::size_t at) {
  return text[at] == '/' && at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*');
}

std::size_t skip_blank(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_space(text[at])) {
      ++at;
    } else if (is_comment(text, at)) {
      at = after_comment(text, at);
    } else {
      break;
    }
  }
  return at;
}

std::string_view first_word(std::string_view statement) {
  std::size_t from = 0;
  while (from < statement.size() && is_space(statement[from])) ++from;
  std::size_t to = from;
  while (to < statement.size() && !is_space(statement[to])) ++to;
  return statement.substr(from, to - from);
}

std::string_view word_after(std::string_view statement, std::string_view word) {
  const std::size_t at = statement.find(word);
  if (at == std::string_view::npos) return {};
  const std::string_view found = first_word(statement.substr(at + word.size()));
  return found.substr(0, found.find_first_of(",("));
}

// The opcode behind its guard: "@!%p1 bra.uni $L" -> "bra.uni".
std::string_view opcode_of(std::string_view statement) {
  const std::string_view word = first_word(statement);
  if (!starts_with(word, "@")) return word;
  const auto behind = static_cast<std::size_t>(word.data() + word.size() - statement.data());
  return first_word(statement.substr(behind));
}

enum class Product { none, mma, wgmma, tcgen05, fma };

Product product_of(std::string_view opcode) {
  if (starts_with(opcode, "mma.") || starts_with(opcode, "wmma.mma.")) return Product::mma;
  if (starts_with(opcode, "wgmma.mma_async.")) return Product::wgmma;
  if (starts_with(opcode, "tcgen05.mma.")) return Product::tcgen05;
  return starts_with(opcode, "fma.") ? Product::fma : Product::none;
}

bool is_without_effect(std::string_view opcode) {
  for (const std::string_view head : {"trap", "brkpt", "exit", "ret", "bra", "mov.", "ld.param.", "cvta.", "pragma"}) {
    if (starts_with(opcode, head)) return true;
  }
  return false;
}

void count_product(Product product, std::map<std::string, std::uint64_t>& matrix, Products& products) {
  if (product == Product::mma) ++products.mma, ++matrix["mma"];
  if (product == Product::wgmma) ++products.wgmma, ++matrix["wgmma"];
  if (product == Product::tcgen05) ++products.tcgen05, ++matrix["tcgen05"];
  if (product == Product::fma) ++products.fma;
}

// Walks the text statement by statement; one ends at ';', at the braces of a scope, a label at ':', and the directives
// that take no ';' at the end of their line. Comments and strings are left out.
class PtxReader {
 public:
  explicit PtxReader(std::string_view text) : text_(text) {}

  Result<Code> read() {
    code_.kind = CodeKind::ptx;
    for (std::size_t at = 0; at < text_.size();) at = step(at);
    if (!code_.ptx_version) return Error{".version: missing"};
    if (code_.arch.empty()) return Error{".target: missing"};
    code_.stub_texts = find_stub_texts(text_);
    add_byte_texts();
    return std::move(code_);
  }

 private:
  std::size_t step(std::size_t at) {
    if (is_comment(text_, at)) {
      const std::size_t end = after_comment(text_, at);
      read_comment(text_.substr(at, end - at));
      return end;
    }
    if (text_[at] == '"') return std::min(text_.find('"', at + 1), text_.size() - 1) + 1;
    if (text_[at] == '\n' && is_line_directive()) end_statement();
    if (is_boundary(at)) {
      read_boundary(at);
    } else {
      append(text_[at]);
    }
    return at + 1;
  }

  // White space is kept to one character, none in front, so that no look at a statement costs more than its words.
  void append(char c) {
    if (is_space(c) && (statement_.empty() || is_space(statement_.back()))) return;
    statement_ += c;
  }

  bool is_line_directive() const {
    for (const std::string_view name : {".version ", ".target ", ".address_size ", ".loc ", ".loc\t", ".file "}) {
      if (starts_with(statement_, name)) return true;
    }
    return starts_with(statement_, ".file\t");
  }

  // A '::' is part of an opcode ("kind::f16").
  bool is_boundary(std::size_t at) const {
    const char c = text_[at];
    const bool doubled = (at > 0 && text_[at - 1] == ':') || (at + 1 < text_.size() && text_[at + 1] == ':');
    return c == ';' || c == '{' || c == '}' || (c == ':' && !doubled && operand_depth_ == 0);
  }

  void read_boundary(std::size_t at) {
    const char c = text_[at];
    if (c == '{') return opens_operand() ? void(++operand_depth_) : open(statement_, at);
    if (c == '}' && operand_depth_ > 0) return void(--operand_depth_);
    if (c == '}') return close(at);
    if (c == ':') return statement_.clear();
    end_statement();
  }

  // Within a statement a brace opens a vector or a list of values, else a scope; a function's head is no statement.
  bool opens_operand() const {
    if (operand_depth_ > 0) return true;
    if (depth_ == 0) return statement_.find('=') != std::string::npos;
    return !statement_.empty();
  }

  void end_statement() {
    operand_depth_ = 0;
    read_statement(statement_);
    statement_.clear();
  }

  void open(std::string_view statement, std::size_t at) {
    const std::string name(word_after(statement, ".entry"));
    if (depth_ == 0) read_directives(statement);
    statement_.clear();
    if (depth_++ > 0 || name.empty()) return;
    code_.kernels.emplace_back();
    code_.kernels.back().name = name;
    body_from_ = at;
    in_entry_ = true;
    has_effect_ = false;
    has_trap_ = false;
  }

  void close(std::size_t at) {
    statement_.clear();
    if (depth_ == 0 || --depth_ > 0 || !in_entry_) return;
    Kernel& kernel = code_.kernels.back();
    kernel.bytes = at - body_from_ + 1;
    kernel.trap_only = has_trap_ && !has_effect_;
    kernel.empty = !has_trap_ && !has_effect_;
    in_entry_ = false;
  }

  void read_directives(std::string_view statement) {
    if (!code_.ptx_version) {
      const std::string_view version = word_after(statement, ".version");
      if (!version.empty()) code_.ptx_version = std::string(version);
    }
    if (code_.arch.empty()) code_.arch = std::string(word_after(statement, ".target"));
  }

  void read_statement(std::string_view statement) {
    if (depth_ == 0) return read_directives(statement);
    const std::string_view opcode = opcode_of(statement);
    if (opcode.empty() || opcode.front() == '.') return;
    const Product product = product_of(opcode);
    count_product(product, code_.matrix, code_.products);
    if (!in_entry_) return;
    Kernel& kernel = code_.kernels.back();
    ++kernel.instructions;
    count_product(product, kernel.matrix, kernel.products);
    if (starts_with(opcode, "trap") || starts_with(opcode, "brkpt")) has_trap_ = true;
    if (!is_without_effect(opcode)) has_effect_ = true;
  }

  void read_comment(std::string_view comment) {
    constexpr std::string_view kTool = "Cuda compilation tools, release ";
    const std::size_t at = comment.find(kTool);
    if (code_.toolkit || at == std::string_view::npos) return;
    const std::string_view release = comment.substr(at + kTool.size());
    code_.toolkit = std::string(release.substr(0, release.find_first_not_of("0123456789.")));
  }

  // Texts stand in PTX as lists of byte values: .b8 $str[16] = {110, 111, 116, ...};
  void add_byte_texts() {
    std::string bytes;
    for (std::size_t at = text_.find(".b8 "); at != std::string_view::npos; at = text_.find(".b8 ", at)) {
      at = std::min(text_.find_first_of("{;", at), text_.size());
      if (at < text_.size() && text_[at] == '{') at = append_values(at + 1, bytes);
    }
    for (std::string& text : find_stub_texts(bytes)) code_.stub_texts.push_back(std::move(text));
  }

  std::size_t append_values(std::size_t at, std::string& bytes) const {
    unsigned value = 0;
    for (; at < text_.size() && text_[at] != '}' && text_[at] != ';'; ++at) {
      if (text_[at] == ',') bytes += static_cast<char>(std::exchange(value, 0U));
      if (std::isdigit(static_cast<unsigned char>(text_[at])) != 0) {
        value = (value * 10 + static_cast<unsigned>(text_[at] - '0')) & 0xFF;
      }
    }
    bytes += static_cast<char>(value);
    bytes += '\0';
    return at;
  }

  std::string_view text_;
  Code code_;
  std::string statement_;
  std::size_t depth_ = 0;
  std::size_t operand_depth_ = 0;
  std::size_t body_from_ = 0;
  bool in_entry_ = false;
  bool has_effect_ = false;
  bool has_trap_ = false;
};

}  // namespace

bool looks_like_ptx(std::string_view text) {
  return starts_with(text.substr(skip_blank(text, 0)), ".version");
}

Result<Code> read_ptx(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return PtxReader(text).read();
}

}  // namespace crosswarp::smoke
