// Work for a Dispatch queue that the caller waits for.
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

static void runs_in_place(ch_simulation *s, void *queue, bool is_barrier, void *block, void *context,
                          ch_function *function, const char *name, void *const *at) {
  if (ch_kind_of_queue(queue) == CH_GLOBAL_QUEUE) is_barrier = false;
  else if (ch_in_step(s)) ch_is_touched((uintptr_t)queue);
  ch_takes_another(queue, at);
  s->point_frame = at;
  int turn = simulator_enters_queue(s->scheduler, queue, is_barrier);
  // The queue is not free, and no other step can run meanwhile.
  if (turn < 0) {
    ch_is_shared();
    if (ch_leaves(s, name, at)) ch_leave_step(s);
  }
  bool is_lock = turn > 0 && ch_is_followed(s);
  if (is_lock) ch_took(s, (uintptr_t)queue, CH_LOCK_OF_QUEUE, NULL);
  ch_queue_frame here = {queue, is_barrier, ch_innermost};
  ch_innermost = &here;
  if (block) ch_invoke_block(block);
  else function(context);
  ch_innermost = here.outer;
  if (is_lock) ch_opened(s, (uintptr_t)queue);
  if (turn > 0) simulator_leaves_queue(s->scheduler, turn);
  if (is_lock) ch_preemption_point_without_locks(s, at);
}

#define RUNS_IN_PLACE(name, barrier)                                                                       \
  void name(void *queue, void *block);                                                                     \
  CH_BEHIND(name);                                                                                         \
  void name(void *queue, void *block) {                                                                    \
    ch_simulation *s = ch_simulation_of(CH_FRAME);                                                            \
    if (s) runs_in_place(s, queue, barrier || ch_asks_for_barrier(block), block, NULL, NULL, #name, CH_FRAME); \
    else CH_REAL(name)(queue, block);                                                                      \
  }                                                                                                        \
  void name##_f(void *queue, void *context, ch_function *function);                                        \
  CH_BEHIND(name##_f);                                                                                     \
  void name##_f(void *queue, void *context, ch_function *function) {                                       \
    ch_simulation *s = ch_simulation_of(CH_FRAME);                                                            \
    if (s) runs_in_place(s, queue, barrier, NULL, context, function, #name "_f", CH_FRAME);                \
    else CH_REAL(name##_f)(queue, context, function);                                                      \
  }
RUNS_IN_PLACE(dispatch_sync, false)
RUNS_IN_PLACE(dispatch_barrier_sync, true)
RUNS_IN_PLACE(dispatch_async_and_wait, false)
RUNS_IN_PLACE(dispatch_barrier_async_and_wait, true)

CH_BEHIND(dispatch_get_global_queue);

void *ch_global_queue(void) { return CH_REAL(dispatch_get_global_queue)(0, 0); }

// The iterations of `dispatch_apply`. Several threads each take the next one until none is left. If steps are atomic, the
// caller runs all in order, which is one of the possible schedules.
typedef void iteration(void *, size_t);
typedef struct {
  iteration *function;
  void *context;
  size_t next, count;
} iterations;

static void do_iterations(void *argument) {
  iterations *all = argument;
  while (all->next < all->count) {
    size_t n = all->next++;
    ch_simulation *s = ch_current;
    if (s && all->count > 1) ch_preemption_point_without_locks(s, CH_FRAME);
    all->function(all->context, n);
  }
}

static bool applies(size_t count, void *queue, void *context, iteration *function, void *const *frame) {
  ch_simulation *s = ch_simulation_of(frame);
  if (!s) return false;
  iterations all = {function, context, 0, count};
  if (count > 1) ch_is_shared();
  s->point_frame = frame;
  if (count > 1 && ch_is_followed(s) && ch_can_park(s)) {
    if (!queue) queue = ch_global_queue();
    // The caller waits for all threads, and a thread that has ended its loop no longer uses `all`.
    simulator_applies(s->scheduler, queue, count, &all, do_iterations);
    return true;
  }
  do_iterations(&all);
  return true;
}

void dispatch_apply(size_t count, void *queue, void *block);
CH_BEHIND(dispatch_apply);
void dispatch_apply(size_t count, void *queue, void *block) {
  iteration *function = (iteration *)((ch_block_layout *)block)->invoke;
  if (!applies(count, queue, block, function, CH_FRAME)) CH_REAL(dispatch_apply)(count, queue, block);
}

void dispatch_apply_f(size_t count, void *queue, void *context, iteration *function);
CH_BEHIND(dispatch_apply_f);
void dispatch_apply_f(size_t count, void *queue, void *context, iteration *function) {
  if (!applies(count, queue, context, function, CH_FRAME)) CH_REAL(dispatch_apply_f)(count, queue, context, function);
}

void ch_queue_releases(uintptr_t object) { ch_releases_object(object); }
void ch_queue_acquires(uintptr_t object) { ch_acquires_object(object); }
#pragma clang attribute pop
#endif
