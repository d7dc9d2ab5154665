// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/diagnosis.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace crosswarp {
namespace {

/// What is expected of a log; the logs are as the tools print them, with their folders renamed.
struct Row {
  const char* name;
  std::string log;
  const char* code;
  const char* reason;
  const char* remedy = "";
  bool our_fault = false;
};

template <std::size_t N>
void expect(const Row (&rows)[N], int exit_code, int signal = 0, bool network = true) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const UnitTrace trace{.exit_code = exit_code, .signal = signal, .network = network, .log = row.log};
    const Diagnosis found = diagnose(trace);
    EXPECT_EQ(found.code, row.code);
    EXPECT_EQ(found.reason, row.reason);
    EXPECT_EQ(found.remedy, row.remedy);
    EXPECT_EQ(found.our_fault, row.our_fault);
  }
}

TEST(Diagnose, NamesTheLimitThatWasHit) {
  const UnitTrace memory{
      .exit_code = 137, .signal = 9, .stopped = Stopped::memory_limit, .limit = "2 GiB", .log = "LLVM ERROR: x\n"};
  EXPECT_EQ(diagnose(memory).code, "memory_limit");
  EXPECT_EQ(diagnose(memory).reason, "killed at its memory limit of 2 GiB");
  EXPECT_FALSE(diagnose(memory).our_fault);
  EXPECT_EQ(diagnose({.stopped = Stopped::time_limit, .limit = "120 s"}).reason, "stopped at its time limit of 120 s");
  EXPECT_EQ(diagnose({.stopped = Stopped::process_limit, .limit = "128 processes"}).reason,
            "stopped at its limit of 128 processes");
  EXPECT_TRUE(diagnose({.stopped = Stopped::cancelled}).our_fault);
}

TEST(Diagnose, ReadsTheResolver) {
  const std::string head = "Using Python 3.11.7 environment at: v\nerror: No solution found when resolving dependencies\n";
  const Row rows[] = {
      {"no such version",
       head + "  cause: Because there is no version of six==99.0 and you require six==99.0, we can conclude that your "
              "requirements are unsatisfiable.\n",
       "unsatisfiable",
       "Because there is no version of six==99.0 and you require six==99.0, we can conclude that your requirements are "
       "unsatisfiable."},
      {"no wheel for this Python",
       head + "  cause: Because triton==2.0.0 has no wheels with a matching Python ABI tag (e.g., `cp313`) and you "
              "require triton==2.0.0, we can conclude that your requirements are unsatisfiable.\n\nhint: You require "
              "CPython 3.13 (`cp313`), but we only found wheels for `triton` (v2.0.0) with the following Python ABI "
              "tags: `cp36m`\n",
       "no_wheel_library",
       "Because triton==2.0.0 has no wheels with a matching Python ABI tag (e.g., `cp313`) and you require "
       "triton==2.0.0, we can conclude that your requirements are unsatisfiable."},
      {"no wheel of a framework for this platform",
       head + "  cause: Because torch==2.4.0 has no wheels with a matching platform tag (e.g., `win_amd64`) and you "
              "require torch==2.4.0, we can conclude that your requirements are unsatisfiable.\n",
       "no_wheel_framework",
       "Because torch==2.4.0 has no wheels with a matching platform tag (e.g., `win_amd64`) and you require "
       "torch==2.4.0, we can conclude that your requirements are unsatisfiable."},
      {"only a source distribution",
       head + "  cause: Because flash-attn==2.8.3 has no usable wheels and you require flash-attn==2.8.3, we can "
              "conclude that your requirements are unsatisfiable.\n\nhint: Wheels are required for `flash-attn` because "
              "building from source is disabled for all packages (i.e., with `--no-build`)\n",
       "build_needed",
       "Because flash-attn==2.8.3 has no usable wheels and you require flash-attn==2.8.3, we can conclude that your "
       "requirements are unsatisfiable.",
       "uv pip install --no-binary flash-attn 'flash-attn==2.8.3'"},
      {"a conflict, after a failed download that did not matter",
       "warning: A managed Python download is available for Python 3.12, but an error occurred when attempting to "
       "download it.\n  cause: Request failed after 3 retries in 8.3s\n  cause: dns error\nerror: No solution found "
       "when resolving dependencies\n  cause: Because requests==2.32.0 depends on urllib3>=1.21.1,<3 and you require "
       "requests==2.32.0, we can conclude that you require urllib3>=1.21.1,<3.\n         And because you require "
       "urllib3==1.20, we can conclude that your requirements are unsatisfiable.\n",
       "unsatisfiable",
       "Because requests==2.32.0 depends on urllib3>=1.21.1,<3 and you require requests==2.32.0, we can conclude that "
       "you require urllib3>=1.21.1,<3. And because you require urllib3==1.20, we can conclude that your requirements "
       "are unsatisfiable."},
      {"an older uv, in colours",
       "  \x1b[31m\xC3\x97\x1b[0m No solution found when resolving dependencies:\n  \x1b[31m\xE2\x95\xB0\xE2\x94\x80"
       "\xE2\x96\xB6\x1b[0m Because there is no version of six==99.0 and you require\n      six==99.0, we can conclude "
       "that your requirements are unsatisfiable.\n",
       "unsatisfiable",
       "Because there is no version of six==99.0 and you require six==99.0, we can conclude that your requirements are "
       "unsatisfiable."},
      {"an index without credentials",
       head + "  cause: Because six was not found in the package registry and you require six, we can conclude that "
              "your requirements are unsatisfiable.\n\nhint: An index URL (http://index.example/simple) could not be "
              "queried due to a lack of valid authentication credentials (401 Unauthorized)\n",
       "network",
       "Because six was not found in the package registry and you require six, we can conclude that your requirements "
       "are unsatisfiable. hint: An index URL (http://index.example/simple) could not be queried due to a lack of valid "
       "authentication credentials (401 Unauthorized)",
       "", true},
      {"pip knows no such version",
       "Looking in indexes: http://index.example/simple\nERROR: Could not find a version that satisfies the requirement "
       "six==99.0 (from versions: 1.16.0, 1.17.0)\nERROR: No matching distribution found for six==99.0\n",
       "unsatisfiable",
       "ERROR: Could not find a version that satisfies the requirement six==99.0 (from versions: 1.16.0, 1.17.0)"},
  };
  expect(rows, 1);
}

