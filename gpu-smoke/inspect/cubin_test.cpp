// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/cubin.hpp"

#include <gtest/gtest.h>

#include "gpu-smoke/inspect/test_files.hpp"

namespace crosswarp::smoke {
namespace {

using test::instruction;
using test::make_cubin;
using test::make_elf;

const std::string kExit = instruction(0x000000000000794d);

Result<Code> read(const std::string& file) { return read_cubin(Bytes(file)); }

TEST(ReadCubin, TakesTheTargetOfEachLayout) {
  const struct {
    const char* name;
    test::ElfHeader header;
    const char* note;  // none when empty
    const char* arch;
    bool suffix_known;
    const char* toolkit;
  } rows[] = {
      {"abi 7, 12.4", {190, 7, 124, 0x005a055a}, "", "sm_90", true, "12.4"},
      {"abi 7, 12.4, accelerated", {190, 7, 124, 0x005a0d5a}, "", "sm_90a", true, "12.4"},
      {"abi 7, 11.8", {190, 7, 118, 0x00460546}, "", "sm_70", true, "11.8"},
      {"abi 8, 12.8", {190, 8, 1, 0x0600640a}, "release 12.8, V12.8.93 -arch sm_100a ", "sm_100a", true, "12.8"},
      {"abi 8, family", {190, 8, 1, 0x06006402}, "release 13.0, V13 -arch sm_100f ", "sm_100f", true, "13.0"},
      {"abi 8, plain", {190, 8, 1, 0x06005a02}, "release 13.0, V13 -arch sm_90 ", "sm_90", true, "13.0"},
      {"abi 8, no note", {190, 8, 1, 0x06006402}, "", "sm_100", false, "-"},
      {"abi 8, no note, accelerated", {190, 8, 1, 0x0600640a}, "", "sm_100a", true, "-"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    std::vector<test::Section> notes;
    if (*row.note != '\0') notes.push_back(test::tool_note(row.note));
    const auto code = read(make_cubin(row.header, "k", kExit, notes));
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(code->arch, row.arch);
    EXPECT_EQ(code->suffix_known, row.suffix_known);
    EXPECT_EQ(code->toolkit.value_or("-"), row.toolkit);
  }
}

TEST(ReadCubin, TellsKernelsFromTrapsAndEmptyBodies) {
  const test::ElfHeader header{190, 7, 124, 0x00500050};
  const auto real = read(make_cubin(header, "gemm", instruction(0x000000000008723c) + kExit));
  ASSERT_TRUE(real);
  ASSERT_EQ(real->kernels.size(), 1U);
  EXPECT_EQ(real->kernels[0].name, "gemm");
  EXPECT_EQ(real->kernels[0].matrix.at("hmma"), 1U);
  EXPECT_FALSE(real->kernels[0].empty || real->kernels[0].trap_only);
  const auto trap = read(make_cubin(header, "k", instruction(0x000000040000795c) + kExit));
  ASSERT_TRUE(trap);
  EXPECT_TRUE(trap->kernels.at(0).trap_only);
  const auto empty = read(make_cubin(header, "k", instruction(0x000000fffffff389) + kExit));
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->kernels.at(0).empty);
}

TEST(ReadCubin, KeepsTheTextOfAStub) {
  const std::string text = "ERROR : Arch conditional MMA instruction used without targeting";
  const test::Section strings{".nv.global.init", 1, 3, text + '\0', 0};
  const auto code = read(make_cubin({190, 7, 124, 0x005a005a}, "k", kExit, {strings}));
  ASSERT_TRUE(code);
  EXPECT_EQ(code->stub_texts, std::vector<std::string>{text});
}

TEST(ReadCubin, NamesTheFieldThatIsWrong) {
  const std::string good = make_cubin({190, 7, 124, 0x00500050}, "k", kExit);
  std::string far_table = good;
  far_table.replace(40, 8, test::little(std::uint64_t{1} << 60));
  std::string many_sections = good;
  many_sections.replace(60, 2, test::little(std::uint16_t{0xFFF0}));
  test::Section long_note = test::tool_note("-arch sm_100a ");
  long_note.bytes.replace(4, 4, test::little(std::uint32_t{0x7FFFFFFF}));
  const struct {
    const char* name;
    std::string file;
    const char* message;
  } rows[] = {
      {"truncated header", good.substr(0, 40), "ELF header: truncated at 40 bytes"},
      {"table past the end", far_table, "section table: 320 bytes at offset 1152921504606846976 lie past the end"},
      {"too many sections", many_sections, "e_shnum: 65520 sections are more than the file can hold"},
      {"note contradicts", make_cubin({190, 8, 1, 0x06006402}, "k", kExit, {test::tool_note("-arch sm_90a ")}),
       ".note.nv.tkinfo: says sm_90a where e_flags says sm_100"},
      {"note past its section", make_cubin({190, 8, 1, 0x06006402}, "k", kExit, {long_note}), ".note.nv.tkinfo: "},
      {"host machine", make_elf({62, 0, 1, 0}, {}), "e_machine: 62 is not CUDA (190)"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto code = read(row.file);
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().message.substr(0, std::string(row.message).size()), row.message);
  }
}

TEST(ReadCubin, RefusesCodeThatIsListedTwice) {
  std::string file = make_cubin({190, 7, 124, 0x00500050}, "k", std::string(4096, '\0'),
                                {{".text.x", 1, 6, "", 0}, {".text.y", 1, 6, "", 0}});
  const auto table = Bytes(file).get<std::uint64_t>(40);
  for (const std::uint64_t index : {4, 5}) {
    file.replace(table + index * 64 + 24, 8, test::little(std::uint64_t{64}));
    file.replace(table + index * 64 + 32, 8, test::little(std::uint64_t{4096}));
  }
  const auto code = read(file);
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().message, "section 4: code sections overlap");
}

}  // namespace
}  // namespace crosswarp::smoke
