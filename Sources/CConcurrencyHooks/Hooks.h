// What the files that take hold of the runtime share, and no other file sees.
#ifndef CH_HOOKS_H
#define CH_HOOKS_H

#include <pthread.h>
#include <sys/types.h>

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED
#define SWIFTCC __attribute__((swiftcall))

// What the simulator asks of the system itself: to a program in a step the C library's functions may be others.
long ch_system_call(long number, ...);
pid_t ch_own_pid(void);

static const int64_t ch_monotonic_epoch = (int64_t)86400 * 1000000000;       // the machine has been up for a day
static const int64_t ch_calendar_epoch = (int64_t)1767225600 * 1000000000;   // 2026-01-01T00:00:00Z

// The function of this name that ours stands before; noted as missing where there is none.
void *ch_behind_us(const char *name);
// Sets a hook variable of the runtime's; noted as missing where there is none.
void ch_set_hook(const char *name, void *hook);

static inline bool ch_runs_on(uintptr_t identity) { return swift_task_getCurrentExecutor().identity == identity; }

// The group that a task is a child of.
typedef struct {
  uintptr_t address;  // 0 if it is in none
  bool discards;      // what its children return
} ch_group;

// Reports a new task, whose record it answers, and watches for its end.
uint64_t ch_adopt(ch_simulation *s, void *task, void *context, ch_group group);

// Leads the calls that a library makes of an imported function to another one.
struct link_map;
// The executable or library that holds the address; null where none does.
struct link_map *ch_image_with(const void *address);
void ch_redirect_imports(const struct link_map *library, const char *name, void *function);

// Takes and opens a lock without telling the simulation.
int ch_lock_untold(pthread_mutex_t *lock);
int ch_unlock_untold(pthread_mutex_t *lock);

// The running step shares state in a way that the reduced search does not follow; `name` says how.
void ch_shares_unseen(const char *name);
// The running step uses a lock, a condition or a semaphore, in whole steps one that `name` names; or changes an atomic.
void ch_uses(uintptr_t object, const char *name);
// It reads an atomic.
void ch_reads(uintptr_t atomic);

// Whether this task executor is one of the program's, and not the pool's; noted if so.
bool ch_is_preferred(ch_simulation *s, uintptr_t executor);
// Whether this is a serial executor that the program has written.
static inline bool ch_is_users(const ch_simulation *s, uintptr_t identity, uintptr_t implementation) {
  return implementation && identity != s->main.identity && identity != s->hop.identity;
}
// Whether the running task, which goes to this executor, is to be given to one of the program's.
bool ch_asks_program(const ch_simulation *s, uintptr_t identity, uintptr_t implementation);
// Code of an executor's runs no job any more: its step has been left.
void ch_forget_runs(void);
bool ch_runs_within(void);
void ch_install_executors(void);

// How many things this thread makes once, each within the one before: see `Once.c`.
extern _Thread_local uint32_t ch_makes_once __attribute__((tls_model("initial-exec")));
// It makes none any more: its step has been left.
void ch_forget_onces(void);

// How many locks of the simulator's own this thread holds, and what it makes once.
extern _Thread_local uint32_t ch_untold_locks __attribute__((tls_model("initial-exec")));

static inline CH_AT_THREAD_END bool ch_in_step(const ch_simulation *s) {
  return s->phase && *s->phase == CH_PHASE_STEP && !s->execution.between_steps;
}

// Whether what the code on this thread does with locks and atomics is followed.
static inline CH_AT_THREAD_END bool ch_is_followed(const ch_simulation *s) { return s && s->execution.overlaps && ch_in_step(s); }

// Whole steps: the running step uses a lock, and may do that for ever. Of a function with this frame.
void ch_may_poll(ch_simulation *s, void *const *frame);
// The running step uses a lock or an atomic: see `ch_touches`.
void ch_is_touched(uintptr_t object);

// The running step has taken, or opened, a lock: one of libc's, or a `Mutex`.
void ch_took(ch_simulation *s, uintptr_t lock, bool is_mutex);
void ch_opened(ch_simulation *s, uintptr_t lock);

// The program's code is about to access memory: of the function with this frame, which has been called from `place`.
void ch_accesses_memory(uintptr_t address, size_t size, bool writes, uintptr_t place, void *const *frame);
// The same where Swift tells of a value, which it does also in the simulator's own code.
void ch_accesses_value(uintptr_t address, bool writes, uintptr_t place, void *const *frame);
// What the running task has done so far happens before what another does that acquires the same object later.
void ch_releases_object(uintptr_t object);
void ch_acquires_object(uintptr_t object);

// The running step has set something free, so that others may run before it goes on.
void ch_may_stand(ch_simulation *s, void *const *frame);
// The running step has opened a lock, or signaled: the same where it holds no other lock.
static inline void ch_may_stand_with_free_hands(ch_simulation *s, void *const *frame) {
  if (s->execution.overlaps && !s->execution.locks_held) ch_may_stand(s, frame);
}
// The running step has opened a lock, and steps overlap. One of Foundation's own is no point; but what goes round with it is
// left at times.
void ch_has_opened(ch_simulation *s, bool is_of_program, void *const *frame);
// Called by a function that stands before one of the runtime's, in whose place the step is left.
static inline __attribute__((always_inline)) void ch_set_free(ch_simulation *s) {
  if (!s->execution.overlaps) return;
  // The scheduler makes tasks for what the program waits for after that, in its own place.
  void *const *outer = s->stands_at;
  ch_may_stand(s, (void *const *)__builtin_frame_address(0));
  s->stands_at = outer;
}

// Takes and opens a lock of the program's or of a library's. A step that has to wait for one that stands lets it go on.
// `frame` is null where it is a library that takes it for itself.
int ch_take(pthread_mutex_t *lock, void *const *frame);
int ch_try(pthread_mutex_t *lock);
int ch_open(pthread_mutex_t *lock);

// Whether the program has called, and not Foundation for its own business. Of a function with this frame.
bool ch_is_of_program(const void *caller, void *const *frame);
// The function with this frame is about to take a lock, or something that may be one: a step that holds a lock may be
// left before it takes another.
void ch_takes_another(const void *lock, void *const *frame);
void ch_takes(ch_simulation *s, const void *lock, void *const *frame);

// Each takes hold of one subject; called once, before `main`.
void ch_install_jobs(void);
void ch_install_isolation(void);
void ch_install_tasks(void);
void ch_install_continuations(void);
void ch_install_resumes(void);
void ch_install_actors(void);

#endif
#endif
