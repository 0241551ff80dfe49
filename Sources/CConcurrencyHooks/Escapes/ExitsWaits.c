// Escapes by waiting: sleeps, semaphores and conditions of the C library, and descriptors.
//
// A sleep advances the clock that the rest of the step reads, and returns. A call that need not wait is no escape. If steps
// are preemptible, sleeps, semaphores and conditions block the step instead (`Conditions.c`).
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { second = 1000000000, millisecond = 1000000 };

static int64_t nanoseconds(const struct timespec *time) { return (int64_t)time->tv_sec * second + time->tv_nsec; }

static int64_t nanoseconds_until(ch_simulation *s, clockid_t clock, const struct timespec *time) {
  int64_t epoch = clock == CLOCK_REALTIME ? ch_calendar_epoch : ch_monotonic_epoch;
  return nanoseconds(time) - epoch - s->execution.now;
}

// MARK: sleeps

CH_BEHIND(nanosleep);
int nanosleep(const struct timespec *time, struct timespec *left) {
  ch_simulation *s;
  int64_t duration = nanoseconds(time);
  if (!duration && ch_is_followed(ch_current) && ch_is_foundation(__builtin_return_address(0))) {
    // `Thread.sleep` sleeps again while any time is left, which may be less than a nanosecond.
    ch_current->execution.now++;
    return 0;
  }
  if (ch_sleeps(duration, CH_FRAME)) return 0;
  if (!CH_LEAVES(s, "nanosleep")) return CH_REAL(nanosleep)(time, left);
  ch_waits_in_vain_for(s, duration);
  return 0;
}

CH_BEHIND(clock_nanosleep);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  ch_simulation *s = ch_current;
  int64_t duration = s && flags & TIMER_ABSTIME ? nanoseconds_until(s, clock, time) : nanoseconds(time);
  if (ch_sleeps(duration, CH_FRAME)) return 0;
  if (!CH_LEAVES(s, "clock_nanosleep")) return CH_REAL(clock_nanosleep)(clock, flags, time, left);
  ch_waits_in_vain_for(s, duration);
  return 0;
}

CH_BEHIND(usleep);
int usleep(useconds_t microseconds) {
  ch_simulation *s;
  if (ch_sleeps((int64_t)microseconds * 1000, CH_FRAME)) return 0;
  if (!CH_LEAVES(s, "usleep")) return CH_REAL(usleep)(microseconds);
  ch_waits_in_vain_for(s, (int64_t)microseconds * 1000);
  return 0;
}

// Returns true if the caller is a spin lock of Foundation's own, which sleeps for zero seconds until it is free. Another
// thread of the process holds it for some instructions, so this is no preemption point.
static bool spins_in_foundation(unsigned seconds, const void *caller) {
  static _Thread_local uint32_t spins __attribute__((tls_model("initial-exec")));
  enum { many = 10000 };
  if (seconds || strncmp(ch_library_of(caller), "libFoundation.so", 16)) return false;
  // After that many tries, a parked step must hold the lock.
  return ++spins % many;
}

CH_BEHIND(sleep);
unsigned sleep(unsigned seconds) {
  ch_simulation *s;
  if (spins_in_foundation(seconds, __builtin_return_address(0))) return CH_REAL(sleep)(0);
  if (ch_sleeps((int64_t)seconds * second, CH_FRAME)) return 0;
  if (!CH_LEAVES(s, "sleep")) return CH_REAL(sleep)(seconds);
  ch_waits_in_vain_for(s, (int64_t)seconds * second);
  return 0;
}

// MARK: semaphores and conditions

CH_BEHIND(sem_wait);
int sem_wait(sem_t *semaphore) {
  int error;
  if (ch_waits_for_post(semaphore, NULL, CH_FRAME, &error)) return error;
  ch_simulation *s = ch_in_program();
  if (s && sem_trywait(semaphore) == 0) return 0;
  if (s && ch_leaves(s, "sem_wait", CH_FRAME)) ch_leave_step(s);
  return CH_REAL(sem_wait)(semaphore);
}

CH_BEHIND(sem_timedwait);
int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  int error;
  if (ch_waits_for_post(semaphore, until, CH_FRAME, &error)) return error;
  ch_simulation *s = ch_in_program();
  if (s && sem_trywait(semaphore) == 0) return 0;
  if (!s || !ch_leaves(s, "sem_timedwait", CH_FRAME)) return CH_REAL(sem_timedwait)(semaphore, until);
  ch_waits_in_vain_for(s, nanoseconds_until(s, CLOCK_REALTIME, until));
  errno = ETIMEDOUT;
  return -1;
}

