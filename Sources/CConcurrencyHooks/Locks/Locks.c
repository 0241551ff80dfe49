// Notes which step takes a lock, for the reduced search: what a lock guards is shared, and nothing else shows by whom. The
// hooks see locks that call libc: `NSLock` and its kin, by Foundation's imports, and `pthread_mutex_lock` if the program calls
// it by name. The standard library's `Mutex` and the atomics are inlined into the code that uses them, and call nothing.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

void ch_shares_unseen(const char *name) {
  ch_simulation *s = ch_current;
  if (s && s->execution.follows_dependencies && s->phase && *s->phase == CH_PHASE_STEP)
    simulator_shares_unseen(s->scheduler, name);
}

typedef int lock_function(pthread_mutex_t *);
static lock_function *real_lock, *real_try_lock, *real_unlock;

// MARK: waiting for a lock
//
// A lock that is not free is held by a parked step, if steps are preemptible, or by a thread outside the simulation.

// What a reader has done happens before what a later writer does, and not before what a later reader does.
static uintptr_t of_readers(uintptr_t lock) { return lock + 1; }

void ch_took(ch_simulation *s, uintptr_t lock, ch_lock_kind kind, void *const *frame) {
  // A reader keeps out only writers, so a step that holds the lock for reading may be preempted.
  if (kind != CH_LOCK_FOR_READING) s->execution.of_step.locks_held++;
  s->execution.of_step.failed_tries = s->execution.of_step.failed_lock = 0;
  if (frame) s->point_frame = frame;
  // A queue orders by itself what runs on it.
  if (kind != CH_LOCK_OF_QUEUE) ch_acquires_object(lock);
  if (kind == CH_LOCK_FOR_WRITING) ch_acquires_object(of_readers(lock));
  simulator_took_lock(s->scheduler, lock, kind);
  if (frame) ch_may_be_caught_with(s, lock, frame);
}

// MARK: steps that only try
//
// A step that waits for a lock cannot tell how far its holder has come. One that only tries can: it may come in the middle of
// what the holder does. So it may be parked just before it tries, and while it is, a step that takes the lock may be parked with
// it. A lock that no step tries to take brings no such point.

void ch_may_be_caught_with(ch_simulation *s, uintptr_t lock, void *const *frame) {
  s->execution.of_step.failed_tries = s->execution.of_step.failed_lock = 0;
  if (ch_is_followed(s) && simulator_is_tried(s->scheduler, lock)) ch_preemption_point(s, frame);
}

// A step that polls a lock is left after each of its first tries that fail. Then it gives way to the holder.
enum { few_tries = 3, many_tries = 100 };

void ch_tries(ch_simulation *s, const void *lock, void *const *frame) {
  if (!ch_is_followed(s) || ch_untold_locks || !ch_running_task()) return;
  // Nothing has happened since the point after the last failure, or no more of them are points.
  if (s->execution.of_step.failed_tries >= few_tries || s->execution.of_step.failed_lock == (uintptr_t)lock) {
    if (ch_has_acted(s)) ch_preemption_point_without_locks(s, frame);
    return;
  }
  // That it has come here matters to a step that takes the lock.
  ch_uses((uintptr_t)lock, NULL);
  s->point_object = (uintptr_t)lock;
  s->point_object_is_lock = true;
  s->tries = (uintptr_t)lock;
  ch_preemption_point(s, frame);
  s->tries = 0;
  ch_uses((uintptr_t)lock, NULL);
}

void ch_has_missed(ch_simulation *s, const void *lock, void *const *frame) {
  if (s->execution.of_step.failed_tries++ >= few_tries) {
    ch_shares_unseen("a lock that a step keeps trying to take");
    return;
  }
  // It may try again.
  s->execution.of_step.failed_lock = s->tries = (uintptr_t)lock;
  ch_preemption_point(s, frame);
  s->tries = 0;
  ch_uses((uintptr_t)lock, NULL);
}

ch_lock_kind ch_opened(ch_simulation *s, uintptr_t lock) {
  ch_lock_kind kind = simulator_unlocked(s->scheduler, lock);
  if (kind == CH_LOCK_FOR_READING) ch_releases_object(of_readers(lock));
  else if (kind != CH_LOCK_OF_QUEUE) ch_releases_object(lock);
  if (kind != CH_LOCK_FOR_READING && s->execution.of_step.locks_held) s->execution.of_step.locks_held--;
  return kind;
}

