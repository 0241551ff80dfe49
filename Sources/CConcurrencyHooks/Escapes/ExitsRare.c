// Escapes by functions that few programs call: waits for signals, and variants of the functions in `ExitsWaits.c`.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { second = 1000000000, millisecond = 1000000 };

static int64_t nanoseconds(const struct timespec *time) { return (int64_t)time->tv_sec * second + time->tv_nsec; }

// MARK: time

CH_BEHIND(thrd_sleep);
int thrd_sleep(const struct timespec *time, struct timespec *left) {
  ch_simulation *s;
  if (ch_sleeps(nanoseconds(time), CH_FRAME)) return 0;
  if (!CH_LEAVES(s, "thrd_sleep")) return CH_REAL(thrd_sleep)(time, left);
  ch_waits_in_vain_for(s, nanoseconds(time));
  return 0;
}

CH_BEHIND(ualarm);
useconds_t ualarm(useconds_t time, useconds_t interval) {
  ch_simulation *s;
  return time && CH_LEAVES(s, "ualarm") ? 0 : CH_REAL(ualarm)(time, interval);
}

// The wait may be on either clock, and lasts equally long on both.
CH_BEHIND(sem_clockwait);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  ch_simulation *s = ch_in_program();
  if (!s) return CH_REAL(sem_clockwait)(semaphore, clock, until);
  struct timespec end = *until;
  if (clock == CLOCK_MONOTONIC) {
    int64_t time = nanoseconds(until) - ch_monotonic_epoch + ch_calendar_epoch;
    end = (struct timespec){time / second, time % second};
  }
  int error;
  if (ch_waits_for_post(semaphore, &end, CH_FRAME, &error)) return error;
  if (sem_trywait(semaphore) == 0) return 0;
  if (!ch_leaves(s, "sem_clockwait", CH_FRAME)) return CH_REAL(sem_clockwait)(semaphore, clock, until);
  ch_waits_in_vain_for(s, nanoseconds(&end) - ch_calendar_epoch - s->execution.now);
  errno = ETIMEDOUT;
  return -1;
}

// MARK: signals

CH_BEHIND(pause);
int pause(void) {
  ch_simulation *s;
  if (CH_LEAVES(s, "pause")) ch_leave_step(s);
  return CH_REAL(pause)();
}

CH_BEHIND(sigsuspend);
int sigsuspend(const sigset_t *mask) {
  ch_simulation *s;
  if (CH_LEAVES(s, "sigsuspend")) ch_leave_step(s);
  return CH_REAL(sigsuspend)(mask);
}

CH_BEHIND(sigtimedwait);
static int waiting_signal(const sigset_t *set, siginfo_t *info) {
  struct timespec none = {0, 0};
  return CH_REAL(sigtimedwait)(set, info, &none);
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time) {
  ch_simulation *s = time && nanoseconds(time) > 0 ? ch_in_program() : NULL;
  if (!s) return CH_REAL(sigtimedwait)(set, info, time);
  int got = waiting_signal(set, info);
  if (got > 0) return got;
  if (!ch_leaves(s, "sigtimedwait", CH_FRAME)) return CH_REAL(sigtimedwait)(set, info, time);
  ch_waits_in_vain_for(s, nanoseconds(time));
  errno = EAGAIN;
  return -1;
}

CH_BEHIND(sigwaitinfo);
int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
  ch_simulation *s = ch_in_program();
  int got = s ? waiting_signal(set, info) : 0;
  if (got > 0) return got;
  if (s && ch_leaves(s, "sigwaitinfo", CH_FRAME)) ch_leave_step(s);
  return CH_REAL(sigwaitinfo)(set, info);
}

CH_BEHIND(sigwait);
int sigwait(const sigset_t *set, int *number) {
  ch_simulation *s = ch_in_program();
  int got = s ? waiting_signal(set, NULL) : 0;
  if (got > 0) {
    *number = got;
    return 0;
  }
  if (s && ch_leaves(s, "sigwait", CH_FRAME)) ch_leave_step(s);
  return CH_REAL(sigwait)(set, number);
}

// MARK: descriptors

CH_BEHIND(epoll_pwait);
int epoll_pwait(int descriptor, struct epoll_event *events, int count, int milliseconds, const sigset_t *mask) {
  ch_simulation *s = milliseconds ? ch_in_program() : NULL;
  if (!s) return CH_REAL(epoll_pwait)(descriptor, events, count, milliseconds, mask);
  int ready = CH_REAL(epoll_pwait)(descriptor, events, count, 0, mask);
  if (ready) return ready;
  if (!ch_leaves(s, "epoll_pwait", CH_FRAME)) return CH_REAL(epoll_pwait)(descriptor, events, count, milliseconds, mask);
  if (milliseconds < 0) ch_leave_step(s);
  ch_waits_in_vain_for(s, (int64_t)milliseconds * millisecond);
  return 0;
}

CH_BEHIND(pselect);
int pselect(int count, fd_set *readable, fd_set *writable, fd_set *failed, const struct timespec *time,
            const sigset_t *mask) {
  int64_t wait = time ? nanoseconds(time) : -1;
  ch_simulation *s = wait ? ch_in_program() : NULL;
  if (!s || !ch_leaves(s, "pselect", CH_FRAME))
    return CH_REAL(pselect)(count, readable, writable, failed, time, mask);
  struct timespec none = {0, 0};
  int ready = CH_REAL(pselect)(count, readable, writable, failed, &none, mask);
  if (ready) return ready;
  if (wait < 0) ch_leave_step(s);
  ch_waits_in_vain_for(s, wait);
  return 0;
}

// MARK: processes

// Ends in a tail call, because a function that returns twice must not return to a frame that is gone.
typedef pid_t fork_function(void);
CH_BEHIND(vfork);
pid_t vfork(void) {
  ch_simulation *s;
  if (CH_LEAVES(s, "vfork")) {
    errno = EAGAIN;
    return -1;
  }
  fork_function *real = (fork_function *)ch_real(&real_vfork, "vfork");
  __attribute__((musttail)) return real();
}
#pragma clang attribute pop
#endif
