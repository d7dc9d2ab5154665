// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/rules.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace crosswarp::diagnosis {
namespace {

/// Modules whose package on the index has another name.
std::string package_of(const std::string& module) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames{{{"yaml", "pyyaml"},
                                                                                {"PIL", "pillow"},
                                                                                {"cv2", "opencv-python"},
                                                                                {"sklearn", "scikit-learn"},
                                                                                {"pkg_resources", "setuptools"},
                                                                                {"distutils", "setuptools"}}};
  for (const auto& [name, package] : kNames) {
    if (module == name) return std::string(package);
  }
  return module;
}

void module_missing(const LogLines&, std::size_t, const UnitTrace&, Diagnosis& found) {
  static const RE2 pattern("^ModuleNotFoundError: (?:No module named '?|import of )([\\w-]+)");
  std::string module;
  if (RE2::PartialMatch(found.reason, pattern, &module)) found.remedy = "uv pip install " + package_of(module);
}

void network(const LogLines&, std::size_t, const UnitTrace& trace, Diagnosis& found) { blame_network(trace, found); }

/// Triton prints the place and the source first and says what is wrong under a caret.
void compilation_error(const LogLines& lines, std::size_t at, const UnitTrace&, Diagnosis& found) {
  constexpr std::size_t kMostLines = 400;
  for (std::size_t next = at + 1; next + 1 < std::min(lines.size(), at + kMostLines); ++next) {
    if (trimmed(lines[next].text) != "^" || lines[next + 1].text.empty()) continue;
    found.reason += ' ' + std::string(trimmed(lines[next + 1].text));
    return;
  }
}

constexpr Rule kRules[] = {
    {"^Traceback \\(most recent call last\\):$", "exception", Weight::consequence},
    {"^ModuleNotFoundError: ", "module_missing", Weight::cause, false, "", module_missing},
    {"^(?:ImportError|OSError): .*version .(?:GLIBCXX|CXXABI)_[\\d.]+. not found", "libstdcxx_too_old"},
    {"^(?:ImportError|OSError): .*version .GLIBC_[\\d.]+. not found", "glibc_too_old"},
    {"^(?:ImportError|OSError): .*cannot open shared object file", "library_missing"},
    {"^(?:ImportError|OSError): .*undefined symbol: ", "symbol_missing"},
    {"error while loading shared libraries: .*cannot open shared object file", "library_missing"},
    {"^ImportError: ", "import_error"},
    {"^(?:\\w+\\.)*(?:ConnectionError|ConnectTimeout|ReadTimeout|MaxRetryError|NewConnectionError|SSLError|gaierror|"
     "URLError|ConnectionRefusedError|ConnectionResetError|NameResolutionError|ProxyError|SSLCertVerificationError)\\b",
     "network", Weight::cause, false, "", network},
    {"^(?:\\w+\\.)*(?:OutOfMemoryError|MemoryError)\\b", "out_of_memory"},
    {"^(?:\\w+\\.)*(?:CompilationError|UnsupportedLanguageConstruct): at \\d+:\\d+:$", "compiler_error",
     Weight::cause, false, "", compilation_error},
    {"^(?:subprocess\\.)?(?:CalledProcessError|TimeoutExpired): |^RuntimeError: PassManager::run failed|"
     "^RuntimeError: Error compiling objects for extension|^KeyboardInterrupt|^SystemExit",
     "exception", Weight::consequence},
    {"^(?:[A-Za-z_]\\w*\\.)*[A-Z]\\w*(?:Error|Exception)(?:: |$)", "exception", Weight::exception},
};

}  // namespace

std::span<const Rule> python_rules() { return kRules; }

TracebackReader::Part TracebackReader::read(std::string_view line) {
  constexpr std::string_view kHeader = "Traceback (most recent call last):";
  if (const std::size_t header = line.find(kHeader); header != std::string_view::npos) {
    inside_ = true;
    prefix_ = line.substr(0, header);
    return Part::outside;
  }
  if (!inside_) return Part::outside;
  if (!line.starts_with(prefix_)) return Part::outside;  // another process wrote in between
  const std::string_view rest = line.substr(prefix_.size());
  if (rest.empty()) return Part::outside;
  if (rest.front() == ' ') return Part::frames;
  inside_ = false;
  return Part::exception;
}

}  // namespace crosswarp::diagnosis
