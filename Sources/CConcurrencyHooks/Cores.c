// One core for all threads of a simulation.
//
// One of them runs at any moment. Left alone, the system wakes each on a core that is idle, which takes ten times as long as
// to go on with it where the other one has stopped. Which core that is may be a bad choice a moment later: now and then the
// first thread is let go, and the system finds it a place for as long as a few hand-overs take.
//
// A program that asks how many cores there are is told of all that it would have. Where it would not ask us, because it or a
// sanitizer has a function of that name, nothing is bound.
#define _GNU_SOURCE
#include "Cores.h"

#if CH_SUPPORTED
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Threads that end may call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { turns_on_a_core = 10000, turns_between = 32 };

struct ch_cores {
  unsigned number;   // no two have the same
  bool is_needless;  // there is one core, or the system does not allow it
  int core;          // -1 between two
  uint32_t turns;    // of the first thread since
  pid_t first;       // the thread that began
  cpu_set_t before;  // where it may run by itself
};

// What this thread is bound to.
static _Thread_local struct {
  unsigned number;  // of the cores; 0 where it is not bound
  int core;
  cpu_set_t before;
} own __attribute__((tls_model("initial-exec")));

CH_BEHIND(sched_getaffinity);
CH_BEHIND(pthread_getaffinity_np);

static int told_affinity(pid_t thread, size_t size, cpu_set_t *set);

static ch_cores *make(void) {
  static _Atomic unsigned last;
  ch_cores *made = calloc(1, sizeof *made);
  if (!made) abort();
  made->number = ++last;
  made->core = -1;
  made->turns = turns_between;
  made->first = gettid();
  // Another simulation of this thread may have bound it.
  made->is_needless = told_affinity(0, sizeof made->before, &made->before) || CPU_COUNT(&made->before) < 2 ||
                      (void *)sched_getaffinity != (void *)told_affinity;
  return made;
}

void ch_let_go(void) {
  if (!own.number) return;
  sched_setaffinity(0, sizeof own.before, &own.before);
  own.number = 0;
}

static void bind(ch_cores *cores) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((size_t)cores->core, &one);
  if (sched_setaffinity(0, sizeof one, &one)) {
    cores->is_needless = true;
    return;
  }
  own.number = cores->number;
  own.core = cores->core;
  own.before = cores->before;
}

static void choose(ch_cores *cores) {
  cores->turns++;
  if (cores->core >= 0 && cores->turns > turns_on_a_core) {
    cores->core = -1;
    cores->turns = 0;
    ch_let_go();
  } else if (cores->core < 0 && cores->turns > turns_between) {
    cores->core = sched_getcpu();
    cores->turns = 0;
    cores->is_needless = cores->core < 0 || cores->core >= CPU_SETSIZE;
  }
}

void ch_gather(ch_simulation *s, bool is_first) {
  if (!s->cores) s->cores = make();
  ch_cores *cores = s->cores;
  if (cores->is_needless) return;
  if (is_first) choose(cores);
  if (cores->core < 0 || cores->is_needless) return;
  if (own.number != cores->number || own.core != cores->core) bind(cores);
}

void ch_scatter(ch_simulation *s) {
  ch_cores *cores = s->cores;
  if (!cores) return;
  if (own.number == cores->number)
    ch_let_go();
  else if (!syscall(SYS_tgkill, syscall(SYS_getpid), cores->first, 0))  // it lives, and in this process
    sched_setaffinity(cores->first, sizeof cores->before, &cores->before);
  s->cores = NULL;
  free(cores);
}

// MARK: what the program is told
//
// Weak: a program may define them itself.

static bool is_told(void *set, size_t size) {
  if (!own.number || size < sizeof own.before) return false;
  memset(set, 0, size);
  memcpy(set, &own.before, sizeof own.before);
  return true;
}

static int told_affinity(pid_t thread, size_t size, cpu_set_t *set) {
  if ((!thread || thread == gettid()) && is_told(set, size)) return 0;
  return CH_REAL(sched_getaffinity)(thread, size, set);
}
int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *set) __attribute__((weak, alias("told_affinity")));

__attribute__((weak)) int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  if (pthread_equal(thread, pthread_self()) && is_told(set, size)) return 0;
  return CH_REAL(pthread_getaffinity_np)(thread, size, set);
}
#pragma clang attribute pop
#endif
