// The flight recorder: shared memory that outlives the process that writes it.
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
  // Mapped memory must stay: if the file became shorter, the processes that read it would end.
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

// Checks the count, because another process writes it and may have ended in the middle of that.
uint32_t cp_read_callers(const cp_callers *callers, uintptr_t *addresses) {
  uint32_t count = callers->count < CP_MOST_CALLERS ? callers->count : CP_MOST_CALLERS;
  memcpy(addresses, callers->addresses, count * sizeof *addresses);
  return count;
}

uint32_t cp_read_death(const cp_recorder *recorder, uintptr_t *addresses) {
  return cp_read_callers(&recorder->death, addresses);
}

uint32_t cp_read_earlier(const cp_recorder *recorder, uintptr_t *addresses) {
  return cp_read_callers(&recorder->earlier, addresses);
}

void cp_write_earlier(cp_recorder *recorder, void *const *callers, size_t count) {
  if (count > CP_MOST_CALLERS) count = CP_MOST_CALLERS;
  memcpy(recorder->earlier.addresses, callers, count * sizeof *callers);
  recorder->earlier.count = (uint32_t)count;
}

static bool is_now(const cp_recorder *r) {
  return r->failures.steps == r->steps && r->failures.acts == r->acts && r->failures.phase == r->phase;
}

bool cp_write_failure(cp_recorder *recorder, const char *text, size_t size) {
  cp_failures *failures = &recorder->failures;
  if (!is_now(recorder)) {
    failures->size = 0;
    failures->steps = recorder->steps;
    failures->acts = recorder->acts;
    failures->phase = recorder->phase;
  }
  if (size > CP_MOST_FAILURES - failures->size) return false;
  memcpy(failures->text + failures->size, text, size);
  failures->size += (uint32_t)size;
  return true;
}

size_t cp_read_failures(const cp_recorder *recorder, char *text) {
  size_t size = recorder->failures.size;
  if (!is_now(recorder) || size > CP_MOST_FAILURES) return 0;
  memcpy(text, recorder->failures.text, size);
  return size;
}
