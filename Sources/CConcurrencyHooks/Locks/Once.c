// One-time initialization: a lazy global, a `static let`, `pthread_once`, `dispatch_once`. The program's calls come here.
//
// A step that runs an initializer may wait, for example for a thread that it starts. A second step then waits in the
// simulation, and not inside a library. So the library is called only after the initializer has run: an abandoned step leaves
// nothing behind, and the next step that comes runs the initializer again.
#define _GNU_SOURCE
#include "Drivers.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

typedef void work(void *context);
// Runs the initializer of `predicate` by the library's own call.
typedef void library_call(void *predicate, work *make, void *context);
static library_call pthread_library;

// MARK: running initializers

typedef struct making {
  const void *predicate;
  ch_making by;
  ch_simulation *simulation;  // the one whose step runs it; null for a thread outside
  pthread_t thread;
  bool is_awaited;
  struct making *next;
} making;

static making *all;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) { ch_lock_untold(&guard); }
static void unlock(void) { ch_unlock_untold(&guard); }

static making *find(const void *predicate) {
  making *found = all;
  while (found && found->predicate != predicate) found = found->next;
  return found;
}

typedef enum { IS_MINE, IS_OF_SIMULATION, IS_OF_OTHERS, IS_LIBRARYS } claim_result;

// Returns true once the library has been called for the predicate, which is zero before.
static bool is_touched(const void *predicate, library_call *library) {
  if (library == pthread_library) return *(const _Atomic uint32_t *)predicate;
  return *(const _Atomic uint64_t *)predicate;
}

static claim_result claim(ch_simulation *s, const void *predicate, library_call *library, uintptr_t code) {
  if (is_touched(predicate, library)) return IS_LIBRARYS;
  lock();
  making *found = find(predicate);
  claim_result result = found ? (s && found->simulation == s ? IS_OF_SIMULATION : IS_OF_OTHERS) : IS_MINE;
  if (!found && is_touched(predicate, library)) result = IS_LIBRARYS;
  if (result == IS_MINE) {
    making *new = malloc(sizeof *new);
    if (!new) abort();
    *new = (making){predicate, {code, s ? ch_running_task() : NULL}, s, pthread_self(), false, all};
    all = new;
  }
  if (result == IS_OF_SIMULATION) found->is_awaited = true;
  unlock();
  return result;
}

// Removes the thread's entry for `predicate`; if that is null, all of its entries in simulations. Returns true if a step waits
// for one of them.
static bool remove_where(const void *predicate, pthread_t thread) {
  bool is_awaited = false;
  lock();
  for (making **at = &all; *at;) {
    making *found = *at;
    bool is_meant = predicate ? found->predicate == predicate : found->simulation != NULL;
    if (!is_meant || !pthread_equal(found->thread, thread)) {
      at = &found->next;
      continue;
    }
    *at = found->next;
    is_awaited |= found->is_awaited;
    free(found);
  }
  unlock();
  return is_awaited;
}

ch_making ch_making_of(uintptr_t predicate) {
  lock();
  making *found = find((const void *)predicate);
  ch_making by = found ? found->by : (ch_making){0, NULL};
  unlock();
  return by;
}

_Thread_local uint32_t ch_makes_once __attribute__((tls_model("initial-exec"))) = 0;

void ch_forget_onces(void) {
  if (!ch_makes_once) return;
  ch_makes_once = 0;
  remove_where(NULL, pthread_self());
}

// Forgets the initializers that other threads run: a child of `fork` has none of these threads.
static void forked(void) {
  making *here = all;
  all = NULL;
  while (here) {
    making *next = here->next;
    if (pthread_equal(here->thread, pthread_self())) {
      here->next = all;
      all = here;
    }
    here = next;
  }
  unlock();
}

// MARK: a call

CH_BEHIND(nanosleep);

static void nothing(void *unused) {}

// Waits for the initializer. Another step of this simulation runs it, or this one does and has come here again.
static void wait_in(ch_simulation *s, const void *predicate, const char *name, void *const *frame) {
  ch_is_shared();
  if (!ch_is_followed(s) || !ch_can_park(s)) {
    ch_leaves(s, name, frame);
    ch_leave_step(s);
  }
  s->point_frame = frame;
  ch_uses((uintptr_t)predicate, NULL);
  simulator_waits(s->scheduler, CH_WAITS_FOR_ONCE, (uintptr_t)predicate, INT64_MAX);
  ch_uses((uintptr_t)predicate, NULL);
  ch_acquires_object((uintptr_t)predicate);
}

// Runs the initializer without the ordinary preemption points, so that an execution in which all is initialized has the same
// ones.
static void make_in_step(ch_simulation *s, work *make, void *context) {
  bool is_followed = ch_is_followed(s);
  ch_untold_locks += is_followed;
  ch_makes_once++;
  make(context);
  ch_makes_once--;
  ch_untold_locks -= is_followed;
}

