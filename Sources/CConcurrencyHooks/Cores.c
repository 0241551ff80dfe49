// One core for all threads of a simulation.
//
// One of them runs at any moment. Left alone, the system wakes each on a core that is idle, which takes ten times as long as
// to go on with it where the other one has stopped. Which core that is may be a bad choice a moment later, and the system
// cannot mend it: processes that share one core while another is idle would share it for seconds. So whoever gets much less
// than a whole core while one is idle goes to another.
//
// A program that asks how many cores there are is told of all that it would have. Where it would not ask us, because it or a
// sanitizer has a function of that name, nothing is bound.
#define _GNU_SOURCE
#include "Cores.h"

#if CH_SUPPORTED
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Threads that end may call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { turns_before = 32, turns_between_looks = 64 };
static const int64_t time_on_a_core = 40000000;  // nanoseconds, before it is judged
// Parts of one core: what a process is content with, and what lies idle that it could have.
static const double enough = 0.75, idle_core = 0.6;

struct ch_cores {
  unsigned number;   // no two have the same
  bool is_needless;  // there is one core, or the system does not allow it
  int core;          // -1 before the first
  uint32_t turns;    // of the first thread
  int64_t since;     // when it was last judged
  int64_t used;      // what the process had had of cores by then
  int64_t idle;      // how long cores had been idle by then, all together
  uint32_t random;
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

static int64_t time_of_process(void) {
  struct timespec used;
  if (ch_system_call(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &used)) return 0;
  return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

// What `/proc/uptime` says, in nanoseconds; 0 where there is none.
static int64_t idle_time(void) {
  int file = (int)ch_system_call(SYS_openat, AT_FDCWD, "/proc/uptime", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64];
  long size = ch_system_call(SYS_read, file, text, sizeof text - 1);
  ch_system_call(SYS_close, file);
  text[size > 0 ? size : 0] = 0;
  const char *second = strchr(text, ' ');
  return second ? (int64_t)(strtod(second, NULL) * 1e9) : 0;
}

// One of the cores where the thread may run, but this one.
static int other_core(ch_cores *cores) {
  cores->random = cores->random * 1664525u + 1013904223u;
  int skipped = (int)((cores->random >> 16) % (uint32_t)(CPU_COUNT(&cores->before) - 1));
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (core != cores->core && CPU_ISSET((size_t)core, &cores->before) && !skipped--) return core;
  return cores->core;
}

// In a child of `fork` the process has had less than its parent: that is no judgement.
static void judge(ch_cores *cores) {
  int64_t now = ch_real_nanoseconds(), time = now - cores->since;
  if (time < time_on_a_core) return;
  int64_t used = time_of_process(), share = used - cores->used;
  int64_t idle = idle_time(), spare = idle - cores->idle;
  if (cores->since && share >= 0 && (double)share < enough * (double)time && (double)spare > idle_core * (double)time)
    cores->core = other_core(cores);
  cores->since = now;
  cores->used = used;
  cores->idle = idle;
}

static void choose(ch_cores *cores) {
  cores->turns++;
  if (cores->core >= 0) {
    if (cores->turns % turns_between_looks == 0) judge(cores);
  } else if (cores->turns > turns_before) {
    cores->core = ch_real_core();
    cores->random = (uint32_t)ch_own_pid();
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
  else if (!ch_system_call(SYS_tgkill, ch_own_pid(), cores->first, 0))  // it lives, and in this process
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