TEST(Diagnose, BlamesUsForANetworkThatAStageMayUse) {
  const Row rows[] = {
      {"refused",
       "error: Request failed after 3 retries in 7.8s\n  cause: Failed to fetch: http://index.example/simple/six/\n"
       "  cause: error sending request for url (http://index.example/simple/six/)\n  cause: client error (Connect)\n"
       "  cause: tcp connect error\n  cause: Connection refused (os error 111)\n",
       "network", "error: Request failed after 3 retries in 7.8s: Connection refused (os error 111)", "", true},
      {"server in trouble",
       "error: Failed to fetch: http://index.example/simple/six/\n  cause: HTTP status server error (503 Service "
       "Unavailable) for url (http://index.example/simple/six/)\n",
       "network",
       "error: Failed to fetch: http://index.example/simple/six/: HTTP status server error (503 Service Unavailable) for "
       "url (http://index.example/simple/six/)",
       "", true},
      {"pip reaches no index",
       "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)': /simple/six/\nERROR: "
       "Could not find a version that satisfies the requirement six (from versions: none)\n",
       "network",
       "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)': /simple/six/", "",
       true},
      {"Python cannot resolve a name",
       "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nsocket.gaierror: [Errno -2] Name or "
       "service not known\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most "
       "recent call last):\n  File \"x.py\", line 3, in <module>\nurllib.error.URLError: <urlopen error>\n",
       "network", "socket.gaierror: [Errno -2] Name or service not known", "", true},
  };
  expect(rows, 2);
  const Diagnosis offline = diagnose({.exit_code = 1, .network = false, .log = rows[3].log});
  EXPECT_FALSE(offline.our_fault);
  EXPECT_EQ(offline.reason,
            "fetches in a stage without network: socket.gaierror: [Errno -2] Name or service not known");
}

