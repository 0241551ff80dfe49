// Internal declarations, shared by the files about Dispatch queues.
#ifndef CH_INNER_QUEUES_H
#define CH_INNER_QUEUES_H

#include "Drivers.h"

#if CH_SUPPORTED
typedef void ch_function(void *);
typedef struct { void *isa; int32_t flags, reserved; void *invoke, *descriptor; } ch_block_layout;

void ch_invoke_block(void *block);
// Runs the body of a `ch_thread` on that thread, as part of the step on the calling thread.
void ch_run_thread(void *thread);
// Returns where the thread's code begins.
uintptr_t ch_code_of_thread(const ch_thread *thread);
bool ch_asks_for_barrier(const void *block);
// True if `dispatch_block_create` has made the block.
bool ch_is_made_by_dispatch(const void *block);

// A queue on which this thread's code runs. `outer` is the one from which the code came by `sync`.
typedef struct ch_queue_frame {
  void *queue;
  bool is_barrier;
  struct ch_queue_frame *outer;
} ch_queue_frame;
extern _Thread_local ch_queue_frame *ch_innermost __attribute__((tls_model("initial-exec")));

// Returns the simulation if a step or an action of it calls, and not the runtime on behalf of others; else NULL.
ch_simulation *ch_simulation_of(void *const *frame);
bool ch_is_global_queue(const void *queue);
// Returns the virtual nanoseconds until a time of Dispatch, less than zero if it has passed.
int64_t ch_nanoseconds_until(const ch_simulation *s, uint64_t when);
bool ch_is_calendar_time(uint64_t when);
bool ch_is_queue(const void *object);
// Returns a queue of the simulator's own, by way of which blocks come to the main run loop.
void *ch_run_loop_queue(void);
// Makes a timer source in a simulation.
void *ch_make_timer_source(ch_simulation *s, void *queue);
bool ch_is_simulated_source(const void *object);
// Returns false if it is not a source of a simulation.
bool ch_retargets_source(void *source, void *queue);
// Returns false if it is not a source of a simulation.
bool ch_changes_source(void *source, int change, void *const *frame);
// Returns false if it is not a queue, or if no simulation runs.
bool ch_changes_queue(void *object, int change, void *const *frame);
#endif
#endif
