// SPDX-License-Identifier: Apache-2.0
#include "agent/probe/probe.hpp"

#include "agent/container/test_support.hpp"
#include "agent/probe/found.hpp"
#include "agent/probe/nvml.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace crosswarp::probe {
namespace {

using container::complete;
using container::TemporaryFolder;
namespace fs = std::filesystem;

bool offered(const Probe& probe, const std::string& offer) {
  return std::find(probe.offers.begin(), probe.offers.end(), offer) != probe.offers.end();
}

void write_program(const fs::path& path, const std::string& script) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n" << script << '\n';
  fs::permissions(path, fs::perms::owner_all);
}

TEST(AskNvml, ReadsDriverAndDevicesOfAFakeLibrary) {
  const Nvml nvml = ask_nvml(CROSSWARP_FAKE_NVML);
  EXPECT_EQ(nvml.driver, "999.12.03");
  EXPECT_EQ(nvml.cuda, 99010);
  ASSERT_EQ(nvml.devices.size(), 2u);
  EXPECT_EQ(nvml.devices[0].arch, "sm_90");
  EXPECT_EQ(nvml.devices[1].arch, "sm_121");
  EXPECT_EQ(nvml.devices[1].name, "Fake device 1");
  EXPECT_EQ(nvml.devices[1].uuid, "GPU-fake-1");
  EXPECT_EQ(nvml.devices[0].memory_bytes, std::uint64_t{1} << 36);
  EXPECT_EQ(nvml.problem, "device 2: GPU is lost");
}

TEST(AskNvml, ALibraryThatIsNotThereIsNoDriverAndSaysSo) {
  const Nvml nvml = ask_nvml("libno-such-driver.so.1");
  EXPECT_EQ(nvml.driver, "");
  EXPECT_TRUE(nvml.devices.empty());
  EXPECT_NE(nvml.problem.find("libno-such-driver.so.1"), std::string::npos) << nvml.problem;
}

TEST(AskNvml, ALibraryOfSomethingElseIsNoDriver) {
  EXPECT_EQ(ask_nvml("libc.so.6").problem, "nvmlInit_v2: not in the library");
}

TEST(NvccVersion, IsTheFullOneOfTheReleaseLine) {
  const std::string text = "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 13.0, V13.0.88\nB";
  EXPECT_EQ(nvcc_version(text), "13.0.88");
  EXPECT_EQ(nvcc_version("nvcc fatal: nothing"), std::nullopt);
  EXPECT_EQ(nvcc_version("release 1, Vx"), std::nullopt);
}

TEST(Leading, TakesTheFirstNumbers) {
  EXPECT_EQ(leading("580.126.09", 1), "580");
  EXPECT_EQ(leading("580.126.09", 2), "580.126");
  EXPECT_EQ(leading("580.126.09", 3), "580.126.09");
  EXPECT_EQ(leading("12", 2), "12");
  EXPECT_EQ(leading("6.18.44-fc", 2), "6.18");
}

TEST(FindToolkits, BelievesOnlyWhatAnNvccSaysItself) {
  TemporaryFolder folder;
  const std::string release = "echo 'Cuda compilation tools, release 12.4, V12.4.131'";
  write_program(folder.path() / "good/bin/nvcc", release);
  write_program(folder.path() / "good/nvvm/bin/cicc", "true");
  fs::create_directory_symlink(folder.path() / "good", folder.path() / "link");
  write_program(folder.path() / "wrapper/bin/nvcc", release);
  fs::create_directory_symlink(folder.path() / "good/nvvm", folder.path() / "wrapper/nvvm");
  write_program(folder.path() / "no-compiler/bin/nvcc", release);
  write_program(folder.path() / "failing/bin/nvcc", release + "; exit 1");
  write_program(folder.path() / "failing/nvvm/bin/cicc", "true");
  fs::create_directories(folder.path() / "cuda-11.0");
  asio::io_context context;
  std::vector<fs::path> folders;
  for (const char* name : {"link", "good", "wrapper", "no-compiler", "failing", "cuda-11.0", "absent"}) {
    folders.push_back(folder.path() / name);
  }
  const auto found = complete(context, find_toolkits(std::move(folders)));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].version, "12.4.131");
  EXPECT_EQ(found[0].path, fs::canonical(folder.path() / "good"));
}

TEST(FindInterpreters, BelievesOnlyWhatAnInterpreterSaysItself) {
  TemporaryFolder folder;
  write_program(folder.path() / "python3.98", "echo 3.98.1");
  write_program(folder.path() / "python3.97", "exit 1");
  write_program(folder.path() / "python3.96", "echo nonsense");
  write_program(folder.path() / "python3.98-config", "echo 3.98.1");
  fs::create_symlink(folder.path() / "python3.98", folder.path() / "python3.99");
  asio::io_context context;
  const auto found = complete(context, find_interpreters({folder.path()}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].version, "3.98.1");
}

TEST(ProbeHost, OffersWhatThisMachineHas) {
  asio::io_context context;
  const Probe probe = complete(context, probe_host({.nvml = CROSSWARP_FAKE_NVML, .engine = "none"}));
  EXPECT_TRUE(std::is_sorted(probe.offers.begin(), probe.offers.end()));
  for (const char* offer : {"driver=999", "driver=999.12", "driver=999.12.03", "device=sm_90", "device=sm_121"}) {
    EXPECT_TRUE(offered(probe, offer)) << offer;
  }
  RecordProperty("facts", boost::json::serialize(probe.facts));
  EXPECT_GT(probe.memory_bytes, std::uint64_t{1} << 28);
  EXPECT_GE(probe.cores, 1);
  for (const auto& [release, path] : probe.interpreters) {
    EXPECT_TRUE(offered(probe, "python=" + release));
    EXPECT_TRUE(fs::exists(path));
  }
  for (const auto& [version, path] : probe.toolkits) {
    EXPECT_TRUE(offered(probe, "toolkit=" + version));
    EXPECT_EQ(path, fs::canonical(path));
    EXPECT_TRUE(fs::exists(path / "bin/nvcc"));
  }
  EXPECT_TRUE(probe.facts.contains("glibc"));
  EXPECT_EQ(probe.facts.at("devices").as_array().size(), 2u);
}

TEST(ProbeHost, WithoutADriverOffersNoDevice) {
  asio::io_context context;
  const Probe probe = complete(context, probe_host({.nvml = "libno-such-driver.so.1"}));
  for (const std::string& offer : probe.offers) {
    EXPECT_FALSE(offer.starts_with("driver=") || offer.starts_with("device=")) << offer;
  }
  EXPECT_TRUE(probe.facts.at("driver").as_object().contains("problem"));
}

}  // namespace
}  // namespace crosswarp::probe
