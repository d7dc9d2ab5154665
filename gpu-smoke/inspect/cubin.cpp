// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/cubin.hpp"

#include <algorithm>
#include <unordered_map>

#include "gpu-smoke/inspect/sass.hpp"
#include "gpu-smoke/inspect/stub_texts.hpp"

namespace crosswarp::smoke {
namespace {

constexpr std::uint8_t kNewAbi = 8;
constexpr std::uint32_t kAcceleratedOld = 0x800;
constexpr std::uint32_t kAcceleratedNew = 0x8;
constexpr std::uint8_t kSymbolFunction = 2;
constexpr std::uint8_t kCudaEntry = 0x10;
constexpr unsigned kDecodedFrom = 70;
constexpr std::uint32_t kToolInfoNote = 2000;

bool is_code(const ElfSection& section) {
  return section.type == kSectionProgbits && (section.flags & kFlagExecutable) != 0 &&
         section.name.substr(0, 5) == ".text";
}

std::string digits_from(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
  return std::string(text.substr(at, end - at));
}

// "release 12.8, V12.8.93" in a tool's own words.
std::optional<std::string> release_in(std::string_view text) {
  constexpr std::string_view kWord = "release ";
  const std::size_t at = text.find(kWord);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t from = at + kWord.size();
  const std::size_t end = std::min(text.find_first_not_of("0123456789.", from), text.size());
  return end == from ? std::nullopt : std::optional<std::string>(text.substr(from, end - from));
}

// The target that a tool was asked for: "-arch sm_100a ".
std::optional<std::string> target_in(std::string_view text) {
  constexpr std::string_view kWord = "sm_";
  const std::size_t option = text.find("-arch");
  if (option == std::string_view::npos) return std::nullopt;
  const std::size_t at = text.find(kWord, option);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string number = digits_from(text, at + kWord.size());
  if (number.empty()) return std::nullopt;
  const std::size_t after = at + kWord.size() + number.size();
  const bool suffixed = after < text.size() && (text[after] == 'a' || text[after] == 'f');
  return "sm_" + number + (suffixed ? std::string(1, text[after]) : std::string());
}

std::uint64_t padded(std::uint64_t size) { return (size + 3) / 4 * 4; }

// Takes target and toolkit from each tool's note; the last tool that says so (a linker after the assembler) wins.
Result<bool> read_tool_notes(Bytes notes, const std::string& number, Code& code) {
  std::uint64_t at = 0;
  while (notes.size() - at >= 12) {
    const std::uint64_t name_size = padded(notes.get<std::uint32_t>(at));
    const std::uint64_t text_size = notes.get<std::uint32_t>(at + 4);
    const auto type = notes.get<std::uint32_t>(at + 8);
    const auto text = notes.slice(at + 12 + name_size, text_size, ".note.nv.tkinfo");
    if (!text) return text.error();
    at = std::min<std::uint64_t>(at + 12 + name_size + padded(text_size), notes.size());
    if (type != kToolInfoNote) continue;
    if (const auto release = release_in(text->text())) code.toolkit = release;
    const auto target = target_in(text->text());
    if (!target) continue;
    if (digits_from(*target, 3) != number) {
      return Error{".note.nv.tkinfo: says " + *target + " where e_flags says sm_" + number};
    }
    code.arch = *target;
    code.suffix_known = true;
  }
  return true;
}

Result<bool> read_new_target(const Elf& elf, Code& code) {
  const std::string number = std::to_string((elf.flags >> 8) & 0xFF);
  const bool accelerated = (elf.flags & kAcceleratedNew) != 0;
  code.arch = "sm_" + number + (accelerated ? "a" : "");
  code.suffix_known = accelerated;
  for (const ElfSection& section : elf.sections) {
    if (section.name != ".note.nv.tkinfo") continue;
    const auto read = read_tool_notes(section.content, number, code);
    if (!read) return read;
  }
  return true;
}

void read_old_target(const Elf& elf, Code& code) {
  const bool accelerated = (elf.flags & kAcceleratedOld) != 0;
  code.arch = "sm_" + std::to_string(elf.flags & 0xFF) + (accelerated ? "a" : "");
  if (elf.version >= 10) code.toolkit = std::to_string(elf.version / 10) + "." + std::to_string(elf.version % 10);
}

Kernel kernel_of(std::string_view name, std::uint64_t bytes, const SassCount& count) {
  Kernel kernel;
  kernel.name = std::string(name);
  kernel.bytes = bytes;
  kernel.instructions = count.instructions;
  kernel.matrix = count.matrix;
  kernel.products = count.products;
  kernel.trap_only = count.has_trap && !count.has_effect;
  kernel.empty = !count.has_trap && !count.has_effect;
  return kernel;
}

unsigned sm_of(const Code& code) { return static_cast<unsigned>(std::stoul(digits_from(code.arch, 3))); }

std::vector<SassCount> count_sections(const Elf& elf, Code& code) {
  std::vector<SassCount> counts(elf.sections.size());
  for (std::size_t index = 0; index < elf.sections.size(); ++index) {
    if (!is_code(elf.sections[index]) || !code.decoded) continue;
    counts[index] = count_sass(elf.sections[index].content, sm_of(code));
    add_to(code.matrix, counts[index].matrix);
    add_to(code.products, counts[index].products);
  }
  return counts;
}

// The section of a function: its index, or, where there are more sections than an index can name, its own name.
class SectionFinder {
 public:
  explicit SectionFinder(const Elf& elf) : elf_(elf) {
    for (std::size_t index = 0; index < elf.sections.size(); ++index) {
      if (is_code(elf.sections[index])) by_name_.emplace(elf.sections[index].name, index);
    }
  }

