// Run loops inside a simulation. Foundation's run loops do their own work, and what they wait for is simulated: a timer's
// descriptor is ready when virtual time reaches it, and a call that wakes a loop up wakes the step that waits in it.
#define _GNU_SOURCE
#include "RunLoops.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { most_passes = 16 };

// MARK: timers

static int64_t nanoseconds(const struct timespec *time) { return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec; }

CH_BEHIND(timerfd_settime);
CH_BEHIND(ppoll);

static bool is_ready(int descriptor) {
  struct timespec none = {0, 0};
  struct pollfd asked = {descriptor, POLLIN, 0};
  return CH_REAL(ppoll)(&asked, 1, &none, NULL) > 0;
}

// Makes the descriptor of each timer that is due ready.
static void go_off(struct ch_run_loops *loops, int64_t now) {
  for (int n = 0; n < CH_MOST_ALARMS; n++) {
    ch_alarm *alarm = &loops->alarms[n];
    if (!alarm->due || alarm->due > now) continue;
    alarm->due = 0;
    struct itimerspec soon = {.it_value = {0, 1}};
    struct pollfd asked = {alarm->descriptor, POLLIN, 0};
    if (!CH_REAL(timerfd_settime)(alarm->descriptor, 0, &soon, NULL)) CH_REAL(ppoll)(&asked, 1, NULL, NULL);
  }
}

// Does what the main run loop has to do now. Runs on the main queue.
static void serve_main_loop(void *unused) {
  ch_simulation *s = ch_current;
  struct ch_run_loops *loops = s ? s->run_loops : NULL;
  if (!loops) return;
  ch_order_timers(s, loops->main);
  go_off(loops, s->execution.now);
  bool isReady = true;
  for (int pass = 0; isReady && pass < most_passes; pass++) {
    ch_run_main_loop(loops);
    isReady = false;
    for (int n = 0; n < CH_MOST_ALARMS; n++)
      if (loops->alarms[n].loop == loops->main && is_ready(loops->alarms[n].descriptor)) isReady = true;
  }
}

static void main_queue_serves(ch_simulation *s, int64_t delay) {
  ch_main_queue_does(s, (ch_work){.function = serve_main_loop}, delay);
}

static ch_alarm *alarm_with(struct ch_run_loops *loops, int descriptor) {
  ch_alarm *room = NULL;
  for (int n = 0; n < CH_MOST_ALARMS; n++) {
    if (loops->alarms[n].loop && loops->alarms[n].descriptor == descriptor) return &loops->alarms[n];
    if (!loops->alarms[n].loop && !room) room = &loops->alarms[n];
  }
  return room;
}

// Sets the alarm if a run loop asks for it. Returns true if so.
static bool sets_alarm(ch_simulation *s, int descriptor, const struct itimerspec *time, const void *caller) {
  if (strncmp(ch_library_of(caller), "libFoundation.so", 16)) return false;
  struct ch_run_loops *loops = ch_loops_of(s);
  ch_alarm *alarm = loops ? alarm_with(loops, descriptor) : NULL;
  if (!alarm) return false;
  if (loops->adds) *alarm = (ch_alarm){descriptor, loops->adds, 0};
  if (!alarm->loop) return false;
  int64_t instant = nanoseconds(&time->it_value);
  alarm->due = instant ? instant - ch_monotonic_epoch : 0;
  if (instant && alarm->due <= 0) alarm->due = 1;
  if (alarm->due && alarm->loop == loops->main) main_queue_serves(s, alarm->due - s->execution.now);
  return true;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *time, struct itimerspec *old) {
  ch_simulation *s = ch_in_program();
  struct itimerspec none = {0};
  if (s && sets_alarm(s, descriptor, time, __builtin_return_address(0)))
    return CH_REAL(timerfd_settime)(descriptor, 0, &none, old);
  // Any other timer is not set, because it would follow the real clock.
  bool isSet = nanoseconds(&time->it_value) > 0;
  if (!isSet || !CH_LEAVES(s, "timerfd_settime")) return CH_REAL(timerfd_settime)(descriptor, flags, time, old);
  return 0;
}

extern void CFRetain(void *);
extern void CFRelease(void *);
extern void CFRunLoopTimerInvalidate(void *timer);
CH_BEHIND(CFRetain);
CH_BEHIND(CFRelease);
CH_BEHIND(CFRunLoopTimerInvalidate);

