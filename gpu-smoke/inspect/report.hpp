// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosswarp::smoke {

/// What a kernel's or a code's arithmetic is made of. In SASS: `mma` HMMA, IMMA, DMMA, BMMA, QMMA, OMMA; `wgmma` HGMMA,
/// IGMMA, QGMMA, BGMMA; `tcgen05` UTC*MMA; `fma` FFMA, FFMA2, HFMA2, DFMA less those that multiply by the zero
/// register (moves of a constant). In PTX: the instructions of these names (`wmma` counts as `mma`).
struct Products {
  std::uint64_t mma = 0;
  std::uint64_t wgmma = 0;
  std::uint64_t tcgen05 = 0;
  std::uint64_t fma = 0;
};

struct Kernel {
  std::string name;                              // mangled, as the code names it
  std::uint64_t bytes = 0;                       // of its SASS, or of its body's PTX text
  std::uint64_t instructions = 0;
  std::map<std::string, std::uint64_t> matrix;   // matrix instructions by mnemonic in lower case: {"hmma": 12}
  Products products;
  bool trap_only = false;                        // traps, and has no effect besides
  bool empty = false;                            // ends without any effect: its body was compiled out
};

enum class CodeKind { cubin, ptx, other };

/// One device code of a file: a cubin, a PTX text, or something a fat binary holds besides (NVVM or LTO code).
struct Code {
  CodeKind kind = CodeKind::cubin;
  std::string arch;                   // "sm_90a"; exact where `suffix_known`
  bool suffix_known = true;           // false: an ABI 8 cubin without tool notes, where 100, 100a, 100f look alike
  std::optional<unsigned> abi;        // ELF ABI, cubins only
  std::optional<std::string> toolkit; // "12.8", where the code says
  std::optional<std::string> ptx_version;
  bool decoded = true;                // false: instructions are not counted (before Volta, or of kind other)
  std::vector<Kernel> kernels;        // entry points; device functions count in `products` only
  std::map<std::string, std::uint64_t> matrix;
  Products products;
  std::vector<std::string> stub_texts;  // texts by which libraries say that a path was compiled out
};

enum class FileKind { cubin, fatbin, ptx };

struct FileReport {
  std::string file;
  FileKind kind = FileKind::fatbin;
  std::vector<Code> codes;  // in the order of the file
};

/// True when the file holds device code and every code of it is for exactly `arch` ("sm_90a").
bool is_exactly_for(const FileReport& report, const std::string& arch);

/// One line of JSON without its newline:
/// {"file","kind","codes":[{"kind","arch","suffix_known","abi","toolkit","decoded","ptx_version","kernels":[{"name",
/// "bytes","instructions","matrix":{},"products":{"mma","wgmma","tcgen05","fma"},"fma","trap_only","empty"}],
/// "matrix":{},"products":{},"stub_texts":[]}],"stub_texts":[]}. What a code does not say is absent.
std::string to_json(const FileReport& report);

/// The same for a person, several lines.
std::string to_text(const FileReport& report);

}  // namespace crosswarp::smoke
