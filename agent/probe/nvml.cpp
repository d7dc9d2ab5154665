// SPDX-License-Identifier: Apache-2.0
#include "agent/probe/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace crosswarp::probe {
namespace {

using Code = int;  // nvmlReturn_t; 0 is success
using Handle = void*;

struct Memory {
  unsigned long long total, free, used;
};

/// The library, with the functions that are used. A missing one throws: the library is none.
class Library {
 public:
  explicit Library(void* opened) : opened_(opened, dlclose) {
    find(init, "nvmlInit_v2");
    find(shutdown, "nvmlShutdown");
    find(error_text, "nvmlErrorString");
    find(driver_version, "nvmlSystemGetDriverVersion");
    find(cuda_version, "nvmlSystemGetCudaDriverVersion_v2");
    find(device_count, "nvmlDeviceGetCount_v2");
    find(device, "nvmlDeviceGetHandleByIndex_v2");
    find(name, "nvmlDeviceGetName");
    find(uuid, "nvmlDeviceGetUUID");
    find(memory, "nvmlDeviceGetMemoryInfo");
    find(capability, "nvmlDeviceGetCudaComputeCapability");
  }

  Code (*init)() = nullptr;
  Code (*shutdown)() = nullptr;
  const char* (*error_text)(Code) = nullptr;
  Code (*driver_version)(char*, unsigned) = nullptr;
  Code (*cuda_version)(int*) = nullptr;
  Code (*device_count)(unsigned*) = nullptr;
  Code (*device)(unsigned, Handle*) = nullptr;
  Code (*name)(Handle, char*, unsigned) = nullptr;
  Code (*uuid)(Handle, char*, unsigned) = nullptr;
  Code (*memory)(Handle, Memory*) = nullptr;
  Code (*capability)(Handle, int*, int*) = nullptr;

 private:
  template <class Function>
  void find(Function& function, const char* symbol) {
    function = reinterpret_cast<Function>(dlsym(opened_.get(), symbol));
    if (function == nullptr) throw std::runtime_error(std::string(symbol) + ": not in the library");
  }

  std::unique_ptr<void, int (*)(void*)> opened_;
};

/// What a function writes into a buffer of its caller.
template <class Function, class... Leading>
std::string text_of(Function function, Leading... leading) {
  std::array<char, 128> text{};
  if (function(leading..., text.data(), static_cast<unsigned>(text.size())) != 0) return {};
  text.back() = '\0';
  return text.data();
}

void add_device(const Library& library, unsigned index, Nvml& found) {
  Handle handle = nullptr;
  int major = 0;
  int minor = 0;
  Code code = library.device(index, &handle);
  if (code == 0) code = library.capability(handle, &major, &minor);
  if (code != 0) {
    found.problem = "device " + std::to_string(index) + ": " + library.error_text(code);
    return;
  }
  Memory memory{};
  library.memory(handle, &memory);
  found.devices.push_back({text_of(library.name, handle), text_of(library.uuid, handle),
                           "sm_" + std::to_string(major * 10 + minor), memory.total});
}

void ask(const Library& library, Nvml& found) {
  if (const Code code = library.init(); code != 0) {
    found.problem = library.error_text(code);
    return;
  }
  found.driver = text_of(library.driver_version);
  if (library.cuda_version(&found.cuda) != 0) found.cuda = 0;
  unsigned count = 0;
  library.device_count(&count);
  for (unsigned index = 0; index < count; ++index) add_device(library, index, found);
  library.shutdown();
}

}  // namespace

Nvml ask_nvml(const std::string& library) {
  Nvml found;
  void* opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    found.problem = dlerror();
    return found;
  }
  try {
    ask(Library(opened), found);
  } catch (const std::runtime_error& missing) {
    found.problem = missing.what();
  }
  return found;
}

}  // namespace crosswarp::probe
