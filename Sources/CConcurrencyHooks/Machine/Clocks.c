// Clock reads: virtual inside a simulation, the system's outside.
//
// libswift_Concurrency, Foundation and libdispatch call these through the PLT. So these definitions provide the time for
// `ContinuousClock.now`, `SuspendingClock.now`, `Date()` and everything that is built on them.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { second = 1000000000, millisecond = 1000000 };

typedef int clock_function(clockid_t, struct timespec *);
typedef int day_function(struct timeval *, void *);
typedef time_t time_function(time_t *);
static clock_function *_Atomic real_clock;
static day_function *_Atomic real_day;
static time_function *_Atomic real_time;

// Called before any constructor has run, and from any thread: resolving twice is harmless.
static clock_function *resolve_clock(void) {
  clock_function *found = real_clock;
  if (!found) {
    found = (clock_function *)dlsym(RTLD_NEXT, "clock_gettime");
    real_clock = found;
  }
  return found;
}

// Returns the current time, or `INT64_MAX` if it overflows: work that finishes after its execution has ended may have slept
// forever.
static int64_t present(const ch_simulation *s, int64_t epoch) {
  int64_t now;
  return __builtin_add_overflow(s->execution.now, epoch, &now) ? INT64_MAX : now;
}

static bool is_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}
static bool is_processor(clockid_t clock) {
  return clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

// Ends a step that still reads the clock at the end of time. It waits for something that only other steps can do, and they do
// not run meanwhile.
static void reads_for_ever(ch_simulation *s, void *const *frame) {
  ch_callers found = {.count = 0};
  ch_find_callers(frame, &found);
  ch_left(s, "clock_gettime", &found);
  ch_leave_step(s);
}

// Counts clock reads. A step that reads the clock again and again is waiting for it. So time passes, and other steps run if
// they can: a millisecond each time, or more for a step that has waited long.
enum { many_reads = 10000, few_reads = 10, longest = 64 };
static void reads(ch_simulation *s) {
  ch_execution *e = &s->execution;
  e->clock_reads++;
  if (e->now != e->read_at) {
    e->read_at = e->spins_since = e->now;
    e->reads_there = 0;
  }
  if (++e->reads_there < many_reads || !ch_in_step(s) || e->creating || e->deinitializing) return;
  int64_t pause = (e->now - e->spins_since) / longest;
  if (pause < millisecond) pause = millisecond;
  if (!ch_passes_time(s, pause, CH_FRAME) && __builtin_add_overflow(e->now, pause, &e->now))
    reads_for_ever(s, CH_FRAME);
  e->read_at = e->now;
  e->reads_there = many_reads - few_reads;
}

int64_t ch_reads_clock(ch_simulation *s, int64_t epoch) {
  reads(s);
  ch_execution *e = &s->execution;
  int64_t later = e->now == e->spaced_at ? e->spaced_reads++ : 0;
  return present(s, epoch + later);
}

int ch_real_time(clockid_t clock, struct timespec *out) {
  clock_function *real = resolve_clock();
  return real ? real(clock, out) : -1;
}

_Thread_local int64_t ch_clock_lag __attribute__((tls_model("initial-exec")));

int clock_gettime(clockid_t clock, struct timespec *out) {
  ch_simulation *s = is_processor(clock) ? ch_in_program() : ch_current;
  if (!s) return ch_real_time(clock, out);
  int64_t epoch = is_processor(clock) ? 0 : is_calendar(clock) ? ch_calendar_epoch : ch_monotonic_epoch;
  int64_t now = ch_reads_clock(s, epoch) - (clock == CLOCK_MONOTONIC ? ch_clock_lag : 0);
  out->tv_sec = now / second;
  out->tv_nsec = now % second;
  return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  ch_simulation *s = ch_current;
  if (!s) {
    if (!real_day) real_day = (day_function *)dlsym(RTLD_NEXT, "gettimeofday");
    return real_day ? real_day(out, zone) : -1;
  }
  int64_t now = ch_reads_clock(s, ch_calendar_epoch);
  out->tv_sec = now / second;
  out->tv_usec = now % second / 1000;
  return 0;
}

time_t time(time_t *out) {
  ch_simulation *s = ch_current;
  if (!s) {
    if (!real_time) real_time = (time_function *)dlsym(RTLD_NEXT, "time");
    return real_time ? real_time(out) : -1;
  }
  time_t now = ch_reads_clock(s, ch_calendar_epoch) / second;
  if (out) *out = now;
  return now;
}

int64_t ch_real_nanoseconds(void) {
  struct timespec now = {0, 0};
  ch_real_time(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * second + now.tv_nsec;
}

void ch_pause(void) {
  struct timespec moment = {0, 200000};
  nanosleep(&moment, NULL);
}
#pragma clang attribute pop
#endif