// Returns true if the initializer has run by way of this function, and false if the library is to be called.
static bool make_here(void *predicate, work *make, void *context, uintptr_t code, library_call *library,
                      const char *name, void *const *frame) {
  ch_simulation *s = ch_in_program();
  while (true) switch (claim(s, predicate, library, code)) {
    case IS_LIBRARYS: return false;
    case IS_OF_SIMULATION: wait_in(s, predicate, name, frame); break;
    case IS_OF_OTHERS: {
      // In real time: the other thread makes progress by itself.
      struct timespec moment = {0, 50000};
      CH_REAL(nanosleep)(&moment, NULL);
      break;
    }
    case IS_MINE:
      if (s) make_in_step(s, make, context);
      library(predicate, s ? nothing : make, s ? NULL : context);
      if (!remove_where(predicate, pthread_self()) || !ch_is_followed(s)) return true;
      ch_uses((uintptr_t)predicate, NULL);
      ch_releases_object((uintptr_t)predicate);
      simulator_frees(s->scheduler, (uintptr_t)predicate);
      return true;
  }
}

// MARK: the library's calls

typedef void swift_once_call(void *, work *, void *);
static swift_once_call *real_swift_once;
static void once_of_swift(void *predicate, work *make, void *context) {
  if (*(const _Atomic int32_t *)predicate < 0) return;
  if (!make_here(predicate, make, context, (uintptr_t)make, real_swift_once, "swift_once", CH_FRAME))
    real_swift_once(predicate, make, context);
}

typedef void plain_work(void);
typedef int pthread_once_call(pthread_once_t *, plain_work *);
static pthread_once_call *real_pthread_once;
static _Thread_local plain_work *made_by_thread __attribute__((tls_model("initial-exec")));
static void make_for_thread(void) {
  plain_work *make = made_by_thread;
  made_by_thread = NULL;
  if (make) make();
}
static void call_make(void *make) { ((plain_work *)make)(); }
static void pthread_library(void *predicate, work *make, void *context) {
  made_by_thread = make == nothing ? NULL : (plain_work *)context;
  real_pthread_once(predicate, make_for_thread);
}
static int once_of_threads(pthread_once_t *predicate, plain_work *make) {
  if (make_here(predicate, call_make, (void *)make, (uintptr_t)make, pthread_library, "pthread_once", CH_FRAME)) return 0;
  return real_pthread_once(predicate, make);
}

typedef void dispatch_once_call(intptr_t *, void *, work *);
static dispatch_once_call *real_dispatch_once;
static void dispatch_library(void *predicate, work *make, void *context) { real_dispatch_once(predicate, context, make); }
static void once_of_dispatch(intptr_t *predicate, void *context, work *make) {
  if (*(const _Atomic intptr_t *)predicate == -1) return;
  if (!make_here(predicate, make, context, (uintptr_t)make, dispatch_library, "dispatch_once", CH_FRAME))
    real_dispatch_once(predicate, context, make);
}
static void once_of_dispatch_with_block(intptr_t *predicate, void *block) {
  void (*invoke)(void *) = (void (*)(void *))((void **)block)[2];
  if (*(const _Atomic intptr_t *)predicate == -1) return;
  if (!make_here(predicate, invoke, block, (uintptr_t)invoke, dispatch_library, "dispatch_once", CH_FRAME))
    real_dispatch_once(predicate, block, invoke);
}

// Returns true if Swift's predicate has the expected shape. Otherwise `swift_once` is not redirected.
static bool is_known(void) {
  static _Atomic int32_t shown[2];
  real_swift_once(&shown, nothing, NULL);
  return shown[0] && !shown[1];
}

__attribute__((constructor)) static void install(void) {
  real_swift_once = (swift_once_call *)dlsym(RTLD_DEFAULT, "swift_once");
  real_pthread_once = (pthread_once_call *)dlsym(RTLD_DEFAULT, "pthread_once");
  real_dispatch_once = (dispatch_once_call *)dlsym(RTLD_DEFAULT, "dispatch_once_f");
  Dl_info info;
  struct link_map *program = NULL;
  if (!real_swift_once || !dladdr1((void *)install, &info, (void **)&program, RTLD_DL_LINKMAP) || !program) abort();
  if (pthread_atfork(lock, unlock, forked)) abort();
  if (is_known()) ch_redirect_imports(program, "swift_once", (void *)once_of_swift);
  if (real_pthread_once) ch_redirect_imports(program, "pthread_once", (void *)once_of_threads);
  if (!real_dispatch_once) return;
  ch_redirect_imports(program, "dispatch_once_f", (void *)once_of_dispatch);
  ch_redirect_imports(program, "dispatch_once", (void *)once_of_dispatch_with_block);
}
#pragma clang attribute pop
#endif