TEST(Diagnose, TakesTheFirstOfChainedExceptions) {
  const Row rows[] = {
      {"module missing below two wrappers",
       "Traceback (most recent call last):\n  File \"/t.py\", line 3, in f\n    import nosuchmod.sub\n"
       "ModuleNotFoundError: No module named 'nosuchmod'\n\nThe above exception was the direct cause of the following "
       "exception:\n\nTraceback (most recent call last):\n  File \"/t.py\", line 7, in <module>\n    f()\n"
       "RuntimeError: the extension could not be loaded\n\nDuring handling of the above exception, another exception "
       "occurred:\n\nTraceback (most recent call last):\n  File \"/t.py\", line 9, in <module>\n    raise "
       "ValueError(\"late\")\nValueError: late\n",
       "module_missing", "ModuleNotFoundError: No module named 'nosuchmod'", "uv pip install nosuchmod"},
      {"a module whose package has another name",
       "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nModuleNotFoundError: No module "
       "named 'yaml.nodes'\n",
       "module_missing", "ModuleNotFoundError: No module named 'yaml.nodes'", "uv pip install pyyaml"},
      {"a shared object",
       "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nOSError: libnosuch.so.1: cannot "
       "open shared object file: No such file or directory\n",
       "library_missing", "OSError: libnosuch.so.1: cannot open shared object file: No such file or directory"},
      {"glibc",
       "ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /env/a.so)\n",
       "glibc_too_old",
       "ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /env/a.so)"},
      {"libstdc++",
       "ImportError: /lib/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by /env/a.so)\n",
       "libstdcxx_too_old", "ImportError: /lib/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by /env/a.so)"},
      {"undefined symbol", "ImportError: /env/flash.so: undefined symbol: _ZN3c105ErrorC2E\n", "symbol_missing",
       "ImportError: /env/flash.so: undefined symbol: _ZN3c105ErrorC2E"},
      {"a build behind uv, indented",
       "error: Failed to build `flash-attn==2.8.3`\n  cause: The build backend returned an error\n\n         [stderr]\n"
       "         Traceback (most recent call last):\n           File \"<string>\", line 14, in <module>\n"
       "             raise ImportError(\"no\")\n         ModuleNotFoundError: No module named 'torch'\n",
       "module_missing", "ModuleNotFoundError: No module named 'torch'", "uv pip install torch"},
      {"an exception with a name of its own",
       "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\n"
       "triton.runtime.errors.OutOfResources: out of resource: shared memory\n",
       "exception", "triton.runtime.errors.OutOfResources: out of resource: shared memory"},
      {"a syntax error", "  File \"<string>\", line 1\n    x = [\n        ^\nSyntaxError: '[' was never closed\n",
       "exception", "SyntaxError: '[' was never closed"},
      {"Triton names the place first",
       "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n"
       "triton.compiler.errors.CompilationError: at 3:11:\ndef kernel(x):\n    y = nosuch(x)\n        ^\n"
       "NameError('nosuch is not defined')\n",
       "compiler_error", "triton.compiler.errors.CompilationError: at 3:11: NameError('nosuch is not defined')"},
  };
  expect(rows, 1);
}

