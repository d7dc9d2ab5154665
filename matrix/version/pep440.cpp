// SPDX-License-Identifier: Apache-2.0
#include "matrix/version/pep440.hpp"

#include "matrix/version/scan.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace crosswarp::version {
namespace {

using Operator = Specifier::Operator;

Error no_version(std::string_view text) {
  return Error{ErrorCode::invalid_argument,
               in_quotes(text) + " is not a version; PEP 440 reads versions such as 2.8.0, 3.0rc1, 2.8.0+cu128"};
}

struct PhaseName {
  std::string_view name;
  PreRelease::Phase phase;
};

// Longer spellings first: "alpha" must not be read as "a" with "lpha" left over.
constexpr std::array kPhases{
    PhaseName{"preview", PreRelease::Phase::candidate}, PhaseName{"alpha", PreRelease::Phase::alpha},
    PhaseName{"beta", PreRelease::Phase::beta},         PhaseName{"pre", PreRelease::Phase::candidate},
    PhaseName{"rc", PreRelease::Phase::candidate},      PhaseName{"a", PreRelease::Phase::alpha},
    PhaseName{"b", PreRelease::Phase::beta},            PhaseName{"c", PreRelease::Phase::candidate}};

/// An optional separator and one of `words`, then an optional separator and digits: the shape of every part that
/// follows the release. Consumes nothing and answers -1 where no word follows.
template <std::size_t N>
std::pair<int, Number> labelled_number(Scanner& in, const std::array<std::string_view, N>& words) {
  Scanner ahead = in;
  ahead.skip_one_of("._-");
  for (std::size_t i = 0; i < N; ++i) {
    if (!ahead.skip_word(words[i])) continue;
    // A separator with nothing behind it belongs to this part, as the grammar's optional pieces have it.
    ahead.skip_one_of("._-");
    const Number number(ahead.digits());
    in = ahead;
    return {static_cast<int>(i), number};
  }
  return {-1, Number{}};
}

std::optional<PreRelease> read_pre(Scanner& in) {
  std::array<std::string_view, kPhases.size()> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = kPhases[i].name;
  const auto [word, number] = labelled_number(in, words);
  if (word < 0) return std::nullopt;
  return PreRelease{kPhases[static_cast<std::size_t>(word)].phase, number};
}

std::optional<Number> read_post(Scanner& in) {
  Scanner ahead = in;
  if (ahead.skip('-')) {
    if (const std::string_view digits = ahead.digits(); !digits.empty()) {
      in = ahead;
      return Number(digits);
    }
  }
  constexpr std::array<std::string_view, 3> kWords{"post", "rev", "r"};
  const auto [word, number] = labelled_number(in, kWords);
  return word < 0 ? std::nullopt : std::optional(number);
}

std::optional<Number> read_dev(Scanner& in) {
  constexpr std::array<std::string_view, 1> kWords{"dev"};
  const auto [word, number] = labelled_number(in, kWords);
  return word < 0 ? std::nullopt : std::optional(number);
}

/// The label behind "+", where there is one; false where the "+" has no label.
bool read_local(Scanner& in, std::vector<LocalPart>& local) {
  if (!in.skip('+')) return true;
  do {
    const std::string_view part = in.letters_and_digits();
    if (part.empty()) return false;
    const bool number = std::all_of(part.begin(), part.end(), is_digit);
    local.push_back({number, number ? Number(part).text() : lower(part)});
  } while (in.skip_one_of("._-"));
  return true;
}

void read_epoch(Scanner& in, Version& version) {
  Scanner ahead = in;
  const std::string_view digits = ahead.digits();
  if (digits.empty() || !ahead.skip('!')) return;
  version.epoch = Number(digits);
  in = ahead;
}

bool read_release(Scanner& in, Version& version) {
  std::string_view digits = in.digits();
  if (digits.empty()) return false;
  while (!digits.empty()) {
    version.release.emplace_back(digits);
    Scanner ahead = in;
    if (!ahead.skip('.')) break;
    digits = ahead.digits();
    if (!digits.empty()) in = ahead;
  }
  return true;
}

/// Where a version stands among those of its release: dev-only first, then a, b, rc, then the release itself.
int phase_rank(const Version& version) {
  if (version.pre) return 1 + static_cast<int>(version.pre->phase);
  return version.dev && !version.post ? 0 : 4;
}

std::size_t significant_parts(const std::vector<Number>& release) {
  std::size_t size = release.size();
  while (size > 0 && release[size - 1].is_zero()) --size;
  return size;
}

std::strong_ordering compare_release(const Version& left, const Version& right) {
  if (const auto order = left.epoch <=> right.epoch; order != 0) return order;
  const auto end = [](const std::vector<Number>& release) {
    return release.begin() + static_cast<std::ptrdiff_t>(significant_parts(release));
  };
  return std::lexicographical_compare_three_way(left.release.begin(), end(left.release), right.release.begin(),
                                                end(right.release));
}

constexpr std::array<std::pair<std::string_view, Operator>, 8> kOperators{{{"===", Operator::identical},
                                                                           {"~=", Operator::compatible},
                                                                           {"==", Operator::equal},
                                                                           {"!=", Operator::not_equal},
                                                                           {"<=", Operator::less_equal},
                                                                           {">=", Operator::greater_equal},
                                                                           {"<", Operator::less},
                                                                           {">", Operator::greater}}};

bool takes_local(Operator op) { return op == Operator::equal || op == Operator::not_equal; }

Error no_specifier(std::string_view text, std::string_view why) {
  return Error{ErrorCode::invalid_argument, in_quotes(text) + " is not a version specifier: " + std::string(why)};
}

/// Why `version` cannot be the operand of `op`; empty where it can.
std::string_view operand_fault(Operator op, const Version& version, bool wildcard) {
  if (!version.local.empty() && !takes_local(op)) return "a local label (+...) goes with == and != only";
  if (op == Operator::compatible && version.release.size() < 2) return "~= needs at least two numbers, such as ~=3.1";
  if (!wildcard) return {};
  if (!takes_local(op)) return ".* goes with == and != only";
  if (version.pre || version.post || version.dev || !version.local.empty()) return ".* follows release numbers only";
  return {};
}

/// `>V`: neither V's own locals nor, unless V is one, V's post-releases count as later.
bool is_after(const Version& version, const Version& bound) {
  if (compare_public(version, bound) <= 0) return false;
  if (bound.dev || bound.post || !version.post) return true;
  return compare_release(version, bound) != 0 || version.pre != bound.pre;
}

/// `<V`: unless V is a pre-release, V's pre-releases do not count as earlier.
bool is_before(const Version& version, const Version& bound) {
  if (bound.is_prerelease()) return version < bound;
  Version first = bound;
  first.dev = Number{};
  return version < first;
}

}  // namespace

