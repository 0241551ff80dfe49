// Executors that the program implements, inside a simulation.
#ifndef CH_USER_EXECUTORS_H
#define CH_USER_EXECUTORS_H

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED

// Notes that this task executor keeps no other order than the pool's.
void ch_is_pool(uintptr_t executor);

// Gives the job to the executor as the runtime does: an executor of the program is asked to take it.
void ch_enqueue(void *_Nonnull job, ch_executor executor);

// A job that an executor of the program runs in the middle of a step.
typedef struct ch_run {
  void *_Nonnull job;
  ch_executor serial, task;
  struct ch_run *_Nullable outer;
} ch_run;
void ch_run_within(ch_run *_Nonnull run);
static inline void ch_retain_actor(uintptr_t actor) { swift_retain((void *)actor); }
static inline void ch_release_actor(uintptr_t actor) { swift_release((void *)actor); }
// Returns the task executor that the running task prefers. `ch_prefers` returns true if there is one.
ch_executor ch_preference(void);
bool ch_prefers(const ch_simulation *_Nonnull s);
// Makes a preemption point in the running step: other steps may see what it has done so far.
void ch_goes_on(void);

#endif
#endif
