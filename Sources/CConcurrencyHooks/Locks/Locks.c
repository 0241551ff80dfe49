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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
static struct link_map *foundation;
static uintptr_t foundations_end;

static bool is_foundation(const void *code) {
  return (uintptr_t)code - foundation->l_addr < foundations_end - foundation->l_addr;
}

static int find_end(struct dl_phdr_info *library, size_t size, void *unused) {
  if (library->dlpi_addr != foundation->l_addr) return 0;
  for (int n = 0; n < library->dlpi_phnum; n++) {
    uintptr_t end = library->dlpi_addr + library->dlpi_phdr[n].p_vaddr + library->dlpi_phdr[n].p_memsz;
    if (library->dlpi_phdr[n].p_type == PT_LOAD && end > foundations_end) foundations_end = end;
  }
  return 1;
}

// Returns true if the code at `code` only returns, like the thunk between a protocol and its implementation.
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

// Foundation's code that locks and unlocks on behalf of the program, and goes on when libc has returned: `try`, and
// `NSConditionLock`, which uses an `NSCondition`.
static struct { uintptr_t low, size; } lock_classes[10];

static bool is_of_lock_class(const void *code) {
  for (size_t n = 0; n < sizeof lock_classes / sizeof *lock_classes; n++)
    if ((uintptr_t)code - lock_classes[n].low < lock_classes[n].size) return true;
  return false;
}

static void find_lock_classes(void) {
  static const char *const names[] = {
      "15NSConditionLockC4lockyyF",
      "15NSConditionLockC6unlockyyF",
      "15NSConditionLockC3trySbyF",
      "15NSConditionLockC6unlock13withConditionySi_tF",
      "15NSConditionLockC4lock13whenConditionySi_tF",
      "15NSConditionLockC03tryC013whenConditionSbSi_tF",
      "15NSConditionLockC4lock6beforeSb0A10Essentials4DateV_tF",
      "15NSConditionLockC4lock13whenCondition6beforeSbSi_0A10Essentials4DateVtF",
      "6NSLockC3trySbyF",
      "15NSRecursiveLockC3trySbyF"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    char name[128];
    snprintf(name, sizeof name, "$s10Foundation%s", names[n]);
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found || !dladdr1(found, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) continue;
    lock_classes[n].low = (uintptr_t)found;
    lock_classes[n].size = symbol->st_size;
  }
}

// Returns the address that the caller of the function with this frame returns to; NULL if the caller keeps no frames.
static const void *caller_above(void *const *frame) {
  void *const *above = frame[0];
  bool is_frame = above > frame && above < frame + 0x10000 && (uintptr_t)above % sizeof(void *) == 0;
  return is_frame ? above[1] : NULL;
}

// MARK: waiting for a lock
//
// A lock that is not free is held by a parked step, if steps are preemptible, or by a thread outside the simulation.

void ch_took(ch_simulation *s, uintptr_t lock, ch_lock_kind kind, void *const *frame) {
  // A reader keeps out only writers, so a step that holds the lock for reading may be preempted.
  if (kind != CH_LOCK_FOR_READING) s->execution.locks_held++;
  s->execution.failed_tries = 0;
  if (frame) s->point_frame = frame;
  // A queue orders by itself what runs on it.
  if (kind != CH_LOCK_OF_QUEUE) ch_acquires_object(lock);
  simulator_took_lock(s->scheduler, lock, kind);
  if (frame) ch_may_be_caught_with(s, lock, frame);
}

// MARK: steps that only try
//
// A step that waits for a lock cannot tell how far its holder has come. One that only tries can: it may come in the middle of
// what the holder does. So it may be parked just before it tries, and while it is, a step that takes the lock may be parked with
// it. Where nobody tries, a step that holds a lock has no such point.

void ch_may_be_caught_with(ch_simulation *s, uintptr_t lock, void *const *frame) {
  if (ch_is_followed(s) && simulator_is_tried(s->scheduler, lock)) ch_preemption_point(s, frame);
}

