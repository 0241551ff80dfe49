// Who takes a lock, for the reduced search: what a lock guards is shared, and nothing else tells by whom. Seen are the
// locks that call libc: `NSLock` and its kin, which Foundation imports, and `pthread_mutex_lock` where the program calls it
// by name. The standard library's `Mutex` and the atomics are part of the code that uses them; nothing is called.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

extern void simulator_shares_unseen(void *scheduler, const char *name);

void ch_shares_unseen(const char *name) {
  ch_simulation *s = ch_current;
  if (s && s->execution.follows_dependencies && s->phase && *s->phase == CH_PHASE_STEP)
    simulator_shares_unseen(s->scheduler, name);
}

typedef int lock_function(pthread_mutex_t *);
static lock_function *real_lock, *real_try_lock, *real_unlock;
static struct link_map *foundation;

static bool is_foundation(const void *code) {
  Dl_info info;
  return dladdr(code, &info) && (uintptr_t)info.dli_fbase == foundation->l_addr;
}

// Whether nothing is left to do at `code` but to return: what stands between a protocol and its implementation.
static bool only_returns(const void *code) {
#if defined(__x86_64__)
  static const unsigned char ending[] = {0x48, 0x83, 0xc4, 0x08, 0x41, 0x5d, 0x5d, 0xc3};
  return !memcmp(code, ending, sizeof ending);
#else
  const uint32_t *instructions = code;
  for (int n = 0; n < 4; n++)
    if (instructions[n] == 0xd65f03c0) return true;
  return false;
#endif
}

// What the function that has this frame returns to; NULL where its caller keeps no frames.
static const void *caller_above(void *const *frame) {
  void *const *above = frame[0];
  bool is_frame = above > frame && above < frame + 0x10000 && (uintptr_t)above % sizeof(void *) == 0;
  return is_frame ? above[1] : NULL;
}

// MARK: waiting for a lock
//
// A lock that is not free is held by a step that stands, where steps may overlap, or by a thread of others.

extern void simulator_may_stand(void *scheduler);
extern bool simulator_waits_for_lock(void *scheduler, uintptr_t lock);
extern void simulator_took_lock(void *scheduler, uintptr_t lock);
extern void simulator_opened_lock(void *scheduler, uintptr_t lock);

static bool is_followed(const ch_simulation *s) { return s && s->execution.overlaps && ch_in_step(s); }

static int took(ch_simulation *s, pthread_mutex_t *lock) {
  s->execution.locks_held++;
  simulator_took_lock(s->scheduler, (uintptr_t)lock);
  return 0;
}

