// SPDX-License-Identifier: Apache-2.0
// A fake of the driver's management library, for tests only: two invented devices, and one that does not answer.
#include <cstdio>

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int) { return "GPU is lost"; }

int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::snprintf(text, size, "999.12.03");
  return 0;
}

int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 99010;
  return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 3;
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  static int devices[2];
  if (index >= 2) return 15;
  *device = &devices[index];
  devices[index] = static_cast<int>(index);
  return 0;
}

int nvmlDeviceGetName(void* device, char* text, unsigned size) {
  std::snprintf(text, size, "Fake device %d", *static_cast<int*>(device));
  return 0;
}

int nvmlDeviceGetUUID(void* device, char* text, unsigned size) {
  std::snprintf(text, size, "GPU-fake-%d", *static_cast<int*>(device));
  return 0;
}

int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 1ULL << 36;
  return 0;
}

int nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
  *major = *static_cast<int*>(device) == 0 ? 9 : 12;
  *minor = *static_cast<int*>(device) == 0 ? 0 : 1;
  return 0;
}
}