void ch_tries(ch_simulation *s, const void *lock, void *const *frame) {
  if (!ch_is_followed(s) || ch_untold_locks || !ch_running_task()) return;
  // That it has come here matters to a step that takes the lock.
  ch_uses((uintptr_t)lock, NULL);
  s->point_object = (uintptr_t)lock;
  s->point_object_is_lock = true;
  s->tries = (uintptr_t)lock;
  ch_preemption_point(s, frame);
  s->tries = 0;
  ch_uses((uintptr_t)lock, NULL);
}

ch_lock_kind ch_opened(ch_simulation *s, uintptr_t lock) {
  ch_lock_kind kind = simulator_unlocked(s->scheduler, lock);
  if (kind != CH_LOCK_OF_QUEUE) ch_releases_object(lock);
  if (kind != CH_LOCK_FOR_READING && s->execution.locks_held) s->execution.locks_held--;
  return kind;
}

// Returns true if the running thread holds the lock, and the lock reports that, instead of letting the thread wait for itself.
static bool tells_its_holder(const pthread_mutex_t *lock) {
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
  bool isPoint = s->execution.locks_held || ch_has_acted(s) || simulator_holds_any(s->scheduler);
  s->execution.has_acted = false;
  if (!isPoint || !ch_running_task()) return;
  s->point_object = (uintptr_t)lock;
  s->point_object_is_lock = true;
  simulator_preemption_point(s->scheduler);
}

void ch_takes(ch_simulation *s, const void *lock, void *const *frame) {
  if (s->execution.locks_held) ch_takes_another(lock, frame);
  else ch_preemption_point(s, frame);
}

// Takes a lock if steps are atomic. No other step can unlock one that is not free, so this step is abandoned, and a search with
// preemptible steps takes over.
static int take_whole(ch_simulation *s, pthread_mutex_t *lock, void *const *frame) {
  if (!s || !frame || !ch_in_step(s) || ch_untold_locks) return ch_lock_untold(lock);
  int error = real_try_lock(lock);
  if (error != EBUSY) return error;
  if (tells_its_holder(lock)) return ch_lock_untold(lock);
  ch_is_shared();
  if (ch_leaves(s, "pthread_mutex_lock", frame)) ch_leave_step(s);
  return ch_lock_untold(lock);
}

int ch_take(pthread_mutex_t *lock, ch_lock_kind kind, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s)) return take_whole(s, lock, frame);
  int error;
  while ((error = real_try_lock(lock)) == EBUSY && !tells_its_holder(lock) &&
         simulator_waits_for_lock(s->scheduler, (uintptr_t)lock))
    ch_uses((uintptr_t)lock, NULL);
  if (error == EBUSY) error = real_lock(lock);
  if (!error) ch_took(s, (uintptr_t)lock, kind, frame);
  return error;
}

int ch_try(pthread_mutex_t *lock, ch_lock_kind kind, void *const *frame) {
  ch_simulation *s = ch_current;
  // A step that keeps trying has a point after its first failure.
  if (frame && s && !s->execution.failed_tries) ch_tries(s, lock, frame);
  else if (s && ch_has_acted(s)) ch_preemption_point_without_locks(s, CH_FRAME);
  int error = real_try_lock(lock);
  if (!ch_is_followed(s)) return error;
  enum { many = 100 };
  // After a first failure, the holder may unlock it before the step tries again.
  if (error == EBUSY && !s->execution.failed_tries) s->execution.has_acted = true;
  if (!error) ch_took(s, (uintptr_t)lock, kind, frame);
  // A step that keeps trying would keep the holder from ever unlocking it.
  else if (error == EBUSY && ++s->execution.failed_tries > many) simulator_waits_for_lock(s->scheduler, (uintptr_t)lock);
  return error;
}

