// Locks that are waited for until a time limit: the timed calls of the C library, and `lock(before:)` of `NSLock` and
// `NSRecursiveLock`. If steps are preemptible, a step that has to wait is blocked until the lock is released or virtual time
// has come to the limit. If they are atomic, no other step can release it, so a search with preemptible steps takes over.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

typedef struct {
  const char *name;
  void *lock;
  int (*try)(void *lock), (*wait)(void *lock);
  int (*wait_until)(void *lock, clockid_t clock, const struct timespec *limit);
  ch_lock_kind kind;
  ch_wait_subject subject;
  bool tells_its_holder;  // the calling thread holds it, and the library reports that
} timed_lock;

// A thread outside the simulation holds the lock. Waits for it in real time, as long as the step would have waited.
static int wait_outside(const timed_lock *l, int64_t nanoseconds) {
  struct timespec limit;
  if (nanoseconds < 0) nanoseconds = 0;
  ch_real_time(CLOCK_REALTIME, &limit);
  limit.tv_sec += nanoseconds / 1000000000;
  limit.tv_nsec += nanoseconds % 1000000000;
  if (limit.tv_nsec >= 1000000000) {
    limit.tv_sec++;
    limit.tv_nsec -= 1000000000;
  }
  return l->wait_until(l->lock, CLOCK_REALTIME, &limit);
}

static int take_in_step(ch_simulation *s, const timed_lock *l, int64_t until, void *const *frame) {
  bool only_tries = until <= s->execution.now;
  if (only_tries) ch_tries(s, l->lock, frame);
  else ch_takes_another(l->lock, frame);
  ch_uses((uintptr_t)l->lock, NULL);
  int error;
  while ((error = l->try(l->lock)) == EBUSY && !l->tells_its_holder) {
    if (only_tries) {
      ch_has_missed(s, l->lock, frame);
      return ETIMEDOUT;
    }
    if (!ch_can_park(s) || !simulator_is_held(s->scheduler, (uintptr_t)l->lock)) {
      error = wait_outside(l, until - s->execution.now);
      break;
    }
    s->point_frame = frame;
    bool is_free = simulator_waits(s->scheduler, l->subject, (uintptr_t)l->lock, until);
    ch_uses((uintptr_t)l->lock, NULL);
    if (is_free) continue;
    // Others may release it before the step goes on.
    ch_preemption_point(s, frame);
    return ETIMEDOUT;
  }
  if (error == EBUSY) error = l->wait(l->lock);
  if (!error) ch_took(s, (uintptr_t)l->lock, l->kind, frame);
  return error;
}

static int take_until(const timed_lock *l, clockid_t clock, const struct timespec *limit, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!s) return l->wait_until(l->lock, clock, limit);
  if (limit->tv_nsec < 0 || limit->tv_nsec >= 1000000000) {
    // Only a call that would have to wait looks at the limit.
    int error = l->try(l->lock);
    if (!error && ch_is_followed(s)) ch_took(s, (uintptr_t)l->lock, l->kind, frame);
    return error == EBUSY && !l->tells_its_holder ? EINVAL : error == EBUSY ? l->wait(l->lock) : error;
  }
  int64_t until = ch_instant(clock, limit);
  if (ch_is_followed(s)) return take_in_step(s, l, until, frame);
  // The limit is a virtual time here, too.
  if (!ch_in_program() || ch_untold_locks) return wait_outside(l, until - s->execution.now);
  int error = l->try(l->lock);
  if (error != EBUSY) return error;
  if (l->tells_its_holder) return l->wait(l->lock);
  ch_is_shared();
  if (until <= s->execution.now) return ETIMEDOUT;
  if (!ch_leaves(s, l->name, frame)) return wait_outside(l, until - s->execution.now);
  if (until == INT64_MAX) ch_leave_step(s);
  ch_waits_in_vain_for(s, until - s->execution.now);
  return ETIMEDOUT;
}

// MARK: mutexes

CH_BEHIND(pthread_mutex_lock);
CH_BEHIND(pthread_mutex_trylock);
CH_BEHIND(pthread_mutex_clocklock);

static int real_mutex_lock(void *lock) { return CH_REAL(pthread_mutex_lock)(lock); }
static int real_mutex_try(void *lock) { return CH_REAL(pthread_mutex_trylock)(lock); }
static int real_mutex_until(void *lock, clockid_t clock, const struct timespec *limit) {
  return CH_REAL(pthread_mutex_clocklock)(lock, clock, limit);
}