void CFRunLoopAddTimer(void *loop, void *timer, const void *mode);
CH_BEHIND(CFRunLoopAddTimer);
void CFRunLoopAddTimer(void *loop, void *timer, const void *mode) {
  ch_simulation *s = ch_in_program();
  struct ch_run_loops *loops = s ? ch_loops_of(s) : NULL;
  if (!loops) { CH_REAL(CFRunLoopAddTimer)(loop, timer, mode); return; }
  loop = ch_meant_loop(loop);
  ch_kept_timer *kept = malloc(sizeof *kept);
  if (kept) {
    CH_REAL(CFRetain)(timer);
    CH_REAL(CFRetain)(loop);
    *kept = (ch_kept_timer){.timer = timer, .loop = loop, .next = loops->timers};
    loops->timers = kept;
  }
  void *outer = loops->adds;
  loops->adds = loop;
  CH_REAL(CFRunLoopAddTimer)(loops->adds, timer, mode);
  loops->adds = outer;
}

// MARK: waiting, and waking up

// Stands for any run loop: when one is woken up, every loop that waits checks if it was meant.
static char any_loop;

static int64_t next_alarm(const struct ch_run_loops *loops, const void *loop) {
  int64_t next = INT64_MAX;
  for (int n = 0; n < CH_MOST_ALARMS; n++)
    if (loops->alarms[n].loop == loop && loops->alarms[n].due && loops->alarms[n].due < next) next = loops->alarms[n].due;
  return next;
}

bool ch_waits_in_run_loop(ch_simulation *s, struct pollfd *descriptors, nfds_t count, const struct timespec *time,
                          void *const *frame, int *ready) {
  if (strncmp(ch_library_of(frame[1]), "libFoundation.so", 16)) return false;
  ch_is_shared();
  struct ch_run_loops *loops = ch_loops_of(s);
  if (!loops || !ch_is_followed(s) || !ch_can_park(s)) return false;
  void *own = ch_meant_loop(((void *(*)(void))dlsym(RTLD_DEFAULT, "CFRunLoopGetCurrent"))());
  int64_t end = INT64_MAX;
  if (time && __builtin_add_overflow(s->execution.now, nanoseconds(time), &end)) end = INT64_MAX;
  struct timespec none = {0, 0};
  s->point_frame = frame;
  // A loop that is woken up at the instant of a timer may see that before the timer: the loop's own limit ends so.
  bool is_woken = false;
  for (;;) {
    int64_t now = s->execution.now;
    if (!is_woken && next_alarm(loops, own) <= now) ch_order_timers(s, own);
    go_off(loops, is_woken ? now - CH_PRECISION_OF_DATES - 1 : now);
    *ready = CH_REAL(ppoll)(descriptors, count, &none, NULL);
    if (*ready || (!is_woken && now >= end)) return true;
    int64_t next = next_alarm(loops, own);
    is_woken = simulator_waits(s->scheduler, CH_WAITS_IN_RUN_LOOP, (uintptr_t)&any_loop, next < end ? next : end);
  }
}

void CFRunLoopWakeUp(void *loop);
CH_BEHIND(CFRunLoopWakeUp);
void CFRunLoopWakeUp(void *loop) {
  ch_simulation *s = ch_in_program();
  void *real = ch_meant_loop(loop);
  CH_REAL(CFRunLoopWakeUp)(real);
  if (!s) return;
  struct ch_run_loops *loops = ch_loops_of(s);
  if (loops && real == loops->main) main_queue_serves(s, 0);
  if (!ch_is_followed(s)) return;
  simulator_frees(s->scheduler, (uintptr_t)&any_loop);
  ch_preemption_point_without_locks(s, CH_FRAME);
}

void ch_forget_run_loops(ch_simulation *s) {
  struct ch_run_loops *loops = s->run_loops;
  if (!loops) return;
  while (loops->timers) {
    ch_kept_timer *kept = loops->timers;
    loops->timers = kept->next;
    CH_REAL(CFRunLoopTimerInvalidate)(kept->timer);
    CH_REAL(CFRelease)(kept->timer);
    CH_REAL(CFRelease)(kept->loop);
    free(kept);
  }
  ch_forget_loop_blocks(loops);
  memset(loops->alarms, 0, sizeof loops->alarms);
  loops->turns = 0;
  ch_forget_thread_values(loops);
  s->run_loops = NULL;
  ch_return_loops(loops);
}
#pragma clang attribute pop
#endif