ch_lock_kind ch_open(pthread_mutex_t *lock, int *error) {
  *error = ch_unlock_untold(lock);
  ch_simulation *s = ch_current;
  return *error || !ch_is_followed(s) ? CH_LOCK_OF_LIBRARY : ch_opened(s, (uintptr_t)lock);
}

// Of a lock that the program takes; Foundation takes many for itself.
static ch_lock_kind kind_in_foundation(const pthread_mutex_t *lock, bool is_of_program) {
  if (!is_of_program) return CH_LOCK_OF_LIBRARY;
#if defined(__GLIBC__)
  return (lock->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP ? CH_LOCK_NSRECURSIVELOCK : CH_LOCK_NSLOCK;
#else
  return CH_LOCK_NSLOCK;
#endif
}

// MARK: whose calls are reported

// Returns true if the program has called, and not Foundation for itself. Foundation's classes end in a jump to libc, so what
// they return to is their caller: the program, or a thunk that leads there from `NSLocking`, as in `withLock`.
static bool is_of_program(const void *caller, void *const *frame) {
  for (int n = 0; n < 3 && is_of_lock_class(caller); n++) {
    caller = caller_above(frame);
    frame = frame[0];
  }
  return !is_foundation(caller) || (only_returns(caller) && !is_foundation(caller_above(frame)));
}
bool ch_is_of_program(const void *caller, void *const *frame) {
  return is_of_program(caller, frame) && !ch_is_runtime(caller);
}
static void foundation_uses(pthread_mutex_t *mutex, const void *caller, void *const *frame) {
  if (!ch_current || !ch_current->execution.follows_dependencies) return;
  // If steps are preemptible, what Foundation takes for itself counts too, for example in `lock(before:)`.
  if (ch_current->execution.overlaps || is_of_program(caller, frame)) ch_uses((uintptr_t)mutex, "`NSLock`");
}

static bool is_watched(const ch_simulation *s) { return s && s->execution.watches_sharing; }
#define CALLED_BY_PROGRAM is_of_program(__builtin_return_address(0), __builtin_frame_address(0))

static int lock_of_foundation(pthread_mutex_t *mutex) {
  if (ch_is_followed(ch_current) && CALLED_BY_PROGRAM) ch_takes_another(mutex, CH_FRAME);
  if (is_watched(ch_current) && CALLED_BY_PROGRAM) ch_is_touched((uintptr_t)mutex);
  foundation_uses(mutex, __builtin_return_address(0), __builtin_frame_address(0));
  // A lock that Foundation takes for itself is soon unlocked again, perhaps by a thread that runs no step.
  bool isOfProgram = ch_current && CALLED_BY_PROGRAM;
  return ch_take(mutex, kind_in_foundation(mutex, isOfProgram), isOfProgram ? CH_FRAME : NULL);
}
static int try_lock_of_foundation(pthread_mutex_t *mutex) {
  if (is_watched(ch_current) && CALLED_BY_PROGRAM) ch_is_touched((uintptr_t)mutex);
  foundation_uses(mutex, __builtin_return_address(0), __builtin_frame_address(0));
  bool isOfProgram = ch_is_followed(ch_current) && CALLED_BY_PROGRAM;
  return ch_try(mutex, kind_in_foundation(mutex, isOfProgram), isOfProgram ? CH_FRAME : NULL);
}
static int unlock_of_foundation(pthread_mutex_t *mutex) {
  foundation_uses(mutex, __builtin_return_address(0), __builtin_frame_address(0));
  int error;
  ch_open(mutex, &error);
  if (ch_current && ch_current->execution.overlaps) ch_has_opened(ch_current, CALLED_BY_PROGRAM, CH_FRAME);
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
  foundation = ch_image_with(dlsym(RTLD_DEFAULT, "$s10Foundation6NSLockC4lockyyF"));
  if (foundation) {
    dl_iterate_phdr(find_end, NULL);
    find_lock_classes();
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
