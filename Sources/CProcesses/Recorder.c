// The flight recorder: shared memory that is still there when whoever wrote it is not.
#define _GNU_SOURCE
#include "CProcesses.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static cp_recorder *map(int flags, int descriptor) {
  void *memory = mmap(NULL, CP_RECORDER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | flags, descriptor, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

cp_recorder *cp_recorder_create(void) { return map(MAP_ANONYMOUS, -1); }

cp_recorder *cp_recorder_map(int descriptor) { return map(0, descriptor); }

int cp_recorder_descriptor(void) {
  int descriptor = cp_lifted(memfd_create("recorder", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (descriptor < 0) return -1;
  // What is mapped must stay: a file that became shorter would end those who read it.
  if (ftruncate(descriptor, CP_RECORDER_BYTES) != 0
      || fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

int cp_lifted(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(descriptor);
  return lifted;
}

void cp_recorder_unmap(cp_recorder *recorder) { munmap(recorder, CP_RECORDER_BYTES); }

uint32_t cp_read_death(const cp_recorder *recorder, uintptr_t *addresses) {
  // Another process writes it, and may have ended in the middle of that.
  uint32_t count = recorder->death.count < CP_MOST_CALLERS ? recorder->death.count : CP_MOST_CALLERS;
  memcpy(addresses, recorder->death.addresses, count * sizeof *addresses);
  return count;
}
