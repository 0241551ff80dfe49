// Timers of one run loop that are due at the same instant. Foundation fires them in the order of their times on the monotonic clock.
// It computes such a time by reading both clocks one after the other, so of timers with one date, or with one interval and made
// at one moment, any may come first. In a simulation both readings are of one instant, so the order is a choice.
#define _GNU_SOURCE
#include "RunLoops.h"

#if CH_SUPPORTED

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

extern bool CFRunLoopTimerIsValid(void *timer);
extern double CFRunLoopTimerGetNextFireDate(void *timer);
extern void CFRunLoopTimerSetNextFireDate(void *timer, double date);
CH_BEHIND(CFRunLoopTimerIsValid);
CH_BEHIND(CFRunLoopTimerGetNextFireDate);
CH_BEHIND(CFRunLoopTimerSetNextFireDate);

enum { most_timers = 16 };
// In nanoseconds: by how much a date is off, which is a `double` of seconds; by how much a timer is late, of which Foundation reads
// one of the clocks in microseconds; and by how much the times are put apart.
enum { precision = CH_PRECISION_OF_DATES, lateness = 1000, distance = 512 };
// The seconds from 1970 to the first second of Foundation's dates.
static const double epoch_of_dates = 978307200;

static bool is_due(void *timer, double now) {
  if (!CH_REAL(CFRunLoopTimerIsValid)(timer)) return false;
  double late = (now - CH_REAL(CFRunLoopTimerGetNextFireDate)(timer)) * 1e9;
  return late >= -precision && late <= lateness + precision;
}

static bool is_among(ch_kept_timer *const *timers, int count, const void *timer) {
  for (int n = 0; n < count; n++)
    if (timers[n]->timer == timer) return true;
  return false;
}

// Finds the timers of the loop that are due now, in the order in which they were added. Returns how many there are.
static int find_due(const struct ch_run_loops *loops, const void *loop, int64_t instant, ch_kept_timer **due) {
  double now = (double)(ch_calendar_epoch + instant) / 1e9 - epoch_of_dates;
  int count = 0;
  for (ch_kept_timer *kept = loops->timers; kept && count < most_timers; kept = kept->next)
    // A timer may have been added twice.
    if (kept->loop == loop && is_due(kept->timer, now) && !is_among(due, count, kept->timer)) due[count++] = kept;
  for (int n = 0; n < count / 2; n++) {
    ch_kept_timer *other = due[n];
    due[n] = due[count - 1 - n];
    due[count - 1 - n] = other;
  }
  return count;
}

// Returns true if the timer at `place` may fire next. Repeating timers that were due together before keep their order, since each
// repeats at its own moment.
static bool may_be_next(ch_kept_timer *const *due, int count, int place) {
  for (int n = 0; n < count; n++)
    if (due[place]->turn && due[n]->turn && due[n]->turn < due[place]->turn) return false;
  return true;
}

// Decides which of the timers fires next, and returns its place.
static int pick(ch_simulation *s, ch_kept_timer *const *due, int count, int fired) {
  int places[most_timers], options = 0;
  for (int n = 0; n < count; n++)
    if (may_be_next(due, count, n)) places[options++] = n;
  return places[simulator_picks_timer(s->scheduler, (uint32_t)fired, (uint32_t)options)];
}

void ch_order_timers(ch_simulation *s, const void *loop) {
  struct ch_run_loops *loops = s->run_loops;
  if (!loops || !loops->timers || !loops->timers->next) return;
  ch_kept_timer *due[most_timers];
  int count = find_due(loops, loop, s->execution.now, due);
  if (count < 2) return;
  bool is_natural = true;
  for (int n = 0; n < count; n++) {
    int place = n + pick(s, due + n, count - n, n);
    ch_kept_timer *next = due[place];
    for (int m = place; m > n; m--) due[m] = due[m - 1];
    due[n] = next;
    if (place > n) is_natural = false;
  }
  for (int n = 0; n < count; n++) due[n]->turn = ++loops->turns;
  for (int n = 0; n < count && !is_natural; n++) {
    ch_clock_lag = (int64_t)(count - n) * distance;
    CH_REAL(CFRunLoopTimerSetNextFireDate)(due[n]->timer, CH_REAL(CFRunLoopTimerGetNextFireDate)(due[n]->timer));
  }
  ch_clock_lag = 0;
}
#pragma clang attribute pop
#endif
