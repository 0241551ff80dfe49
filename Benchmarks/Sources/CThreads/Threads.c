// A run that is held back in its middle keeps its thread. With as few threads as cores, nothing would be left to run the
// step that it is held back for. libdispatch asks libc how many cores there are, in two ways; these answers come first.
#define _GNU_SOURCE
#include "CThreads.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
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