TEST(Diagnose, TakesTheFirstErrorOfACompiler) {
  const Row rows[] = {
      {"nvcc's front end",
       "e.cu(1): error: identifier \"b\" is undefined\n\ne.cu(1): error: identifier \"undefined_fn\" is undefined\n\n"
       "2 errors detected in the compilation of \"e.cu\".\n",
       "compiler_error", "e.cu(1): error: identifier \"b\" is undefined"},
      {"header", "h.cu:1:10: fatal error: nosuch/x.h: No such file or directory\ncompilation terminated.\n",
       "header_missing", "h.cu:1:10: fatal error: nosuch/x.h: No such file or directory"},
      {"header, clang", "a2.cpp:1:10: fatal error: 'nosuch.h' file not found\n1 error generated.\n", "header_missing",
       "a2.cpp:1:10: fatal error: 'nosuch.h' file not found"},
      {"Python's header", "a.c:1:10: fatal error: Python.h: No such file or directory\n", "header_missing",
       "a.c:1:10: fatal error: Python.h: No such file or directory", "apt install python3-dev"},
      {"ptxas",
       "ptxas /tmp/p2.ptx, line 23; error   : Instruction 'tcgen05.wait' not supported on .target 'sm_90'\nptxas fatal   "
       ": Ptx assembly aborted due to errors\n",
       "ptxas_error",
       "ptxas /tmp/p2.ptx, line 23; error : Instruction 'tcgen05.wait' not supported on .target 'sm_90'"},
      {"arch", "nvcc fatal   : Unsupported gpu architecture 'sm_70'\n", "arch_unsupported",
       "nvcc fatal : Unsupported gpu architecture 'sm_70'", "nvcc --list-gpu-code"},
      {"option", "nvcc fatal   : Unknown option '--nosuchflag'\n", "compiler_error",
       "nvcc fatal : Unknown option '--nosuchflag'"},
      {"host compiler",
       "In file included from /cuda/include/cuda_runtime.h:82,\n                 from <command-line>:\n"
       "/cuda/include/crt/host_config.h:137:2: error: #error -- unsupported GNU version! gcc versions later than 11 are "
       "not supported! The nvcc flag '-allow-unsupported-compiler' can be used\n",
       "host_compiler_unsupported",
       "/cuda/include/crt/host_config.h:137:2: error: #error -- unsupported GNU version! gcc versions later than 11 are "
       "not supported! The nvcc flag '-allow-unsupported-compiler' can be used",
       "nvcc -ccbin g++-11"},
      {"g++, before what ninja and Python say of it",
       "[1/2] g++ -c a.cpp\nFAILED: a.o \na.cpp: In function \xE2\x80\x98int main()\xE2\x80\x99:\na.cpp:1:24: error: "
       "expected primary-expression\nninja: build stopped: subcommand failed.\nTraceback (most recent call last):\n  File "
       "\"setup.py\", line 1, in <module>\nsubprocess.CalledProcessError: Command '['ninja']' returned non-zero exit "
       "status 1.\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call "
       "last):\n  File \"setup.py\", line 2, in <module>\nRuntimeError: Error compiling objects for extension\n",
       "compiler_error", "a.cpp:1:24: error: expected primary-expression"},
      {"linker",
       "/usr/bin/ld: /tmp/l.o: in function `main':\nl.cpp:(.text+0x5): undefined reference to `f()'\ncollect2: error: ld "
       "returned 1 exit status\n",
       "link_error", "l.cpp:(.text+0x5): undefined reference to `f()'"},
      {"killed compiler", "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n",
       "killed", "g++: fatal error: Killed signal terminated program cc1plus", "", true},
      {"dead part of nvcc", "nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)\n",
       "compiler_crash", "nvcc error : 'cicc' died due to signal 11 (Invalid memory reference)"},
      {"Triton's ptxas, wrapped in Python",
       "Traceback (most recent call last):\n  File \"compiler.py\", line 356, in make_cubin\n"
       "subprocess.CalledProcessError: Command '['ptxas']' returned non-zero exit status 255.\n\nDuring handling of the "
       "above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"compile.py\", line "
       "62, in <module>\nRuntimeError: Internal Triton PTX codegen error\n`ptxas` stderr:\nptxas fatal   : Value 'sm_100' "
       "is not defined for option 'gpu-name'\n\nRepro command: ptxas -v\n",
       "arch_unsupported", "ptxas fatal : Value 'sm_100' is not defined for option 'gpu-name'"},
  };
  expect(rows, 1);
}

std::string module_dump() {
  std::string dump = "#blocked = #ttg.blocked<{sizePerThread = [4, 4]}>\nmodule attributes {\"ttg.num-ctas\" = 1 : i32} {\n";
  for (int line = 0; line < 20000; ++line) dump += "    %" + std::to_string(line) + " = arith.addi %6, %2 : tensor<64xi32>\n";
  return dump + "}\n/k.py:13:0: error: Failures have been detected while processing an MLIR pass pipeline\n"
                "/k.py:13:0: note: Pipeline failed while executing [`ConvertTritonGPUToLLVM`]\n"
                "Traceback (most recent call last):\n  File \"compile.py\", line 72, in <module>\n    pm.run(mod)\n"
                "RuntimeError: PassManager::run failed\n";
}

TEST(Diagnose, FindsWhatPrecedesADumpOfTheModule) {
  const Row rows[] = {
      {"conversion",
       "Unsupported conversion from f16 to f16\nLLVM ERROR: Unsupported rounding mode for conversion.\n" + module_dump(),
       "compiler_error",
       "Unsupported conversion from f16 to f16; LLVM ERROR: Unsupported rounding mode for conversion."},
      {"assertion that did not abort",
       "python: /project/lib/AccelerateMatmul.cpp:42: int mlir::triton::gpu::(anonymous namespace)::getMMAVersionSafe("
       "int, DotOp): Assertion `false && \"computeCapability not supported\"' failed.\n" + module_dump(),
       "compiler_crash",
       "/project/lib/AccelerateMatmul.cpp:42: Assertion `false && \"computeCapability not supported\"' failed."},
      {"a line of no known kind", "shared memory layout is not understood\n" + module_dump(), "compiler_error",
       "shared memory layout is not understood"},
  };
  expect(rows, 1);
}

