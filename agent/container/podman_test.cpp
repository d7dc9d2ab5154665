// SPDX-License-Identifier: Apache-2.0
// What only a container holds: jobs that try to get out of theirs.
#include "agent/container/container_fixture.hpp"

namespace crosswarp::container {
namespace {

class Podman : public ContainerTest {
 protected:
  void SetUp() override { select("podman"); }

  /// The output of `script` in a container of its own.
  std::string tried(const std::string& script) { return tried(script, spec()); }
  std::string tried(const std::string& script, const ContainerSpec& wanted) {
    const auto container = start(wanted);
    std::string output = container ? run(*container, script).output : std::string();
    if (container) close(*container);
    return output;
  }
};

TEST_F(Podman, SaysWhatItIsAndEnforces) {
  EXPECT_TRUE(runtime_->name().starts_with("podman ")) << runtime_->name();
  EXPECT_TRUE(runtime_->sandboxed());
  if (geteuid() == 0) {
    EXPECT_TRUE(runtime_->unenforced().empty());
  }
}

TEST_F(Podman, AJobHasNoCapabilityAndCannotGainOne) {
  const std::string status = tried("grep -E 'Cap|NoNewPrivs' /proc/self/status");
  EXPECT_NE(status.find("CapEff:\t0000000000000000"), std::string::npos) << status;
  EXPECT_NE(status.find("CapBnd:\t0000000000000000"), std::string::npos) << status;
  EXPECT_NE(status.find("NoNewPrivs:\t1"), std::string::npos) << status;
}

TEST_F(Podman, AJobWithoutNetworkSeesNoDeviceButLoopback) {
  EXPECT_EQ(tried("ls /sys/class/net; tail -n +2 /proc/net/route"), "lo\n");
}

TEST_F(Podman, AJobWithNetworkSeesTheHosts) {
  ContainerSpec wanted = spec();
  wanted.network = true;
  int devices = 0;
  for ([[maybe_unused]] const auto& device : std::filesystem::directory_iterator("/sys/class/net")) ++devices;
  EXPECT_EQ(tried("grep -c : /proc/net/dev", wanted), std::to_string(devices) + '\n');
}

TEST_F(Podman, AJobCannotWriteOutsideItsFolders) {
  for (const char* folder : {"/", "/usr", "/etc", "/usr/bin", "/root", "/var", "/run", "/sys", "/usr/local"}) {
    SCOPED_TRACE(folder);
    const std::string file = std::string(folder) + "/crosswarp-test-" + unique();
    EXPECT_EQ(tried("if touch " + file + " 2>/dev/null; then echo written; else echo refused; fi"), "refused\n");
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

TEST_F(Podman, AJobCannotReadPasswordFilesOrHomes) {
  const std::string hidden = tried("cat /etc/shadow /etc/gshadow 2>/dev/null; "
                                   "ls -A /root /home/* /usr/local 2>/dev/null | grep '[a-z]' | grep -v :");
  EXPECT_EQ(hidden, "");
  EXPECT_NE(tried("head -n 1 /etc/passwd; ls /var/lib/dpkg").find("status"), std::string::npos);
}

TEST_F(Podman, AJobCannotReadTheStateFolderOrATokenFile) {
  std::ofstream(state_.path() / "token") << "cw_agent_secret";
  const std::filesystem::path settings = "/etc/crosswarp-test-" + unique();
  std::ofstream(settings) << "cw_agent_secret";
  std::filesystem::permissions(settings, std::filesystem::perms::owner_read);
  const std::string files = (state_.path() / "token").string() + ' ' + settings.string();
  const std::string seen = tried("cat " + files + " /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'");
  std::filesystem::remove(settings);
  EXPECT_EQ(seen.find("secret"), std::string::npos) << seen;
}

TEST_F(Podman, AJobSeesItsMountsAndOnlyThoseItMayIsWritable) {
  TemporaryFolder work;
  TemporaryFolder recipe;
  std::ofstream(recipe.path() / "a.txt") << "adapter";
  ContainerSpec wanted = spec();
  wanted.mounts = {{work.path(), "/crosswarp/work", false}, {recipe.path(), "/crosswarp/recipe", true}};
  const auto container = start(wanted);
  EXPECT_EQ(container->inside(work.path() / "out/x"), "/crosswarp/work/out/x");
  EXPECT_EQ(container->inside(recipe.path()), "/crosswarp/recipe");
  EXPECT_EQ(container->inside("/usr/bin/python3"), "/usr/bin/python3");
  const std::string script =
      "cat /crosswarp/recipe/a.txt; echo made > /crosswarp/work/b.txt; "
      "echo no > /crosswarp/recipe/a.txt || echo refused";
  EXPECT_NE(run(*container, script).output.find("refused"), std::string::npos);
  std::string made;
  std::ifstream(work.path() / "b.txt") >> made;
  EXPECT_EQ(made, "made");
  std::string adapter;
  std::ifstream(recipe.path() / "a.txt") >> adapter;
  EXPECT_EQ(adapter, "adapter");
}

TEST_F(Podman, AMountBelowAHiddenFolderIsSeenWithoutItsNeighbours) {
  TemporaryFolder tool;
  std::ofstream(tool.path() / "nvcc") << "tool";
  ContainerSpec wanted = spec();
  wanted.mounts = {{tool.path(), "/usr/local/cuda-99.0", true}};
  EXPECT_EQ(tried("ls /usr/local; cat /usr/local/cuda-99.0/nvcc", wanted), "cuda-99.0\ntool");
}

TEST_F(Podman, HidesWhatItIsToldTo) {
  ContainerSpec wanted = spec();
  wanted.hidden = {"/usr/include", "/etc/passwd", "/no/such/path"};
  EXPECT_EQ(tried("ls -A /usr/include; cat /etc/passwd; echo end", wanted), "end\n");
}

TEST_F(Podman, AJobCannotTouchItsRunner) {
  const std::string seen = tried(
      "kill -KILL 1; kill -STOP 1; for f in 0 1 2 3 4; do echo '{\"event\":\"none\"}' > /proc/1/fd/$f && echo forged; "
      "done 2>/dev/null; readlink /proc/1/fd/4; head -c 1 /proc/1/mem; echo end 2>/dev/null");
  EXPECT_EQ(seen.find("forged"), std::string::npos) << seen;
  EXPECT_EQ(seen.find("pipe"), std::string::npos) << seen;
  EXPECT_TRUE(seen.ends_with("/proc/1/mem' for reading: Permission denied\nend\n")) << seen;
  EXPECT_EQ(tried("ls -l /proc/self/fd | grep -c pipe"), "2\n");
}

TEST_F(Podman, AForkBombHitsItsLimit) {
  ContainerSpec wanted = spec();
  const auto container = start(wanted);
  Command command = shell("bomb() { bomb | bomb & }; bomb; sleep 20");
  command.processes = 100;
  EXPECT_EQ(run(*container, command).exit.stopped, Stopped::process_limit);
  EXPECT_EQ(run(*container, "echo still here").output, "still here\n");
}

TEST_F(Podman, NamesAndPathsThatWouldBeOptionsAreRefused) {
  for (const char* name : {"", "--privileged", "a b", "a\nb", "../x"}) {
    SCOPED_TRACE(name);
    ContainerSpec wanted = spec();
    wanted.name = name;
    const auto started = complete(context_, runtime_->start(wanted));
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, ErrorCode::invalid_argument);
  }
  ContainerSpec wanted = spec();
  wanted.mounts = {{"/tmp/a,destination=/etc", "/x", false}};
  EXPECT_FALSE(complete(context_, runtime_->start(wanted)));
}

TEST_F(Podman, AMountThatIsNotThereIsTheEnginesWords) {
  ContainerSpec wanted = spec();
  wanted.mounts = {{"/no/such/folder", "/x", true}};
  const auto started = complete(context_, runtime_->start(wanted));
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::unavailable);
  EXPECT_NE(started.error().message.find("/no/such/folder"), std::string::npos) << started.error().message;
}

TEST_F(Podman, TheSweepRemovesWhatADeadAgentLeftAndNothingElse) {
  auto ours = start(spec());
  const std::string name = "crosswarp-test-left-" + unique();
  const std::string make = "podman --events-backend=none create --name " + name + " --label crosswarp.state=" +
                           state_.path().string() + " --label crosswarp.instance=dead --rootfs / /bin/true >/dev/null";
  ASSERT_EQ(std::system(make.c_str()), 0);
  const auto swept = complete(context_, runtime_->sweep());
  ASSERT_TRUE(swept) << swept.error().message;
  EXPECT_EQ(*swept, 1);
  EXPECT_EQ(WEXITSTATUS(std::system(("podman container exists " + name).c_str())), 1);
  EXPECT_EQ(run(*ours, "echo lives").output, "lives\n");
}

TEST_F(Podman, AClosedContainerIsGone) {
  const ContainerSpec wanted = spec();
  const auto container = start(wanted);
  EXPECT_EQ(std::system(("podman container exists " + wanted.name).c_str()), 0);
  close(*container);
  EXPECT_EQ(WEXITSTATUS(std::system(("podman container exists " + wanted.name).c_str())), 1);
}

TEST(SelectRuntime, SaysWhatIsWrongWithWhatWasAskedFor) {
  asio::io_context context;
  const auto unknown = complete(context, select_runtime({"lxc", CROSSWARP_RUNNER, "/tmp", "test"}));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "engine \"lxc\": expected auto, podman, docker or process");
  const auto missing = complete(context, select_runtime({"process", "/no/runner", "/tmp", "test"}));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  const auto process = complete(context, select_runtime({"process", CROSSWARP_RUNNER, "/tmp", "test"}));
  ASSERT_TRUE(process);
  EXPECT_FALSE(process->runtime->sandboxed());
  EXPECT_EQ(process->runtime->name(), "process");
}

}  // namespace
}  // namespace crosswarp::container
