// A run that is held back in its middle keeps its thread. With as few threads as cores, nothing would be left to run the
// step that it is held back for. libdispatch asks libc how many cores there are, in two ways; these answers come first.
#define _GNU_SOURCE
#include "CThreads.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

int threads_of_pool(void) { return 16; }

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *cores) {
  (void)thread;
  CPU_ZERO_S(size, cores);
  for (int core = 0; core < threads_of_pool(); core += 1) CPU_SET_S(core, size, cores);
  return 0;
}

long sysconf(int name) {
  static long (*original)(int);
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return threads_of_pool();
  if (original == NULL) original = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  return original(name);
}

typedef __attribute__((swiftcall)) void Enqueue(void *job);
typedef __attribute__((swiftcall)) void EnqueueHook(void *job, Enqueue *original);

static _Atomic unsigned odds;
static EnqueueHook *before;

static uint64_t next_random(void) {
  static _Thread_local uint64_t state;
  if (state == 0) state = (uint64_t)(uintptr_t)&state * 0x9E3779B97F4A7C15 | 1;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static __attribute__((swiftcall)) void enqueue(void *job, Enqueue *original) {
  if (before != NULL) before(job, original); else original(job);
  unsigned one_in = odds;
  if (one_in > 0 && next_random() % one_in == 0) usleep(next_random() % 3000);
}

void threads_held_back(unsigned one_in) {
  odds = one_in;
  EnqueueHook **hook = (EnqueueHook **)dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (hook == NULL || (*hook == enqueue) == (one_in > 0)) return;
  if (one_in > 0) {
    before = *hook;
    *hook = enqueue;
  } else {
    *hook = before;
  }
}
