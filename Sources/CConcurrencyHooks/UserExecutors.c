// Executors that the program has made. What order they keep, only they know; but what they keep it with can be seen.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// MARK: task executors

enum { most_pools = 4 };
static _Atomic uintptr_t pools[most_pools];

void ch_is_pool(uintptr_t executor) {
  for (int n = 0; n < most_pools; n++) {
    uintptr_t none = 0;
    if (atomic_load(&pools[n]) == executor || atomic_compare_exchange_strong(&pools[n], &none, executor)) return;
  }
}

static bool keeps_own_order(const ch_simulation *s, uintptr_t executor) {
  if (!executor || ch_in_program() != s) return false;
  for (int n = 0; n < most_pools; n++)
    if (atomic_load(&pools[n]) == executor) return false;
  return true;
}

void ch_begins_on(ch_simulation *s, uintptr_t executor, void *const *frame) {
  if (!keeps_own_order(s, executor)) return;
  ch_callers found = {.count = 0};
  ch_find_callers(frame, &found);
  ch_left(s, "TaskExecutor", &found);
}

void ch_goes_to(ch_simulation *s, uintptr_t executor, void *const *context) {
  if (!keeps_own_order(s, executor)) return;
  ch_callers found = {.count = 0};
  ch_find_asynchronous_callers(context, &found);
  ch_left(s, "TaskExecutor", &found);
}

// MARK: jobs that an executor runs by itself
//
// The library has sent one to the executor itself, and the executor has handed it on to a queue: there it would run beside
// the domain that stands for the executor.
SWIFTCC void swift_job_run(void *job, uintptr_t identity, uintptr_t implementation) {
  static void *_Atomic real;
  ch_simulation *s = ch_in_program();
  if (s && ch_belongs(s, job)) {
    ch_callers found = {.count = 0};
    ch_find_callers(CH_FRAME, &found);
    ch_left(s, "ExecutorJob.runSynchronously", &found);
    ch_leave_step(s);
  }
  ((SWIFTCC void (*)(void *, uintptr_t, uintptr_t))ch_real(&real, "swift_job_run"))(job, identity, implementation);
}

// MARK: what a serial executor keeps its order with

// Swift's classes, and Dispatch's objects.
enum { header = 16, size_in_class = 24, most_bytes = 512, bytes_of_dispatch = 64 };

static bool peek(uintptr_t address, void *to, size_t size) {
  struct iovec local = {to, size}, remote = {(void *)address, size};
  return process_vm_readv((pid_t)syscall(SYS_getpid), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

// How many bytes the object at this address has, at most; 0 where it is no object of a known shape.
static size_t size_of(uintptr_t object) {
  uintptr_t type;
  uint32_t size;
  if (object % 8 || object < 1 << 16 || !peek(object, &type, sizeof type)) return 0;
  const char *image = ch_image_name(type);
  if (!image) return 0;
  if (strstr(image, "/libdispatch.so")) return bytes_of_dispatch;
  // A class begins with its kind, which is 0. Its size counts the bytes of its last property only as far as they go.
  uintptr_t kind;
  if (!peek(type, &kind, sizeof kind) || kind || !peek(type + size_in_class, &size, sizeof size)) return 0;
  return size < header ? 0 : size < most_bytes ? size & ~(size_t)7 : most_bytes;
}

size_t ch_reach(uintptr_t executor, uintptr_t *found, size_t room, bool *reaches_main) {
  static void *main_queue;
  if (!main_queue) main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
  size_t count = 0, first = 0, last = 0;
  uintptr_t object = executor;
  for (int depth = 0;; ) {
    uintptr_t words[most_bytes / 8];
    size_t size = size_of(object);
    if (size > header && peek(object + header, words, size - header))
      for (size_t n = 0; n < (size - header) / 8 && count < room; n++) {
        if (words[n] == (uintptr_t)main_queue) *reaches_main = true;
        if (words[n] == executor || ch_image_name(words[n]) || !size_of(words[n])) continue;
        size_t known = 0;
        while (known < count && found[known] != words[n]) known++;
        if (known == count) found[count++] = words[n];
      }
    // What was found at one depth is looked into at the next.
    if (first == last) {
      if (depth++ == 3 || last == count) return count;
      last = count;
    }
    object = found[first++];
  }
}
#endif