CH_BEHIND(pthread_cond_wait);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  int error;
  if (ch_waits_for_signal(condition, mutex, NULL, CH_FRAME, &error)) return error;
  ch_simulation *s;
  if (CH_LEAVES(s, "pthread_cond_wait")) {
    pthread_mutex_unlock(mutex);
    ch_leave_step(s);
  }
  return CH_REAL(pthread_cond_wait)(condition, mutex);
}

CH_BEHIND(pthread_cond_timedwait);
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  int error;
  if (ch_waits_for_signal(condition, mutex, until, CH_FRAME, &error)) return error;
  ch_simulation *s;
  if (!CH_LEAVES(s, "pthread_cond_timedwait")) return CH_REAL(pthread_cond_timedwait)(condition, mutex, until);
  ch_waits_in_vain_for(s, nanoseconds_until(s, CLOCK_REALTIME, until));
  return ETIMEDOUT;
}

// MARK: descriptors

CH_BEHIND(poll);
int poll(struct pollfd *descriptors, nfds_t count, int milliseconds) {
  ch_simulation *s = milliseconds ? ch_in_program() : NULL;
  if (!s) return CH_REAL(poll)(descriptors, count, milliseconds);
  int ready = CH_REAL(poll)(descriptors, count, 0);
  if (ready) return ready;
  if (!ch_leaves(s, "poll", CH_FRAME)) return CH_REAL(poll)(descriptors, count, milliseconds);
  if (milliseconds < 0) ch_leave_step(s);
  ch_waits_in_vain_for(s, (int64_t)milliseconds * millisecond);
  return 0;
}

CH_BEHIND(ppoll);
int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *time, const sigset_t *mask) {
  ch_simulation *s = !time || nanoseconds(time) > 0 ? ch_in_program() : NULL;
  if (!s) return CH_REAL(ppoll)(descriptors, count, time, mask);
  struct timespec none = {0, 0};
  int ready = CH_REAL(ppoll)(descriptors, count, &none, mask);
  if (ready || ch_waits_in_run_loop(s, descriptors, count, time, CH_FRAME, &ready)) return ready;
  if (!ch_leaves(s, "ppoll", CH_FRAME)) return CH_REAL(ppoll)(descriptors, count, time, mask);
  if (!time) ch_leave_step(s);
  ch_waits_in_vain_for(s, nanoseconds(time));
  return 0;
}

CH_BEHIND(select);
int select(int count, fd_set *readable, fd_set *writable, fd_set *failed, struct timeval *time) {
  int64_t wait = time ? (int64_t)time->tv_sec * second + (int64_t)time->tv_usec * 1000 : -1;
  ch_simulation *s;
  if (wait == 0 || !CH_LEAVES(s, "select"))
    return CH_REAL(select)(count, readable, writable, failed, time);
  struct timeval none = {0, 0};
  int ready = CH_REAL(select)(count, readable, writable, failed, &none);
  if (ready) return ready;
  if (wait < 0) ch_leave_step(s);
  ch_waits_in_vain_for(s, wait);
  return 0;
}

CH_BEHIND(epoll_wait);
int epoll_wait(int descriptor, struct epoll_event *events, int count, int milliseconds) {
  ch_simulation *s = milliseconds ? ch_in_program() : NULL;
  if (!s) return CH_REAL(epoll_wait)(descriptor, events, count, milliseconds);
  int ready = CH_REAL(epoll_wait)(descriptor, events, count, 0);
  if (ready) return ready;
  if (!ch_leaves(s, "epoll_wait", CH_FRAME)) return CH_REAL(epoll_wait)(descriptor, events, count, milliseconds);
  if (milliseconds < 0) ch_leave_step(s);
  ch_waits_in_vain_for(s, (int64_t)milliseconds * millisecond);
  return 0;
}

// Later signals never come, because they would follow the real clock.
CH_BEHIND(alarm);
unsigned alarm(unsigned seconds) {
  ch_simulation *s;
  return seconds && CH_LEAVES(s, "alarm") ? 0 : CH_REAL(alarm)(seconds);
}

CH_BEHIND(setitimer);
int setitimer(__itimer_which_t which, const struct itimerval *time, struct itimerval *old) {
  ch_simulation *s;
  bool isSet = time && (time->it_value.tv_sec || time->it_value.tv_usec);
  return isSet && CH_LEAVES(s, "setitimer") ? 0 : CH_REAL(setitimer)(which, time, old);
}

CH_BEHIND(timer_settime);
int timer_settime(timer_t timer, int flags, const struct itimerspec *time, struct itimerspec *old) {
  ch_simulation *s;
  bool isSet = time && nanoseconds(&time->it_value) > 0;
  return isSet && CH_LEAVES(s, "timer_settime") ? 0 : CH_REAL(timer_settime)(timer, flags, time, old);
}
#pragma clang attribute pop
#endif