// Whether the lock tells a thread that takes it twice, instead of letting it wait for itself.
static bool checks_errors(const pthread_mutex_t *lock) {
#if defined(__GLIBC__)
  return (lock->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP;
#else
  return false;
#endif
}

// With a lock in hand, a step may be left only before it takes another: so each waits for what the other holds.
static void takes_another(void *const *frame) {
  ch_simulation *s = ch_current;
  if (!is_followed(s)) return;
  s->stands_at = frame;
  if (s->execution.locks_held && swift_task_getCurrent()) simulator_may_stand(s->scheduler);
}

int ch_take(pthread_mutex_t *lock) {
  ch_simulation *s = ch_current;
  if (!is_followed(s)) return ch_lock_untold(lock);
  int error;
  while ((error = real_try_lock(lock)) == EBUSY && !checks_errors(lock) &&
         simulator_waits_for_lock(s->scheduler, (uintptr_t)lock)) {}
  if (error == EBUSY) error = real_lock(lock);
  return error ? error : took(s, lock);
}

int ch_try(pthread_mutex_t *lock) {
  int error = real_try_lock(lock);
  return error || !is_followed(ch_current) ? error : took(ch_current, lock);
}

int ch_open(pthread_mutex_t *lock) {
  int error = (real_unlock ? real_unlock : pthread_mutex_unlock)(lock);
  ch_simulation *s = ch_current;
  if (error || !is_followed(s)) return error;
  if (s->execution.locks_held) s->execution.locks_held--;
  simulator_opened_lock(s->scheduler, (uintptr_t)lock);
  return 0;
}

// MARK: whose calls are told

// Foundation's own locks are its own business. Its classes end in a jump to libc, so what they return to has called them:
// the program, or what leads there from `NSLocking`, as `withLock` does.
static bool is_of_program(const void *caller, void *const *frame) {
  return !is_foundation(caller) || (only_returns(caller) && !is_foundation(caller_above(frame)));
}
static void foundation_locks(const void *caller, void *const *frame) {
  if (!ch_current || !ch_current->execution.follows_dependencies) return;
  if (is_of_program(caller, frame)) ch_shares_unseen("`NSLock`");
}

static int lock_of_foundation(pthread_mutex_t *mutex) {
  if (is_followed(ch_current) && is_of_program(__builtin_return_address(0), __builtin_frame_address(0))) takes_another(CH_FRAME);
  foundation_locks(__builtin_return_address(0), __builtin_frame_address(0));
  return ch_take(mutex);
}
static int try_lock_of_foundation(pthread_mutex_t *mutex) {
  foundation_locks(__builtin_return_address(0), __builtin_frame_address(0));
  return ch_try(mutex);
}
static int unlock_of_foundation(pthread_mutex_t *mutex) {
  int error = ch_open(mutex);
  ch_simulation *s = ch_current;
  if (s && s->execution.overlaps && is_of_program(__builtin_return_address(0), __builtin_frame_address(0))) ch_set_free(s);
  return error;
}
static int lock_of_program(pthread_mutex_t *mutex) {
  ch_shares_unseen("`pthread_mutex_lock`");
  takes_another(CH_FRAME);
  return ch_take(mutex);
}
static int try_lock_of_program(pthread_mutex_t *mutex) {
  ch_shares_unseen("`pthread_mutex_trylock`");
  return ch_try(mutex);
}
static int unlock_of_program(pthread_mutex_t *mutex) {
  int error = ch_open(mutex);
  if (ch_current) ch_set_free(ch_current);
  return error;
}

// MARK: what is made once
//
// Who comes second waits, inside the library, for the step that makes it: that one is not left meanwhile. The program's
// calls come here from the first execution on in which steps may overlap.

typedef void once_function(void *predicate, void (*make)(void *), void *context);
static once_function *real_once;
static struct link_map *program;

static void once(void *predicate, void (*make)(void *), void *context) {
  bool isFollowed = is_followed(ch_current);
  ch_untold_locks += isFollowed;
  real_once(predicate, make, context);
  ch_untold_locks -= isFollowed;
}

void ch_expect_overlap(void) {
  static atomic_flag is_done = ATOMIC_FLAG_INIT;
  if (program && !atomic_flag_test_and_set(&is_done)) ch_redirect_imports(program, "swift_once", (void *)once);
}

// MARK: the simulator's own, of which nothing is told

void *ch_make_lock(void) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (!lock || pthread_mutex_init(lock, NULL)) abort();
  return lock;
}
void ch_free_lock(void *lock) {
  pthread_mutex_destroy(lock);
  free(lock);
}
int ch_lock_untold(pthread_mutex_t *lock) { return (real_lock ? real_lock : pthread_mutex_lock)(lock); }
_Thread_local uint32_t ch_untold_locks __attribute__((tls_model("initial-exec"))) = 0;
void ch_lock(void *lock) {
  ch_lock_untold(lock);
  ch_untold_locks++;
}
void ch_unlock(void *lock) {
  ch_untold_locks--;
  (real_unlock ? real_unlock : pthread_mutex_unlock)(lock);
}

static struct link_map *library_of(const void *address) {
  Dl_info info;
  struct link_map *library = NULL;
  return address && dladdr1(address, &info, (void **)&library, RTLD_DL_LINKMAP) ? library : NULL;
}

__attribute__((constructor)) static void install(void) {
  real_lock = (lock_function *)dlsym(RTLD_DEFAULT, "pthread_mutex_lock");
  real_try_lock = (lock_function *)dlsym(RTLD_DEFAULT, "pthread_mutex_trylock");
  real_unlock = (lock_function *)dlsym(RTLD_DEFAULT, "pthread_mutex_unlock");
  if (!real_lock || !real_try_lock || !real_unlock) abort();
  foundation = library_of(dlsym(RTLD_DEFAULT, "$s10Foundation6NSLockC4lockyyF"));
  if (foundation) {
    ch_redirect_imports(foundation, "pthread_mutex_lock", (void *)lock_of_foundation);
    ch_redirect_imports(foundation, "pthread_mutex_trylock", (void *)try_lock_of_foundation);
    ch_redirect_imports(foundation, "pthread_mutex_unlock", (void *)unlock_of_foundation);
  }
  real_once = (once_function *)dlsym(RTLD_DEFAULT, "swift_once");
  if (!real_once) abort();
  program = library_of((void *)install);
  if (program) {
    ch_redirect_imports(program, "pthread_mutex_lock", (void *)lock_of_program);
    ch_redirect_imports(program, "pthread_mutex_trylock", (void *)try_lock_of_program);
    ch_redirect_imports(program, "pthread_mutex_unlock", (void *)unlock_of_program);
  }
}
#pragma clang attribute pop
#endif