bool ch_tells_its_holder(const pthread_mutex_t *lock) {
#if defined(__GLIBC__)
  return (lock->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP && lock->__data.__owner == gettid();
#else
  return false;
#endif
}

// A step that holds a lock may be preempted only before it takes another: that is how two steps come to wait for each other.
// After an atomic, it may be preempted before it takes any lock.
void ch_takes_another(const void *lock, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s)) return;
  s->point_frame = frame;
  bool isPoint = s->execution.of_step.locks_held || ch_has_acted(s) || simulator_holds_any(s->scheduler);
  s->execution.of_step.has_acted = false;
  if (!isPoint || !ch_running_task()) return;
  s->point_object = (uintptr_t)lock;
  s->point_object_is_lock = true;
  simulator_preemption_point(s->scheduler);
}

void ch_takes(ch_simulation *s, const void *lock, void *const *frame) {
  if (s->execution.of_step.locks_held) ch_takes_another(lock, frame);
  else ch_preemption_point(s, frame);
}

// Takes a lock if steps are atomic. No other step can unlock one that is not free, so this step is abandoned, and a search with
// preemptible steps takes over.
static int take_whole(ch_simulation *s, pthread_mutex_t *lock, void *const *frame) {
  if (!s || !frame || !ch_in_step(s) || ch_untold_locks) return ch_lock_untold(lock);
  int error = real_try_lock(lock);
  if (error != EBUSY) return error;
  if (ch_tells_its_holder(lock)) return ch_lock_untold(lock);
  ch_is_shared();
  if (ch_leaves(s, "pthread_mutex_lock", frame)) ch_leave_step(s);
  return ch_lock_untold(lock);
}

int ch_take(pthread_mutex_t *lock, ch_lock_kind kind, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s)) return take_whole(s, lock, frame);
  int error;
  while ((error = real_try_lock(lock)) == EBUSY && !ch_tells_its_holder(lock) &&
         simulator_waits_for_lock(s->scheduler, (uintptr_t)lock))
    ch_uses((uintptr_t)lock, NULL);
  if (error == EBUSY) error = real_lock(lock);
  if (!error) ch_took(s, (uintptr_t)lock, kind, frame);
  return error;
}

int ch_try(pthread_mutex_t *lock, ch_lock_kind kind, void *const *frame) {
  ch_simulation *s = ch_current;
  if (frame) ch_tries(s, lock, frame);
  else if (s && ch_has_acted(s)) ch_preemption_point_without_locks(s, CH_FRAME);
  int error = real_try_lock(lock);
  if (!ch_is_followed(s)) return error;
  if (!error) {
    ch_took(s, (uintptr_t)lock, kind, frame);
  } else if (error == EBUSY) {
    if (frame) ch_has_missed(s, lock, frame);
    else s->execution.of_step.failed_tries++;
    // A step that keeps trying would keep the holder from ever unlocking it.
    if (s->execution.of_step.failed_tries > many_tries) simulator_waits_for_lock(s->scheduler, (uintptr_t)lock);
  }
  return error;
}

ch_lock_kind ch_open(pthread_mutex_t *lock, int *error) {
  *error = ch_unlock_untold(lock);
  ch_simulation *s = ch_current;
  return *error || !ch_is_followed(s) ? CH_LOCK_OF_LIBRARY : ch_opened(s, (uintptr_t)lock);
}

