// Conditions, semaphores and sleeps, when steps are preemptible. A step that has to wait blocks. A signal,
// a post, an unlock or virtual time makes it runnable. With atomic steps, nothing waits here: a call that would wait is an
// escape (`ExitsWaits.c`).
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// Returns the simulation if the call may block its step: a step makes the call, and not the runtime on behalf of others.
// Otherwise returns null.
static ch_simulation *hands_over(void *const *frame) {
  ch_simulation *s = ch_current;
  return ch_is_followed(s) && !ch_is_runtime(frame[1]) && ch_can_park(s) ? s : NULL;
}

static const int64_t never = INT64_MAX;

int64_t ch_instant(clockid_t clock, const struct timespec *time) {
  int64_t nanoseconds, epoch = clock == CLOCK_MONOTONIC ? ch_monotonic_epoch : ch_calendar_epoch;
  if (!time || __builtin_mul_overflow((int64_t)time->tv_sec, (int64_t)1000000000, &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, (int64_t)time->tv_nsec, &nanoseconds))
    return never;
  return nanoseconds - epoch;
}

// MARK: conditions

static clockid_t clock_of(const pthread_cond_t *condition) {
#if defined(__GLIBC__)
  return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
#else
  return CLOCK_REALTIME;
#endif
}

// Unlocks the mutex and waits in one atomic operation, then locks the mutex again. Other steps may lock it first, even if the
// wait has timed out.
static int wait_for_signal(ch_simulation *s, pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until,
                           void *const *frame) {
  s->point_frame = frame;
  ch_uses((uintptr_t)condition, NULL);
  ch_uses((uintptr_t)mutex, NULL);
  int error;
  ch_lock_kind kind = ch_open(mutex, &error);
  if (error) return error;
  bool is_signaled = until > s->execution.now &&
                     simulator_waits(s->scheduler, CH_WAITS_FOR_SIGNAL, (uintptr_t)condition, until);
  ch_uses((uintptr_t)condition, NULL);
  if (!is_signaled) ch_preemption_point(s, frame);
  ch_uses((uintptr_t)mutex, NULL);
  error = ch_take(mutex, kind, frame);
  return error ? error : is_signaled ? 0 : ETIMEDOUT;
}

bool ch_waits_for_signal(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until,
                         void *const *frame, int *error) {
  if (!ch_is_runtime(frame[1])) ch_is_shared();
  ch_simulation *s = hands_over(frame);
  if (s) *error = wait_for_signal(s, condition, mutex, ch_instant(clock_of(condition), until), frame);
  return s;
}

CH_BEHIND(pthread_cond_clockwait);
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  ch_simulation *s = hands_over(CH_FRAME);
  if (s) return wait_for_signal(s, condition, mutex, ch_instant(clock, until), CH_FRAME);
  return CH_REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
}

// Offers a preemption point, if the program made the call: steps that are runnable now may go first.
static inline __attribute__((always_inline)) void set_free(ch_simulation *s, void *const *frame) {
  if (ch_is_of_program(frame[1], frame)) ch_preemption_point_without_locks(s, frame);
}

CH_BEHIND(pthread_cond_signal);
CH_BEHIND(pthread_cond_broadcast);

// Wakes the threads that really wait. The condition may still count waiters that this process, a copy, does not have. The
// system's function would wait forever for those to leave.
static int signals_really(pthread_cond_t *condition, bool all) {
  if (ch_current && ch_has_only_lost_threads()) return 0;
  return all ? CH_REAL(pthread_cond_broadcast)(condition) : CH_REAL(pthread_cond_signal)(condition);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s)) return signals_really(condition, false);
  s->point_frame = CH_FRAME;
  ch_uses((uintptr_t)condition, NULL);
  int error = simulator_signals(s->scheduler, (uintptr_t)condition) ? 0 : signals_really(condition, false);
  set_free(s, CH_FRAME);
  return error;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  ch_simulation *s = ch_current;
  int error = signals_really(condition, true);
  if (error || !ch_is_followed(s)) return error;
  ch_uses((uintptr_t)condition, NULL);
  simulator_frees(s->scheduler, (uintptr_t)condition);
  set_free(s, CH_FRAME);
  return 0;
}

