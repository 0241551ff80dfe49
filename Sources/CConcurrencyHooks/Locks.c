// Who takes a lock, for the reduced search: what a lock guards is shared, and nothing else tells by whom. Seen are the
// locks that call libc: `NSLock` and its kin, which Foundation imports, and `pthread_mutex_lock` where the program calls it
// by name. The standard library's `Mutex` and the atomics are part of the code that uses them; nothing is called.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
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
static lock_function *real_lock, *real_try_lock;
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

// Foundation's own locks are its own business. Its classes end in a jump to libc, so what they return to has called them:
// the program, or what leads there from `NSLocking`, as `withLock` does.
static void foundation_locks(const void *caller, void *const *frame) {
  if (!ch_current || !ch_current->execution.follows_dependencies) return;
  if (is_foundation(caller) && (!only_returns(caller) || is_foundation(caller_above(frame)))) return;
  ch_shares_unseen("`NSLock`");
}

static int lock_of_foundation(pthread_mutex_t *mutex) {
  foundation_locks(__builtin_return_address(0), __builtin_frame_address(0));
  return real_lock(mutex);
}
static int try_lock_of_foundation(pthread_mutex_t *mutex) {
  foundation_locks(__builtin_return_address(0), __builtin_frame_address(0));
  return real_try_lock(mutex);
}
static int lock_of_program(pthread_mutex_t *mutex) {
  ch_shares_unseen("`pthread_mutex_lock`");
  return real_lock(mutex);
}
static int try_lock_of_program(pthread_mutex_t *mutex) {
  ch_shares_unseen("`pthread_mutex_trylock`");
  return real_try_lock(mutex);
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
void ch_lock(void *lock) { ch_lock_untold(lock); }
void ch_unlock(void *lock) { pthread_mutex_unlock(lock); }

static struct link_map *library_of(const void *address) {
  Dl_info info;
  struct link_map *library = NULL;
  return address && dladdr1(address, &info, (void **)&library, RTLD_DL_LINKMAP) ? library : NULL;
}

__attribute__((constructor)) static void install(void) {
  real_lock = (lock_function *)dlsym(RTLD_DEFAULT, "pthread_mutex_lock");
  real_try_lock = (lock_function *)dlsym(RTLD_DEFAULT, "pthread_mutex_trylock");
  if (!real_lock || !real_try_lock) abort();
  foundation = library_of(dlsym(RTLD_DEFAULT, "$s10Foundation6NSLockC4lockyyF"));
  if (foundation) {
    ch_redirect_imports(foundation, "pthread_mutex_lock", (void *)lock_of_foundation);
    ch_redirect_imports(foundation, "pthread_mutex_trylock", (void *)try_lock_of_foundation);
  }
  struct link_map *program = library_of((void *)install);
  if (program) {
    ch_redirect_imports(program, "pthread_mutex_lock", (void *)lock_of_program);
    ch_redirect_imports(program, "pthread_mutex_trylock", (void *)try_lock_of_program);
  }
}
#pragma clang attribute pop
#endif
