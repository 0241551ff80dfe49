// What the files about queues of Dispatch share, and no other file sees.
#ifndef CH_INNER_QUEUES_H
#define CH_INNER_QUEUES_H

#include "Batons.h"

#if CH_SUPPORTED
typedef void ch_function(void *);
typedef struct { void *isa; int32_t flags, reserved; void *invoke, *descriptor; } ch_block_layout;

void ch_invoke_block(void *block);
// Runs the body of a `ch_thread` on it, as part of the step on the calling thread.
void ch_run_thread(void *thread);
// Where its code begins.
uintptr_t ch_code_of_thread(const ch_thread *thread);
bool ch_asks_for_barrier(const void *block);
// Whether `dispatch_block_create` has made it.
bool ch_is_made_by_dispatch(const void *block);

// The queue on which the code on this thread runs, and those from which it came by `sync`.
typedef struct ch_queue_frame {
  void *queue;
  bool is_barrier;
  struct ch_queue_frame *outer;
} ch_queue_frame;
extern _Thread_local ch_queue_frame *ch_innermost __attribute__((tls_model("initial-exec")));

// The simulation that a call belongs to: a step's or an action's, and not the runtime's on behalf of others.
ch_simulation *ch_simulation_of(void *const *frame);
bool ch_is_global_queue(const void *queue);
// How long it is until then; a time that is over is less than zero.
int64_t ch_nanoseconds_until(const ch_simulation *s, uint64_t when);
bool ch_is_queue(const void *object);
// One of the simulator's own, by way of which blocks come to the main run loop.
void *ch_run_loop_queue(void);
// A timer source that is made in a simulation.
void *ch_make_timer_source(ch_simulation *s, void *queue);
bool ch_is_simulated_source(const void *object);
// False for what is no source of a simulation.
bool ch_retargets_source(void *source, void *queue);
// False for what is no source of a simulation.
bool ch_changes_source(void *source, int change);
// The same for what is no queue in a simulation.
bool ch_changes_queue(void *object, int change, void *const *frame);
#endif
#endif
