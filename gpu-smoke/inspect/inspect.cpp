// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/inspect.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gpu-smoke/inspect/cubin.hpp"
#include "gpu-smoke/inspect/elf.hpp"
#include "gpu-smoke/inspect/fatbin.hpp"
#include "gpu-smoke/inspect/ptx.hpp"

namespace crosswarp::smoke {
namespace {

constexpr std::uint64_t kLargestCode = std::uint64_t{512} << 20;
constexpr std::uint64_t kLargestTotal = std::uint64_t{32} << 30;

Result<Code> read_payload(const FatbinEntry& entry, Bytes payload) {
  if (entry.kind == kEntryCubin) return read_cubin(payload);
  if (entry.kind == kEntryPtx) return read_ptx(payload.text());
  Code code;
  code.kind = CodeKind::other;
  code.arch = "sm_" + std::to_string(entry.sm);
  code.suffix_known = false;
  code.decoded = false;
  return code;
}

Result<Code> read_entry(const FatbinEntry& entry, std::uint64_t& budget) {
  if (!is_compressed(entry)) return read_payload(entry, entry.payload);
  if (entry.decompressed_size > budget) {
    return Error{"fatbin entries: hold more than the limit of a file, decompressed"};
  }
  budget -= entry.decompressed_size;
  const auto content = decompress(entry, kLargestCode);
  if (!content) return content.error();
  return read_payload(entry, Bytes(*content));
}

Result<bool> add_fatbins(Bytes content, std::uint64_t& budget, FileReport& report) {
  const auto entries = read_fatbins(content);
  if (!entries) return entries.error();
  for (std::size_t index = 0; index < entries->size(); ++index) {
    auto code = read_entry((*entries)[index], budget);
    if (!code) return within("fatbin entry " + std::to_string(index), code.error());
    report.codes.push_back(std::move(*code));
  }
  return true;
}

Result<FileReport> inspect_host_elf(Bytes content, FileReport report) {
  const auto elf = read_elf(content);
  if (!elf) return elf.error();
  report.kind = FileKind::fatbin;
  std::uint64_t budget = kLargestTotal;
  for (const ElfSection& section : elf->sections) {
    if (section.name != ".nv_fatbin" && section.name != "__nv_relfatbin") continue;
    const auto added = add_fatbins(section.content, budget, report);
    if (!added) return within(std::string(section.name), added.error());
  }
  return report;
}

Result<FileReport> inspect_cubin(Bytes content, FileReport report) {
  auto code = read_cubin(content);
  if (!code) return code.error();
  report.kind = FileKind::cubin;
  report.codes.push_back(std::move(*code));
  return report;
}

bool is_cubin(Bytes content) { return content.size() >= 20 && content.get<std::uint16_t>(18) == kMachineCuda; }

Result<FileReport> inspect_ptx(Bytes content, FileReport report) {
  auto code = read_ptx(content.text());
  if (!code) return code.error();
  report.kind = FileKind::ptx;
  report.codes.push_back(std::move(*code));
  return report;
}

// A file's bytes, mapped for reading for as long as this object lives.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return Error{std::strerror(errno)};
    Result<MappedFile> mapped = map(descriptor);
    ::close(descriptor);
    return mapped;
  }
  MappedFile(MappedFile&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }

  Bytes content() const { return {data_, size_}; }

 private:
  MappedFile(void* data, std::size_t size) : data_(data), size_(size) {}

  static Result<MappedFile> map(int descriptor) {
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0) return Error{std::strerror(errno)};
    if (!S_ISREG(status.st_mode)) return Error{"not a regular file"};
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return Error{"empty file"};
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) return Error{std::strerror(errno)};
    return MappedFile(data, size);
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

Result<FileReport> inspect_bytes(const std::string& name, Bytes content) {
  FileReport report;
  report.file = name;
  if (looks_like_elf(content)) {
    return is_cubin(content) ? inspect_cubin(content, std::move(report)) : inspect_host_elf(content, std::move(report));
  }
  if (looks_like_fatbin(content)) {
    std::uint64_t budget = kLargestTotal;
    const auto added = add_fatbins(content, budget, report);
    return added ? Result<FileReport>(std::move(report)) : Result<FileReport>(added.error());
  }
  if (looks_like_ptx(content.text())) return inspect_ptx(content, std::move(report));
  return Error{"neither a cubin, a file with fat binaries, nor PTX"};
}

Result<FileReport> inspect_file(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return within(path, file.error());
  auto report = inspect_bytes(path, file->content());
  return report ? std::move(report) : Result<FileReport>(within(path, report.error()));
}

}  // namespace crosswarp::smoke
