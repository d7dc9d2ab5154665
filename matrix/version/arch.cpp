// SPDX-License-Identifier: Apache-2.0
#include "matrix/version/arch.hpp"

#include "matrix/version/scan.hpp"

#include <optional>

namespace crosswarp::version {
namespace {

Error no_arch(std::string_view text) {
  return Error{ErrorCode::invalid_argument,
               in_quotes(text) + " is not a GPU architecture; write sm_90, sm_90a or sm_120f"};
}

/// "90" or "9.0" as 90; empty where neither, or past any number that could be meant.
std::optional<int> read_number(Scanner& in) {
  const std::string_view first = in.digits();
  if (first.empty() || first.size() > 3 || first.front() == '0') return std::nullopt;
  int number = 0;
  for (const char digit : first) number = number * 10 + (digit - '0');
  if (!in.skip('.')) return first.size() < 2 ? std::nullopt : std::optional(number);
  const std::string_view minor = in.digits();
  if (minor.size() != 1 || first.size() > 2) return std::nullopt;
  return number * 10 + (minor.front() - '0');
}

Arch::Suffix read_suffix(Scanner& in) {
  if (in.skip_word("a")) return Arch::Suffix::exact;
  if (in.skip_word("f")) return Arch::Suffix::family;
  return Arch::Suffix::none;
}

/// What build systems write behind the number to say which code is kept; the arch is the same.
void skip_kind(Scanner& in) {
  for (const std::string_view kind : {"-real", "-virtual", "+ptx"}) {
    if (in.skip_word(kind)) return;
  }
}

bool skip_prefix(Scanner& in) { return in.skip_word("sm_") || in.skip_word("compute_"); }

}  // namespace

Result<Arch> Arch::parse(std::string_view text) {
  Scanner in(trimmed(text));
  const bool prefixed = skip_prefix(in);
  const bool dotted = in.rest().find('.') != std::string_view::npos;
  const std::optional<int> number = read_number(in);
  if (!number || (prefixed && dotted)) return no_arch(text);
  const Suffix suffix = read_suffix(in);
  skip_kind(in);
  if (!in.at_end()) return no_arch(text);
  return Arch{*number, suffix};
}

std::string Arch::text() const {
  constexpr std::string_view kSuffixes[] = {"", "f", "a"};
  return "sm_" + std::to_string(number) + std::string(kSuffixes[static_cast<std::size_t>(suffix)]);
}

std::strong_ordering compare_number(const Arch& left, const Arch& right) { return left.number <=> right.number; }

bool is_surely_arch(std::string_view text) {
  const std::string inner = lower(trimmed(text));
  Scanner in(inner);
  const bool marked = skip_prefix(in) || inner.ends_with("-real") || inner.ends_with("-virtual");
  return marked && Arch::parse(text).has_value();
}

}  // namespace crosswarp::version
