// SPDX-License-Identifier: Apache-2.0
#include "agent/worker/proof.hpp"

#include <gtest/gtest.h>

namespace crosswarp::worker {
namespace {

using Outcome = Judgement::Outcome;

Recipe triton() {
  Recipe recipe;
  recipe.library = "triton";
  recipe.axes["triton"] = {.kind = AxisKind::package, .package = "triton"};
  recipe.axes["setuptools"] = {.kind = AxisKind::package, .package = "setuptools"};
  recipe.axes["cuda"] = {.kind = AxisKind::toolkit};
  return recipe;
}

class Proofs : public testing::Test {
 protected:
  const Recipe recipe = triton();
  const Combination axes{{"triton", "3.2.0"}, {"setuptools", "none"}, {"cuda", "13.0"}, {"arch", "sm_90"}};
  const Claims claims{recipe, axes, "triton==3.2.0\nfilelock==3.1.0\n", "/crosswarp/store/envs/k"};
};

TEST_F(Proofs, LockPinsThePackageAxes) {
  EXPECT_EQ(judge_lock("# a comment\nTriton==3.2.0 \\\n    --hash=x\n", claims).outcome, Outcome::holds);
  const auto other = judge_lock("triton==3.1.0\n", claims);
  EXPECT_EQ(other.outcome, Outcome::contradicts);
  EXPECT_EQ(other.reason, "asked for triton==3.2.0, resolved 3.1.0");
  EXPECT_EQ(judge_lock("", claims).reason, "asked for triton==3.2.0, resolved without it");
}

TEST_F(Proofs, InstalledIsWhatWasLocked) {
  const std::string good = R"([{"name":"triton","version":"3.2.0+local"},{"name":"filelock","version":"3.1.0"}])";
  EXPECT_EQ(judge_installed(good, claims).outcome, Outcome::holds);
  EXPECT_EQ(judge_installed(R"([{"name":"triton","version":"3.2.0"}])", claims).reason,
            "the lock has filelock==3.1.0, installed without it");
  EXPECT_EQ(judge_installed(R"([{"name":"triton","version":"3.1.0"}])", claims).code, "wrong_version");
  EXPECT_EQ(judge_installed("rubbish", claims).outcome, Outcome::unusable);
  EXPECT_EQ(judge_installed(R"([{"name":3}])", claims).outcome, Outcome::unusable);
}

std::string loaded(const std::string& version, const std::string& file, const std::string& mapped) {
  return R"({"module":"triton","version":")" + version + R"(","file":")" + file +
         R"(","extensions":["/crosswarp/store/envs/k/lib/libtriton.so"],"mapped":[)" + mapped + "]}";
}

TEST_F(Proofs, LoadedComesFromTheEnvironmentWithItsNativePart) {
  const std::string file = "/crosswarp/store/envs/k/triton/__init__.py";
  const std::string native = R"("/crosswarp/store/envs/k/lib/libtriton.so","/usr/lib/x86_64-linux-gnu/libc.so.6")";
  EXPECT_EQ(judge_loaded(loaded("3.2.0", file, native), claims).outcome, Outcome::holds);
  EXPECT_EQ(judge_loaded(loaded("3.2.0", file, R"("/usr/lib/libc.so.6")"), claims).code, "hollow");
  EXPECT_EQ(judge_loaded(loaded("3.1.0", file, native), claims).code, "wrong_version");
  EXPECT_EQ(judge_loaded(loaded("3.2.0", "/usr/lib/python3/triton.py", native), claims).code, "shadowed");
  EXPECT_EQ(judge_loaded(loaded("3.2.0", file, native + R"(,"/opt/cuda/libcudart.so")"), claims).code, "shadowed");
  EXPECT_EQ(judge_loaded(R"({"version":"3.2.0"})", claims).outcome, Outcome::unusable);
}

TEST_F(Proofs, ToolkitPartsSayOneRelease) {
  EXPECT_EQ(judge_toolkit(R"({"nvcc":"13.0.88","cicc":"13.0.88","ptxas":"13.0.88","crt":"13.0.48"})", claims).outcome,
            Outcome::holds);
  const auto mixed = judge_toolkit(R"({"nvcc":"13.0.88","cicc":"13.5.1","ptxas":"13.0.88","crt":"13.0.48"})", claims);
  EXPECT_EQ(mixed.code, "toolkit_parts_disagree");
  EXPECT_EQ(judge_toolkit(R"({"nvcc":"13.0.88"})", claims).outcome, Outcome::unusable);
}

Proof code_proof(const std::string& arch, bool suffix_allowed) {
  return {.kind = Proof::Kind::code, .file = "m.cubin", .arch = arch, .suffix_allowed = suffix_allowed};
}

TEST_F(Proofs, CodeIsForExactlyTheArch) {
  const std::string report = R"({"codes":[{"kind":"cubin","arch":"sm_90a","kernels":[{"name":"k"}]}]})";
  EXPECT_EQ(judge_code(report, code_proof("${arch}", true), claims).outcome, Outcome::holds);
  EXPECT_EQ(judge_code(report, code_proof("${arch}", false), claims).code, "wrong_arch");
  EXPECT_EQ(judge_code(report, code_proof("sm_100", true), claims).code, "wrong_arch");
  EXPECT_EQ(judge_code(R"({"codes":[]})", code_proof("sm_90", true), claims).code, "no_device_code");
  EXPECT_EQ(judge_code("", code_proof("sm_90", true), claims).outcome, Outcome::unusable);
}

TEST_F(Proofs, AStubIsNoCode) {
  const std::string trap = R"({"codes":[{"arch":"sm_90","kernels":[{"name":"k","trap_only":true}]}]})";
  EXPECT_EQ(judge_code(trap, code_proof("sm_90", true), claims).code, "stub");
  const std::string text =
      R"({"codes":[{"arch":"sm_90","kernels":[{"name":"k"}],"stub_texts":["Arch conditional MMA"]}]})";
  EXPECT_EQ(judge_code(text, code_proof("sm_90", true), claims).code, "stub");
}

TEST_F(Proofs, AProductThatIsNotInTheCodeIsMissed) {
  const Proof proof{.kind = Proof::Kind::product, .file = "m.ptx", .matrix = 1, .fma = 1024};
  const auto report = [](const std::string& products) { return R"({"codes":[{"products":{)" + products + "}}]}"; };
  EXPECT_EQ(judge_product(report(R"("mma":0,"wgmma":2)"), proof).outcome, Outcome::holds);
  EXPECT_EQ(judge_product(report(R"("fma":1024)"), proof).outcome, Outcome::holds);
  const auto dropped = judge_product(report(R"("fma":12)"), proof);
  EXPECT_EQ(dropped.code, "product_missing");
  EXPECT_EQ(
      dropped.reason,
      "compiled, but the product is not in m.ptx: 0 matrix instructions (1 wanted) and 12 multiply-adds (or 1024)");
}

TEST(WithAxes, PutsValuesInPlace) {
  EXPECT_EQ(with_axes("${arch}-${cuda}.o", {{"arch", "sm_90"}}), "sm_90-none.o");
  EXPECT_EQ(with_axes("${arch", {{"arch", "sm_90"}}), "${arch");
}

}  // namespace
}  // namespace crosswarp::worker
