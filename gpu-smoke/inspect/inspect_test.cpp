// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/inspect.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>

#include "gpu-smoke/inspect/test_files.hpp"

namespace crosswarp::smoke {
namespace {

namespace fs = std::filesystem;

Result<FileReport> inspect(const std::string& content) { return inspect_bytes("f", Bytes(content)); }

std::string small_cubin() {
  return test::make_cubin({190, 8, 1, 0x06006402}, "k", test::instruction(0x794d), {test::tool_note("-arch sm_100a ")});
}

std::string host_object() {
  const std::string entries = test::fatbin_entry(2, small_cubin()) + test::fatbin_entry(1, test::kPtx);
  return test::make_elf({62, 0, 1, 0}, {{".nv_fatbin", 1, 2, test::fatbin(entries), 0}});
}

TEST(InspectBytes, ReadsEachKindOfFile) {
  EXPECT_EQ(inspect(small_cubin())->kind, FileKind::cubin);
  EXPECT_EQ(inspect(test::kPtx)->kind, FileKind::ptx);
  const auto object = inspect(host_object());
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(object->kind, FileKind::fatbin);
  ASSERT_EQ(object->codes.size(), 2U);
  EXPECT_EQ(object->codes[0].arch, "sm_100a");
  EXPECT_EQ(object->codes[1].arch, "sm_90a");
  EXPECT_EQ(inspect("nothing of ours").error().message, "neither a cubin, a file with fat binaries, nor PTX");
}

TEST(InspectBytes, SaysWhereInTheFileTheFaultIs) {
  const std::string file = test::make_elf(
      {62, 0, 1, 0}, {{".nv_fatbin", 1, 2, test::fatbin(test::fatbin_entry(2, "\x7F" "ELF")), 0}});
  EXPECT_EQ(inspect(file).error().message, ".nv_fatbin: fatbin entry 0: ELF header: truncated at 4 bytes");
}

TEST(InspectBytes, SurvivesEveryTruncationAndManyFlippedBytes) {
  const std::string whole = host_object();
  for (std::size_t size = 0; size < whole.size(); ++size) inspect(whole.substr(0, size));
  std::mt19937 random(20);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = whole;
    for (int flips = 0; flips < 3; ++flips) damaged[random() % damaged.size()] = static_cast<char>(random());
    const auto report = inspect(damaged);
    EXPECT_FALSE(report ? to_json(*report).empty() : report.error().message.empty());
  }
}

TEST(IsExactlyFor, WantsCodeAndAllOfItForThatArch) {
  EXPECT_TRUE(is_exactly_for(*inspect(small_cubin()), "sm_100a"));
  EXPECT_FALSE(is_exactly_for(*inspect(small_cubin()), "sm_100"));
  EXPECT_FALSE(is_exactly_for(*inspect(host_object()), "sm_100a"));
  EXPECT_FALSE(is_exactly_for(*inspect(test::make_elf({62, 0, 1, 0}, {})), "sm_100a"));
  const auto vague = inspect(test::make_cubin({190, 8, 1, 0x06006402}, "k", test::instruction(0x794d)));
  EXPECT_FALSE(is_exactly_for(*vague, "sm_100"));
}

TEST(ToJson, PrintsOneLineWithWhatTheCodeSays) {
  EXPECT_EQ(to_json(*inspect(small_cubin())),
            R"({"file":"f","kind":"cubin","codes":[{"kind":"cubin","arch":"sm_100a","suffix_known":true,"abi":8,)"
            R"("decoded":true,"kernels":[{"name":"k","bytes":16,"instructions":1,"matrix":{},)"
            R"("products":{"mma":0,"wgmma":0,"tcgen05":0,"fma":0},"fma":0,"trap_only":false,"empty":true}],)"
            R"("matrix":{},"products":{"mma":0,"wgmma":0,"tcgen05":0,"fma":0},"stub_texts":[]}],"stub_texts":[]})");
}

bool is_there(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

constexpr const char* kSource = R"cuda(
  #include <mma.h>
  __global__ void scale(float* p) { p[threadIdx.x] = p[0] * p[1] + p[2]; }
  __global__ void nothing(float*) {}
  __global__ void product(const half* a, const half* b, float* c) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> x;
    fragment<matrix_b, 16, 16, 16, half, col_major> y;
    fragment<accumulator, 16, 16, 16, float> z;
    fill_fragment(z, 0.0f);
    load_matrix_sync(x, a, 16);
    load_matrix_sync(y, b, 16);
    mma_sync(z, x, y, z);
    store_matrix_sync(c, z, 16, mem_row_major);
  })cuda";

// A folder with a CUDA source: a kernel with a multiply-add, an empty one and one with matrix instructions.
class CompiledHere : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there("nvcc")) GTEST_SKIP() << "no nvcc in PATH";
    std::string name = (fs::temp_directory_path() / "gpu-smoke-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ofstream(folder_ / "k.cu") << kSource;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  std::string compile(const std::string& options, const std::string& output) const {
    const std::string path = (folder_ / output).string();
    const std::string command = "nvcc " + options + " " + (folder_ / "k.cu").string() + " -o " + path;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return path;
  }

  fs::path folder_;
};

TEST_F(CompiledHere, AnObjectTellsItsTargetsExactly) {
  const auto report = inspect_file(compile(
      "-c -gencode arch=compute_90a,code=sm_90a -gencode arch=compute_80,code=[sm_80,compute_80]", "k.o"));
  ASSERT_TRUE(report) << report.error().message;
  std::vector<std::string> targets;
  for (const Code& code : report->codes) targets.push_back((code.kind == CodeKind::ptx ? "ptx " : "") + code.arch);
  EXPECT_EQ(targets, (std::vector<std::string>{"sm_90a", "sm_80", "ptx sm_80"}));
  for (const Code& code : report->codes) {
    EXPECT_EQ(code.kernels.size(), 3U);
    EXPECT_GT(code.products.mma, 0U);
    EXPECT_GT(code.products.fma, 0U);
    for (const Kernel& kernel : code.kernels) EXPECT_EQ(kernel.empty, kernel.name == "_Z7nothingPf") << kernel.name;
  }
}

// Counts by mnemonic in what nvdisasm prints.
std::map<std::string, std::uint64_t> disassembled(const std::string& cubin) {
  std::map<std::string, std::uint64_t> counts;
  FILE* listing = ::popen(("nvdisasm -c " + cubin).c_str(), "r");
  const std::regex line(R"(^\s*/\*[0-9a-f]+\*/\s+(@\S+ )?\s*([A-Z0-9]+MMA)\b.*\n?)");
  char text[4096];
  while (std::fgets(text, sizeof text, listing) != nullptr) {
    std::cmatch match;
    if (!std::regex_match(text, match, line)) continue;
    std::string name = match[2];
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    ++counts[name];
  }
  ::pclose(listing);
  return counts;
}

TEST_F(CompiledHere, CountsAsTheDisassemblerNames) {
  if (!is_there("nvdisasm")) GTEST_SKIP() << "no nvdisasm in PATH";
  for (const char* arch : {"sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a"}) {
    SCOPED_TRACE(arch);
    const std::string path = compile(std::string("-cubin -arch=") + arch, std::string(arch) + ".cubin");
    const auto report = inspect_file(path);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(is_exactly_for(*report, arch));
    const auto expected = disassembled(path);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(report->codes.at(0).matrix, expected);
  }
}

}  // namespace
}  // namespace crosswarp::smoke