ch_lock_kind ch_kind_in_foundation(const pthread_mutex_t *lock, bool is_of_program) {
  if (!is_of_program) return CH_LOCK_OF_LIBRARY;
#if defined(__GLIBC__)
  return (lock->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP ? CH_LOCK_NSRECURSIVELOCK : CH_LOCK_NSLOCK;
#else
  return CH_LOCK_NSLOCK;
#endif
}

// MARK: Foundation

static void foundation_uses(pthread_mutex_t *mutex, const void *caller, void *const *frame) {
  if (!ch_current || !ch_current->execution.follows_dependencies) return;
  // If steps are preemptible, what Foundation takes for itself counts too, for example in `lock(before:)`.
  if (ch_current->execution.overlaps || ch_is_call_of_program(caller, frame)) ch_uses((uintptr_t)mutex, "`NSLock`");
}

static bool is_watched(const ch_simulation *s) { return s && s->execution.watches_sharing; }
#define CALLED_BY_PROGRAM ch_is_call_of_program(__builtin_return_address(0), __builtin_frame_address(0))

static int lock_of_foundation(pthread_mutex_t *mutex) {
  if (ch_is_followed(ch_current) && CALLED_BY_PROGRAM) ch_takes_another(mutex, CH_FRAME);
  if (is_watched(ch_current) && CALLED_BY_PROGRAM) ch_is_touched((uintptr_t)mutex);
  if (ch_current && !CALLED_BY_PROGRAM) ch_locks_for_safe_call((uintptr_t)mutex, __builtin_return_address(0), CH_FRAME);
  foundation_uses(mutex, __builtin_return_address(0), __builtin_frame_address(0));
  // A lock that Foundation takes for itself is soon unlocked again, perhaps by a thread that runs no step.
  bool isOfProgram = ch_current && CALLED_BY_PROGRAM;
  return ch_take(mutex, ch_kind_in_foundation(mutex, isOfProgram), isOfProgram ? CH_FRAME : NULL);
}
static int try_lock_of_foundation(pthread_mutex_t *mutex) {
  if (is_watched(ch_current) && CALLED_BY_PROGRAM) ch_is_touched((uintptr_t)mutex);
  foundation_uses(mutex, __builtin_return_address(0), __builtin_frame_address(0));
  bool isOfProgram = ch_is_followed(ch_current) && CALLED_BY_PROGRAM;
  return ch_try(mutex, ch_kind_in_foundation(mutex, isOfProgram), isOfProgram ? CH_FRAME : NULL);
}
static int unlock_of_foundation(pthread_mutex_t *mutex) {
  foundation_uses(mutex, __builtin_return_address(0), __builtin_frame_address(0));
  int error;
  ch_open(mutex, &error);
  if (ch_current && ch_current->execution.overlaps) {
    bool isOfProgram = CALLED_BY_PROGRAM;
    ch_has_opened(ch_current, isOfProgram, CH_FRAME);
    if (!isOfProgram) ch_unlocked_for_safe_call(__builtin_return_address(0), CH_FRAME);
  }
  return error;
}
static int lock_of_program(pthread_mutex_t *mutex) {
  ch_is_touched((uintptr_t)mutex);
  ch_takes_another(mutex, CH_FRAME);
  ch_uses((uintptr_t)mutex, "`pthread_mutex_lock`");
  return ch_take(mutex, CH_LOCK_MUTEX, CH_FRAME);
}
static int try_lock_of_program(pthread_mutex_t *mutex) {
  ch_is_touched((uintptr_t)mutex);
  ch_uses((uintptr_t)mutex, "`pthread_mutex_trylock`");
  return ch_try(mutex, CH_LOCK_MUTEX, CH_FRAME);
}
static int unlock_of_program(pthread_mutex_t *mutex) {
  ch_uses((uintptr_t)mutex, "`pthread_mutex_unlock`");
  int error;
  ch_open(mutex, &error);
  if (ch_current && ch_current->execution.overlaps) ch_has_opened(ch_current, true, CH_FRAME);
  return error;
}

int ch_lock_untold(pthread_mutex_t *lock) { return (real_lock ? real_lock : pthread_mutex_lock)(lock); }
int ch_unlock_untold(pthread_mutex_t *lock) { return (real_unlock ? real_unlock : pthread_mutex_unlock)(lock); }

void ch_unlock_abandoned(uintptr_t lock, ch_lock_kind kind) {
  switch (kind) {
    case CH_LOCK_OF_QUEUE: break;  // the queue itself is not locked
    case CH_LOCK_WORD: ch_free_mutex(lock); break;
    case CH_LOCK_FOR_READING:
    case CH_LOCK_FOR_WRITING: ch_reset_read_write_lock(lock); break;
    case CH_LOCK_OF_LIBRARY:
    case CH_LOCK_MUTEX:
    case CH_LOCK_NSLOCK:
    case CH_LOCK_NSRECURSIVELOCK: ch_unlock_untold((pthread_mutex_t *)lock);
  }
}

__attribute__((constructor)) static void install(void) {
  real_lock = (lock_function *)dlsym(RTLD_DEFAULT, "pthread_mutex_lock");
  real_try_lock = (lock_function *)dlsym(RTLD_DEFAULT, "pthread_mutex_trylock");
  real_unlock = (lock_function *)dlsym(RTLD_DEFAULT, "pthread_mutex_unlock");
  if (!real_lock || !real_try_lock || !real_unlock) abort();
  const struct link_map *foundation = ch_find_foundation();
  if (foundation) {
    ch_redirect_imports(foundation, "pthread_mutex_lock", (void *)lock_of_foundation);
    ch_redirect_imports(foundation, "pthread_mutex_trylock", (void *)try_lock_of_foundation);
    ch_redirect_imports(foundation, "pthread_mutex_unlock", (void *)unlock_of_foundation);
  }
  struct link_map *program = ch_image_with((void *)install);
  if (program) {
    ch_redirect_imports(program, "pthread_mutex_lock", (void *)lock_of_program);
    ch_redirect_imports(program, "pthread_mutex_trylock", (void *)try_lock_of_program);
    ch_redirect_imports(program, "pthread_mutex_unlock", (void *)unlock_of_program);
  }
}
#pragma clang attribute pop
#endif