Number::Number(std::string_view digits) {
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size());
  if (first < digits.size()) digits_ = digits.substr(first);
}

std::strong_ordering operator<=>(const Number& left, const Number& right) {
  if (const auto order = left.digits_.size() <=> right.digits_.size(); order != 0) return order;
  return left.digits_.compare(right.digits_) <=> 0;
}

std::strong_ordering operator<=>(const LocalPart& left, const LocalPart& right) {
  if (left.is_number != right.is_number) return left.is_number <=> right.is_number;
  if (left.is_number) return Number(left.text) <=> Number(right.text);
  return left.text.compare(right.text) <=> 0;
}

std::strong_ordering compare_public(const Version& left, const Version& right) {
  if (const auto order = compare_release(left, right); order != 0) return order;
  if (const auto order = phase_rank(left) <=> phase_rank(right); order != 0) return order;
  if (left.pre && right.pre) {
    if (const auto order = left.pre->number <=> right.pre->number; order != 0) return order;
  }
  // An absent post sorts before every post, an absent dev behind every dev.
  if (const auto order = left.post <=> right.post; order != 0) return order;
  if (left.dev.has_value() != right.dev.has_value()) return right.dev.has_value() <=> left.dev.has_value();
  return left.dev <=> right.dev;
}

std::strong_ordering operator<=>(const Version& left, const Version& right) {
  if (const auto order = compare_public(left, right); order != 0) return order;
  return left.local <=> right.local;
}

Result<Version> Version::parse(std::string_view text) {
  Scanner in(trimmed(text));
  in.skip_one_of("vV");
  Version version;
  read_epoch(in, version);
  if (!read_release(in, version)) return no_version(text);
  version.pre = read_pre(in);
  version.post = read_post(in);
  version.dev = read_dev(in);
  if (!read_local(in, version.local) || !in.at_end()) return no_version(text);
  return version;
}