  std::optional<std::size_t> find(const ElfSymbol& symbol) const {
    constexpr std::uint16_t kExtendedIndex = 0xFFFF;
    if (symbol.section != kExtendedIndex) {
      const bool fits = symbol.section < elf_.sections.size() && is_code(elf_.sections[symbol.section]);
      return fits ? std::optional<std::size_t>(symbol.section) : std::nullopt;
    }
    const auto found = by_name_.find(".text." + std::string(symbol.name));
    return found == by_name_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
  }

 private:
  const Elf& elf_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

Result<bool> read_kernels(const Elf& elf, std::size_t name_budget, Code& code) {
  const std::vector<SassCount> counts = count_sections(elf, code);
  const auto symbols = read_symbols(elf);
  if (!symbols) return symbols.error();
  const SectionFinder sections(elf);
  for (const ElfSymbol& symbol : *symbols) {
    if ((symbol.info & 15) != kSymbolFunction || (symbol.other & kCudaEntry) == 0) continue;
    const auto section = sections.find(symbol);
    if (!section) continue;
    if (symbol.name.size() > name_budget) return Error{"symbol names: longer together than the file"};
    name_budget -= symbol.name.size();
    code.kernels.push_back(kernel_of(symbol.name, elf.sections[*section].content.size(), counts[*section]));
  }
  return true;
}

}  // namespace

Result<Code> read_cubin(Bytes cubin) {
  const auto elf = read_elf(cubin);
  if (!elf) return elf.error();
  if (elf->machine != kMachineCuda) return Error{"e_machine: " + std::to_string(elf->machine) + " is not CUDA (190)"};
  Code code;
  code.kind = CodeKind::cubin;
  code.abi = elf->abi_version;
  if (elf->abi_version >= kNewAbi) {
    const auto read = read_new_target(*elf, code);
    if (!read) return read.error();
  } else {
    read_old_target(*elf, code);
  }
  code.decoded = sm_of(code) >= kDecodedFrom;
  const auto read = read_kernels(*elf, cubin.size(), code);
  if (!read) return read.error();
  code.stub_texts = find_stub_texts(cubin.text());
  return code;
}

}  // namespace crosswarp::smoke
