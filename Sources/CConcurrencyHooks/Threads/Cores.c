// Keeps all threads of a simulation on one core.
//
// Only one of them runs at any moment. By default, the system wakes each on an idle core, which takes ten times as long as to
// continue on the core where the previous one has stopped. That core may be a bad choice a moment later, and the system
// cannot fix it: processes that share one core while another is idle would share it for seconds. So a process that gets much
// less than a whole core while one is idle moves to another.
//
// A program that asks how many cores there are gets the number that it would have without this. If the call would not come
// here, because the program or a sanitizer defines a function of that name, nothing is bound.
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
static const int64_t time_on_a_core = 40000000;  // in nanoseconds, before the core is judged
// Fractions of one core: a process that gets `enough` stays, and it moves only if more than `idle_core` is idle.
static const double enough = 0.75, idle_core = 0.6;

struct ch_cores {
  unsigned number;   // unique to these cores
  bool is_needless;  // true if there is one core, or the system does not allow binding
  int core;          // -1 until one is chosen
  uint32_t turns;    // the number of turns of the first thread
  int64_t since;     // the time at which the core was last judged
  int64_t used;      // the processor time that the process had used by then
  int64_t idle;      // the idle time of all cores together by then
  uint32_t random;
  pid_t first;       // the thread that began the simulation
  cpu_set_t before;  // the cores on which that thread may run if it is not bound
};

// The core to which this thread is bound.
static _Thread_local struct {
  unsigned number;  // the number of its `ch_cores`; 0 if the thread is not bound
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
  // Not the system's answer, because another simulation on this thread may have bound it.
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

// Returns the idle time from `/proc/uptime`, in nanoseconds, or 0 if there is none.
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

// Returns a random core on which the thread may run, other than the present one.
static int other_core(ch_cores *cores) {
  cores->random = cores->random * 1664525u + 1013904223u;
  int skipped = (int)((cores->random >> 16) % (uint32_t)(CPU_COUNT(&cores->before) - 1));
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (core != cores->core && CPU_ISSET((size_t)core, &cores->before) && !skipped--) return core;
  return cores->core;
}

// Moves the simulation if it gets too little of its core while others are idle. A child of `fork` has used less time than its
// parent, so its first comparison says nothing.
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
  else if (!ch_system_call(SYS_tgkill, ch_own_pid(), cores->first, 0))  // it is alive, and in this process
    sched_setaffinity(cores->first, sizeof cores->before, &cores->before);
  s->cores = NULL;
  free(cores);
}

// MARK: the cores that the program sees
//
// These are weak, because a program may define them itself.

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