static int take_mutex_until(pthread_mutex_t *mutex, ch_lock_kind kind, clockid_t clock, const struct timespec *limit,
                            void *const *frame) {
  // A wait without an end is one for a lock like any other.
  ch_is_touched((uintptr_t)mutex);
  if (ch_is_followed(ch_current) && ch_instant(clock, limit) == INT64_MAX) {
    ch_takes_another(mutex, frame);
    ch_uses((uintptr_t)mutex, NULL);
    return ch_take(mutex, kind, frame);
  }
  timed_lock l = {
      "pthread_mutex_timedlock", mutex, real_mutex_try, real_mutex_lock, real_mutex_until, kind, CH_WAITS_FOR_LOCK,
      ch_tells_its_holder(mutex)};
  return take_until(&l, clock, limit, frame);
}

static int timedlock_of_program(pthread_mutex_t *mutex, const struct timespec *limit) {
  return take_mutex_until(mutex, CH_LOCK_MUTEX, CLOCK_REALTIME, limit, CH_FRAME);
}
static int clocklock_of_program(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit) {
  return take_mutex_until(mutex, CH_LOCK_MUTEX, clock, limit, CH_FRAME);
}
// Only `lock(before:)` calls it.
static int timedlock_of_foundation(pthread_mutex_t *mutex, const struct timespec *limit) {
  return take_mutex_until(mutex, ch_kind_in_foundation(mutex, true), CLOCK_REALTIME, limit, CH_FRAME);
}

// MARK: read-write locks

CH_BEHIND(pthread_rwlock_clockrdlock);
CH_BEHIND(pthread_rwlock_clockwrlock);

#define TIMED(how, kind, subject)                                                                                            \
  CH_BEHIND(pthread_rwlock_##how##lock);                                                                                     \
  CH_BEHIND(pthread_rwlock_try##how##lock);                                                                                  \
  static int real_##how(void *lock) { return CH_REAL(pthread_rwlock_##how##lock)(lock); }                                    \
  static int real_try_##how(void *lock) { return CH_REAL(pthread_rwlock_try##how##lock)(lock); }                             \
  static int real_##how##_until(void *lock, clockid_t clock, const struct timespec *limit) {                                 \
    return CH_REAL(pthread_rwlock_clock##how##lock)(lock, clock, limit);                                                     \
  }                                                                                                                          \
  static int take_##how##_until(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *limit, void *const *frame) { \
    ch_is_touched((uintptr_t)lock);                                                                                          \
    timed_lock l = {"pthread_rwlock_timed" #how "lock", lock, real_try_##how, real_##how, real_##how##_until, kind, subject, \
                    ch_tells_its_writer(lock)};                                                                              \
    return take_until(&l, clock, limit, frame);                                                                              \
  }                                                                                                                          \
  static int clock##how##lock_of_program(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *limit) {            \
    return take_##how##_until(lock, clock, limit, CH_FRAME);                                                                 \
  }                                                                                                                          \
  static int timed##how##lock_of_program(pthread_rwlock_t *lock, const struct timespec *limit) {                             \
    return take_##how##_until(lock, CLOCK_REALTIME, limit, CH_FRAME);                                                        \
  }
TIMED(rd, CH_LOCK_FOR_READING, CH_WAITS_TO_READ)
TIMED(wr, CH_LOCK_FOR_WRITING, CH_WAITS_TO_WRITE)

__attribute__((constructor)) static void install(void) {
  // Find the real functions before the calls are redirected.
  CH_REAL(pthread_mutex_lock);
  CH_REAL(pthread_mutex_trylock);
  CH_REAL(pthread_mutex_clocklock);
  CH_REAL(pthread_rwlock_rdlock);
  CH_REAL(pthread_rwlock_tryrdlock);
  CH_REAL(pthread_rwlock_clockrdlock);
  CH_REAL(pthread_rwlock_wrlock);
  CH_REAL(pthread_rwlock_trywrlock);
  CH_REAL(pthread_rwlock_clockwrlock);
  const struct link_map *foundation = ch_find_foundation(), *program = ch_image_with((void *)install);
  if (foundation) ch_redirect_imports(foundation, "pthread_mutex_timedlock", (void *)timedlock_of_foundation);
  if (!program) return;
  ch_redirect_imports(program, "pthread_mutex_timedlock", (void *)timedlock_of_program);
  ch_redirect_imports(program, "pthread_mutex_clocklock", (void *)clocklock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_timedrdlock", (void *)timedrdlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_clockrdlock", (void *)clockrdlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_timedwrlock", (void *)timedwrlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_clockwrlock", (void *)clockwrlock_of_program);
}
#pragma clang attribute pop
#endif
