// What the files that take hold of the runtime share, and no other file sees.
#ifndef CH_HOOKS_H
#define CH_HOOKS_H

#include <pthread.h>

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED
#define SWIFTCC __attribute__((swiftcall))

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
void ch_redirect_imports(const struct link_map *library, const char *name, void *function);

// Takes a lock without telling the simulation.
int ch_lock_untold(pthread_mutex_t *lock);

// The running step shares state in a way that the reduced search does not follow; `name` says how.
void ch_shares_unseen(const char *name);

// A task begins on this task executor, or the one of this context goes there. Only that executor knows its order: told,
// unless it is the pool's.
void ch_begins_on(ch_simulation *s, uintptr_t executor, void *const *frame);
void ch_goes_to(ch_simulation *s, uintptr_t executor, void *const *context);

// How many locks of the simulator's own this thread holds.
extern _Thread_local uint32_t ch_untold_locks __attribute__((tls_model("initial-exec")));

static inline bool ch_in_step(const ch_simulation *s) {
  return s->phase && *s->phase == CH_PHASE_STEP && !s->execution.between_steps;
}

// The running step has set something free, so that others may run before it goes on.
void ch_may_stand(ch_simulation *s, void *const *frame);
// Called by a function that stands before one of the runtime's, in whose place the step is left.
static inline __attribute__((always_inline)) void ch_set_free(ch_simulation *s) {
  if (s->execution.overlaps) ch_may_stand(s, (void *const *)__builtin_frame_address(0));
}

// Takes and opens a lock of the program's or of a library's. A step that has to wait for one that stands lets it go on.
int ch_take(pthread_mutex_t *lock);
int ch_try(pthread_mutex_t *lock);
int ch_open(pthread_mutex_t *lock);

// Each takes hold of one subject; called once, before `main`.
void ch_install_jobs(void);
void ch_install_isolation(void);
void ch_install_tasks(void);
void ch_install_continuations(void);
void ch_install_resumes(void);
void ch_install_actors(void);

#endif
#endif