// MARK: sleeps

bool ch_sleeps(int64_t nanoseconds, void *const *frame) {
  if (!ch_current || ch_is_runtime(frame[1])) return false;
  if (nanoseconds <= 0) return ch_yields(frame);
  ch_is_shared();
  ch_simulation *s = hands_over(frame);
  if (!s) return false;
  int64_t until = never;
  if (__builtin_add_overflow(s->execution.now, nanoseconds, &until)) until = never;
  s->point_frame = frame;
  simulator_waits(s->scheduler, ch_is_foundation(frame[1]) ? CH_WAITS_FOR_DATE : CH_WAITS_FOR_TIME, 0, until);
  return true;
}

bool ch_passes_time(ch_simulation *s, int64_t nanoseconds, void *const *frame) {
  ch_is_shared();
  int64_t until;
  if (!ch_is_followed(s) || !ch_running_task() || !ch_can_park(s) ||
      __builtin_add_overflow(s->execution.now, nanoseconds, &until))
    return false;
  s->point_frame = frame;
  simulator_waits(s->scheduler, CH_WAITS_FOR_TIME, 0, until);
  return true;
}

// MARK: semaphores

CH_BEHIND(sem_trywait);

// A semaphore that lets in more than one is no lock: others may come in at once.
static void took_one(ch_simulation *s, sem_t *semaphore, void *const *frame) {
  int left = 0;
  ch_may_be_caught_with(s, (uintptr_t)semaphore, frame);
  if (ch_is_followed(s) && !sem_getvalue(semaphore, &left) && left > 0) ch_preemption_point_without_locks(s, frame);
}

bool ch_waits_for_post(sem_t *semaphore, const struct timespec *until, void *const *frame, int *error) {
  if (!ch_current || ch_is_runtime(frame[1])) return false;
  ch_is_shared();
  ch_simulation *s = hands_over(frame);
  if (!s) {
    ch_shares_unseen("`sem_wait`");
    return false;
  }
  // The semaphore may be used as a lock, and other steps may take it first.
  ch_takes(s, semaphore, frame);
  ch_uses((uintptr_t)semaphore, NULL);
  int64_t end = ch_instant(CLOCK_REALTIME, until);
  while ((*error = CH_REAL(sem_trywait)(semaphore)) && errno == EAGAIN) {
    if (end > s->execution.now) {
      simulator_waits(s->scheduler, CH_WAITS_FOR_POST, (uintptr_t)semaphore, end);
      ch_uses((uintptr_t)semaphore, NULL);
      continue;
    }
    errno = ETIMEDOUT;
    break;
  }
  if (!*error) ch_acquires_object((uintptr_t)semaphore);
  if (!*error) took_one(s, semaphore, frame);
  else ch_has_looked(s);
  return true;
}

// A call that only tries shares the semaphore too.
int sem_trywait(sem_t *semaphore) {
  if (!ch_current || ch_is_runtime(CH_FRAME[1])) return CH_REAL(sem_trywait)(semaphore);
  ch_is_touched((uintptr_t)semaphore);
  ch_tries(ch_current, semaphore, CH_FRAME);
  ch_uses((uintptr_t)semaphore, "`sem_trywait`");
  int error = CH_REAL(sem_trywait)(semaphore);
  if (error && ch_is_followed(ch_current)) ch_has_missed(ch_current, semaphore, CH_FRAME);
  else if (!error) took_one(ch_current, semaphore, CH_FRAME);
  return error;
}

CH_BEHIND(sem_post);
int sem_post(sem_t *semaphore) {
  int error = CH_REAL(sem_post)(semaphore);
  ch_simulation *s = ch_current;
  if (error || !s || ch_is_runtime(CH_FRAME[1])) return error;
  ch_uses((uintptr_t)semaphore, "`sem_post`");
  if (!ch_is_followed(s)) return 0;
  ch_releases_object((uintptr_t)semaphore);
  simulator_frees(s->scheduler, (uintptr_t)semaphore);
  set_free(s, CH_FRAME);
  return 0;
}
#pragma clang attribute pop
#endif