TEST(Diagnose, FindsTheMessageBehindASignal) {
  const Row rows[] = {
      {"assertion",
       "python: /project/lib/AccelerateMatmul.cpp:30: int mlir::triton::gpu::{anonymous}::getMMAVersionSafe(int, "
       "mlir::triton::DotOp): Assertion `false && \"computeCapability not supported\"' failed.\nAborted\n",
       "compiler_crash",
       "/project/lib/AccelerateMatmul.cpp:30: Assertion `false && \"computeCapability not supported\"' failed."},
      {"LLVM", "LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.shfl.sync.bfly.i32\n", "compiler_crash",
       "LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.shfl.sync.bfly.i32"},
      {"nothing but an exception that was caught", "Traceback (most recent call last):\n  File \"a\", line 1\nKeyError: 1\n",
       "crash", "ended by SIGABRT without a message"},
  };
  expect(rows, 134);
  expect(rows, 0, 6);
  EXPECT_EQ(diagnose({.exit_code = 139, .log = "Segmentation fault\n"}).reason, "ended by SIGSEGV without a message");
  const Diagnosis killed = diagnose({.signal = 9, .log = ""});
  EXPECT_EQ(killed.code, "killed");
  EXPECT_TRUE(killed.our_fault);
}

TEST(Diagnose, NamesWhatIsNoFaultOfTheLibrary) {
  const Row rows[] = {
      {"disk full, whatever came before",
       "a.cu(1): error: cannot write\ncat: write error: No space left on device\n", "disk_full",
       "cat: write error: No space left on device", "", true},
      {"unset variable of a recipe", "sh: 3: CROSSWARP_X: parameter not set\n", "recipe_error",
       "sh: 3: CROSSWARP_X: parameter not set", "", true},
  };
  expect(rows, 2);
  const Diagnosis environment = diagnose({.exit_code = 75, .log = "fetching\nthe mirror is away\n\n"});
  EXPECT_TRUE(environment.our_fault);
  EXPECT_EQ(environment.code, "environment");
  EXPECT_EQ(environment.reason, "the mirror is away");
  EXPECT_EQ(environment.offset, 9u);
}

TEST(Diagnose, NamesAMissingCommand) {
  const Row rows[] = {{"dash", "sh: 1: nosuchcmd: not found\n", "command_missing", "sh: 1: nosuchcmd: not found"},
                      {"bash", "bash: line 1: nosuchcmd: command not found\n", "command_missing",
                       "bash: line 1: nosuchcmd: command not found"}};
  expect(rows, 127);
}

TEST(Diagnose, FallsBackToTheLastLine) {
  const Row rows[] = {{"last line", "hello\nthe kernel answered 41\n\n", "unknown", "the kernel answered 41"},
                      {"no line", "", "unknown", "exit code 3 and nothing in its log"}};
  expect(rows, 3);
}

TEST(Diagnose, PointsAtTheEvidence) {
  const std::string log = "compiling\r 50%\r100%\n\x1b[1ma.cpp:1:2: error: no\x1b[0m\n";
  const Diagnosis found = diagnose({.exit_code = 1, .log = log});
  EXPECT_EQ(found.reason, "a.cpp:1:2: error: no");
  ASSERT_TRUE(found.offset);
  EXPECT_EQ(log.substr(*found.offset, 5), "\x1b[1ma");
}

TEST(Diagnose, ReadsAHostileLogInLinearTime) {
  std::string log(std::size_t{4} << 20, '(');
  for (int line = 0; line < 100000; ++line) log += std::string_view("error \xFF\0:1: Assertion\n", 22);
  const auto begin = std::chrono::steady_clock::now();
  const Diagnosis found = diagnose({.exit_code = 1, .log = log});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(found.code, "unknown");
  EXPECT_EQ(found.reason, "error \xEF\xBF\xBD :1: Assertion");
}

}  // namespace
}  // namespace crosswarp