std::string Version::text() const {
  constexpr std::array<std::string_view, 3> kPhaseTexts{"a", "b", "rc"};
  std::string out;
  if (!epoch.is_zero()) out += epoch.text() + '!';
  for (std::size_t i = 0; i < release.size(); ++i) out += (i == 0 ? "" : ".") + release[i].text();
  if (pre) out.append(kPhaseTexts[static_cast<std::size_t>(pre->phase)]).append(pre->number.text());
  if (post) out += ".post" + post->text();
  if (dev) out += ".dev" + dev->text();
  for (std::size_t i = 0; i < local.size(); ++i) out += (i == 0 ? "+" : ".") + local[i].text;
  return out;
}

Result<Specifier> Specifier::parse(std::string_view text) {
  const std::string_view inner = trimmed(text);
  const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                  [&](const auto& entry) { return inner.starts_with(entry.first); });
  if (found == kOperators.end()) return no_specifier(text, "it starts with none of == != <= >= < > ~= ===");
  Specifier specifier;
  specifier.operator_ = found->second;
  std::string_view operand = trimmed(inner.substr(found->first.size()));
  if (specifier.operator_ == Operator::identical) {
    if (operand.empty() || std::any_of(operand.begin(), operand.end(), [](char c) {
          return is_space(c) || c == ';' || c == ')';
        })) {
      return no_specifier(text, "=== needs one word without spaces, ';' and ')'");
    }
    specifier.written_ = lower(operand);
    if (Result<Version> version = Version::parse(operand)) specifier.version_ = std::move(*version);
    return specifier;
  }
  specifier.wildcard_ = operand.ends_with(".*");
  if (specifier.wildcard_) operand.remove_suffix(2);
  Result<Version> version = Version::parse(operand);
  if (!version || operand.empty() || is_space(operand.back())) {
    return no_specifier(text, in_quotes(operand) + " is not a version");
  }
  if (const auto why = operand_fault(specifier.operator_, *version, specifier.wildcard_); !why.empty()) {
    return no_specifier(text, why);
  }
  specifier.version_ = std::move(*version);
  return specifier;
}

bool Specifier::names_prerelease() const noexcept {
  return operator_ != Operator::not_equal && !wildcard_ && version_ && version_->is_prerelease();
}

bool Specifier::has_prefix(const Version& version, std::size_t parts) const {
  if (version.epoch != version_->epoch) return false;
  for (std::size_t i = 0; i < parts; ++i) {
    const Number part = i < version.release.size() ? version.release[i] : Number{};
    if (part != version_->release[i]) return false;
  }
  return true;
}

bool Specifier::holds(std::string_view text, const std::optional<Version>& version) const {
  if (operator_ == Operator::identical) return lower(text) == written_;
  return version && holds_for(*version);
}

bool Specifier::holds_for(const Version& version) const {
  const Version& bound = *version_;
  const auto equals = [&] {
    if (wildcard_) return has_prefix(version, bound.release.size());
    return bound.local.empty() ? compare_public(version, bound) == 0 : version == bound;
  };
  switch (operator_) {
    case Operator::equal: return equals();
    case Operator::not_equal: return !equals();
    case Operator::compatible: return version >= bound && has_prefix(version, bound.release.size() - 1);
    case Operator::less_equal: return compare_public(version, bound) <= 0;
    case Operator::greater_equal: return version >= bound;
    case Operator::less: return is_before(version, bound);
    case Operator::greater: return is_after(version, bound);
    case Operator::identical: break;  // answered from the text, in holds
  }
  return false;
}

Result<SpecifierSet> SpecifierSet::parse(std::string_view text) {
  SpecifierSet set;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = trimmed(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (item.empty()) continue;
    Result<Specifier> specifier = Specifier::parse(item);
    if (!specifier) return specifier.error();
    set.specifiers_.push_back(std::move(*specifier));
  }
  return set;
}

bool SpecifierSet::contains(std::string_view text, PreReleases prereleases) const {
  std::optional<Version> version;
  if (Result<Version> parsed = Version::parse(text)) version = std::move(*parsed);
  const auto holds = [&](const Specifier& specifier) { return specifier.holds(text, version); };
  if (!std::all_of(specifiers_.begin(), specifiers_.end(), holds)) return false;
  if (!version || !version->is_prerelease() || prereleases == PreReleases::allowed) return true;
  if (prereleases == PreReleases::refused) return false;
  return std::any_of(specifiers_.begin(), specifiers_.end(), [](const auto& s) { return s.names_prerelease(); });
}

}  // namespace crosswarp::version
