// Clocks other than those that libraries read: virtual time in other forms, and processor time.
//
// The processor time of a program is all of the virtual time that passes. Computing takes no virtual time.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <time.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { second = 1000000000, microsecond = 1000, tick = 10000000, coarse = 4000000 };

// Returns the simulation that the call belongs to; NULL if there is none, or if the testing library calls, which reads the time
// of its own events, even in the middle of a step.
static ch_simulation *asked(void *const *frame) {
  ch_simulation *s = ch_in_program();
  return s && strncmp(ch_library_of(frame[1]), "libTesting.so", 13) ? s : NULL;
}

static int64_t processor_time(ch_simulation *s) { return ch_reads_clock(s, 0); }

static struct timeval moment(int64_t time) {
  return (struct timeval){.tv_sec = time / second, .tv_usec = time % second / microsecond};
}

CH_BEHIND(timespec_get);
int timespec_get(struct timespec *out, int base) {
  ch_simulation *s = asked(CH_FRAME);
  if (!s || base != TIME_UTC) return CH_REAL(timespec_get)(out, base);
  int64_t now = ch_reads_clock(s, ch_calendar_epoch);
  *out = (struct timespec){.tv_sec = now / second, .tv_nsec = now % second};
  return base;
}

// An older function that no header declares anymore.
struct timeb {
  time_t time;
  unsigned short millitm;
  short timezone, dstflag;
};
int ftime(struct timeb *out);
CH_BEHIND(ftime);
int ftime(struct timeb *out) {
  ch_simulation *s = asked(CH_FRAME);
  if (!s) return CH_REAL(ftime)(out);
  int64_t now = ch_reads_clock(s, ch_calendar_epoch);
  *out = (struct timeb){.time = now / second, .millitm = now % second / (second / 1000)};
  return 0;
}

int timespec_getres(struct timespec *out, int base);
CH_BEHIND(timespec_getres);
int timespec_getres(struct timespec *out, int base) {
  if (!asked(CH_FRAME) || base != TIME_UTC) return CH_REAL(timespec_getres)(out, base);
  if (out) *out = (struct timespec){0, 1};
  return base;
}

static int resolution(clockid_t clock, struct timespec *out) {
  bool is_coarse = clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE;
  if (out) *out = (struct timespec){0, is_coarse ? coarse : 1};
  return 0;
}

CH_BEHIND(clock_getres);
int clock_getres(clockid_t clock, struct timespec *out) {
  return asked(CH_FRAME) && clock <= CLOCK_TAI ? resolution(clock, out) : CH_REAL(clock_getres)(clock, out);
}

CH_BEHIND(clock);
clock_t clock(void) {
  ch_simulation *s = asked(CH_FRAME);
  return s ? processor_time(s) / microsecond : CH_REAL(clock)();
}

CH_BEHIND(times);
clock_t times(struct tms *out) {
  ch_simulation *s = asked(CH_FRAME);
  if (!s) return CH_REAL(times)(out);
  int64_t time = processor_time(s);
  if (out) *out = (struct tms){.tms_utime = time / tick};
  return (ch_monotonic_epoch + time) / tick;
}

CH_BEHIND(getrusage);
int getrusage(__rusage_who_t who, struct rusage *out) {
  ch_simulation *s = asked(CH_FRAME);
  if (!s || !out) return CH_REAL(getrusage)(who, out);
  memset(out, 0, sizeof *out);
  if (who != RUSAGE_CHILDREN) out->ru_utime = moment(processor_time(s));
  return 0;
}

// The calls that adjust the clock also return its time.

static int told(ch_simulation *s, struct timex *out) {
  unsigned modes = out->modes;
  memset(out, 0, sizeof *out);
  out->modes = modes;
  out->tick = tick / microsecond;
  out->time = moment(ch_reads_clock(s, ch_calendar_epoch));
  return TIME_OK;
}

#define ADJUSTS(name)                                       \
  CH_BEHIND(name);                                          \
  int name(struct timex *out) {                             \
    ch_simulation *s = asked(CH_FRAME);                     \
    return s && out ? told(s, out) : CH_REAL(name)(out);    \
  }
ADJUSTS(adjtimex)
ADJUSTS(ntp_adjtime)

CH_BEHIND(clock_adjtime);
int clock_adjtime(clockid_t clock, struct timex *out) {
  ch_simulation *s = asked(CH_FRAME);
  return s ? told(s, out) : CH_REAL(clock_adjtime)(clock, out);
}

CH_BEHIND(ntp_gettimex);
static int told_shortly(ch_simulation *s, struct ntptimeval *out) {
  memset(out, 0, sizeof *out);
  out->time = moment(ch_reads_clock(s, ch_calendar_epoch));
  return TIME_OK;
}
int ntp_gettimex(struct ntptimeval *out) {
  ch_simulation *s = asked(CH_FRAME);
  return s ? told_shortly(s, out) : CH_REAL(ntp_gettimex)(out);
}

// The headers redirect `ntp_gettime` to `ntp_gettimex`.
int older_ntp_gettime(struct ntptimeval *out) __asm__("ntp_gettime");
CH_BEHIND(ntp_gettime);
int older_ntp_gettime(struct ntptimeval *out) {
  ch_simulation *s = asked(CH_FRAME);
  typedef int function(struct ntptimeval *);
  return s ? told_shortly(s, out) : ((function *)ch_real(&real_ntp_gettime, "ntp_gettime"))(out);
}

// `getdate` reads the clock without going through our functions, so the call escapes.
CH_BEHIND(getdate);
struct tm *getdate(const char *text) {
  ch_simulation *s;
  if (CH_LEAVES(s, "getdate")) {
    getdate_err = 1;
    return NULL;
  }
  return CH_REAL(getdate)(text);
}

CH_BEHIND(getdate_r);
int getdate_r(const char *restrict text, struct tm *restrict out) {
  ch_simulation *s;
  return CH_LEAVES(s, "getdate") ? 1 : CH_REAL(getdate_r)(text, out);
}
#pragma clang attribute pop
#endif
