// Conditions, semaphores, read-write locks and sleeps, when steps are preemptible. A step that has to wait blocks. A signal,
// a post, an unlock or virtual time makes it runnable. With atomic steps, nothing waits here: a call that would wait is an
// escape (`ExitsWaits.c`).
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
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

// Returns the virtual instant of a time on a clock, or `never` if that is more than two centuries away.
static int64_t instant(clockid_t clock, const struct timespec *time) {
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
  int kind = simulator_lets_go(s->scheduler, (uintptr_t)mutex);
  int error = ch_open(mutex);
  if (error) {
    if (kind) simulator_holds(s->scheduler, (uintptr_t)mutex, kind);
    return error;
  }
  bool is_signaled = until > s->execution.now &&
                     simulator_waits(s->scheduler, CH_WAITS_FOR_SIGNAL, (uintptr_t)condition, until);
  ch_uses((uintptr_t)condition, NULL);
  if (!is_signaled) ch_preemption_point(s, frame);
  ch_uses((uintptr_t)mutex, NULL);
  error = ch_take(mutex, frame);
  if (!error && kind) simulator_holds(s->scheduler, (uintptr_t)mutex, kind);
  return error ? error : is_signaled ? 0 : ETIMEDOUT;
}

bool ch_waits_for_signal(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until,
                         void *const *frame, int *error) {
  if (!ch_is_runtime(frame[1])) ch_is_shared();
  ch_simulation *s = hands_over(frame);
  if (s) *error = wait_for_signal(s, condition, mutex, instant(clock_of(condition), until), frame);
  return s;
}

CH_BEHIND(pthread_cond_clockwait);
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  ch_simulation *s = hands_over(CH_FRAME);
  if (s) return wait_for_signal(s, condition, mutex, instant(clock, until), CH_FRAME);
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
  simulator_waits(s->scheduler, CH_WAITS_FOR_TIME, 0, until);
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
  int64_t end = instant(CLOCK_REALTIME, until);
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
  return true;
}

// A call that only tries shares the semaphore too.
int sem_trywait(sem_t *semaphore) {
  if (ch_current && !ch_is_runtime(CH_FRAME[1])) ch_uses((uintptr_t)semaphore, "`sem_trywait`");
  return CH_REAL(sem_trywait)(semaphore);
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

// MARK: read-write locks
//
// Read-write locks are taken by the calls that do not wait. If no step of this execution holds a lock that is taken, a thread
// outside the simulation holds it.

static int took(ch_simulation *s, pthread_rwlock_t *lock, int kind, void *const *frame) {
  // A reader keeps out only writers, so a step that holds the lock for reading may be preempted.
  if (kind == CH_HELD_FOR_WRITING) s->execution.locks_held++;
  s->point_frame = frame;
  ch_acquires_object((uintptr_t)lock);
  simulator_holds(s->scheduler, (uintptr_t)lock, kind);
  return 0;
}

// Returns true if this thread already holds the lock for writing. The library then returns an error instead of letting the
// thread wait for itself.
static bool is_told(const pthread_rwlock_t *lock) {
#if defined(__GLIBC__)
  return lock->__data.__cur_writer == gettid();
#else
  return false;
#endif
}

#define READ_WRITE_LOCK(name, try_name, kind, subject)                                      \
  CH_BEHIND(name);                                                                          \
  CH_BEHIND(try_name);                                                                      \
  static int name##_of_program(pthread_rwlock_t *lock) {                                    \
    ch_is_touched((uintptr_t)lock);                                                         \
    ch_simulation *s = ch_current;                                                          \
    if (ch_is_followed(s)) ch_takes_another(lock, CH_FRAME);                                \
    ch_uses((uintptr_t)lock, "`" #name "`");                                                \
    if (!ch_is_followed(s)) return CH_REAL(name)(lock);                                     \
    int error;                                                                              \
    while ((error = CH_REAL(try_name)(lock)) == EBUSY && !is_told(lock) && ch_can_park(s) && \
           simulator_is_held(s->scheduler, (uintptr_t)lock)) {                              \
      simulator_waits(s->scheduler, subject, (uintptr_t)lock, never);                       \
      ch_uses((uintptr_t)lock, NULL);                                                       \
    }                                                                                       \
    if (error == EBUSY) error = CH_REAL(name)(lock);                                        \
    return error ? error : took(s, lock, kind, CH_FRAME);                                   \
  }                                                                                         \
  static int try_name##_of_program(pthread_rwlock_t *lock) {                                \
    ch_uses((uintptr_t)lock, "`" #try_name "`");                                            \
    int error = CH_REAL(try_name)(lock);                                                    \
    return error || !ch_is_followed(ch_current) ? error : took(ch_current, lock, kind, CH_FRAME); \
  }
READ_WRITE_LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, CH_HELD_FOR_READING, CH_WAITS_TO_READ)
READ_WRITE_LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, CH_HELD_FOR_WRITING, CH_WAITS_TO_WRITE)

CH_BEHIND(pthread_rwlock_unlock);
static int unlock_of_program(pthread_rwlock_t *lock) {
  ch_uses((uintptr_t)lock, "`pthread_rwlock_unlock`");
  int error = CH_REAL(pthread_rwlock_unlock)(lock);
  ch_simulation *s = ch_current;
  if (error || !ch_is_followed(s)) return error;
  s->point_frame = CH_FRAME;
  ch_releases_object((uintptr_t)lock);
  int kind = simulator_lets_go(s->scheduler, (uintptr_t)lock);
  if (kind == CH_HELD_FOR_WRITING && s->execution.locks_held) s->execution.locks_held--;
  if (!simulator_is_held(s->scheduler, (uintptr_t)lock)) simulator_frees(s->scheduler, (uintptr_t)lock);
  ch_preemption_point_without_locks(s, CH_FRAME);
  return 0;
}

// Resets the lock, because only the thread that has locked it could unlock it. Its attributes stay.
void ch_unlock_abandoned_read_write_lock(uintptr_t address) {
  pthread_rwlock_t *lock = (pthread_rwlock_t *)address;
  pthread_rwlock_t fresh = PTHREAD_RWLOCK_INITIALIZER;
#if defined(__GLIBC__)
  fresh.__data.__flags = lock->__data.__flags;
  fresh.__data.__shared = lock->__data.__shared;
#endif
  *lock = fresh;
}

__attribute__((constructor)) static void install(void) {
  Dl_info info;
  struct link_map *program = NULL;
  if (!dladdr1((void *)install, &info, (void **)&program, RTLD_DL_LINKMAP) || !program) return;
  // Resolved before they are redirected.
  CH_REAL(pthread_rwlock_rdlock);
  CH_REAL(pthread_rwlock_tryrdlock);
  CH_REAL(pthread_rwlock_wrlock);
  CH_REAL(pthread_rwlock_trywrlock);
  CH_REAL(pthread_rwlock_unlock);
  ch_redirect_imports(program, "pthread_rwlock_rdlock", (void *)pthread_rwlock_rdlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_tryrdlock", (void *)pthread_rwlock_tryrdlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_wrlock", (void *)pthread_rwlock_wrlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_trywrlock", (void *)pthread_rwlock_trywrlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_unlock", (void *)unlock_of_program);
}
#pragma clang attribute pop
#endif
