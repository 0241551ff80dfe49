// Work that is handed to a Dispatch queue becomes a job of the scheduler, which keeps the order that the queue would keep
// (`DispatchQueues.swift`). The queue itself gets nothing. Outside a simulation, every call goes on to the queue.
#define _GNU_SOURCE
#include "Queues.h"
#include "Exits.h"

#if CH_SUPPORTED
#include <stdlib.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// MARK: work for a queue

// Returns the simulation if a step or an action of it calls, and not the runtime on behalf of others; else NULL.
ch_simulation *ch_simulation_of(void *const *frame) {
  ch_simulation *s = ch_in_program();
  return s && !ch_is_runtime(frame[1]) ? s : NULL;
}

static ch_work work_of(void *queue, void *block, ch_function *function, void *context, void *group, bool is_barrier) {
  bool asks = is_barrier || ch_asks_for_barrier(block);
  return ch_work_again((ch_work){block, function, context, queue, group, asks});
}

static void hands_over(ch_simulation *s, ch_work work, void *const *frame) {
  simulator_handed_over(s->scheduler, work, 0, false);
  // The work may run before the next statement.
  ch_preemption_point_without_locks(s, frame);
}

// MARK: outside of simulations

CH_BEHIND(_Block_copy);
CH_BEHIND(_Block_release);

typedef struct {
  void *block, *context, *row;
  ch_function *function;
} work_beside;

static void run_beside(void *argument) {
  work_beside work = *(work_beside *)argument;
  free(argument);
  ch_block_begins(work.row);
  if (work.block) ch_invoke_block(work.block);
  else work.function(work.context);
  ch_block_ended(work.row);
  if (work.block) _Block_release(work.block);
}

// Wraps work so that it is known while it is pending or runs: a wait for a block that is older than the search must be
// recognized. Returns false if the work is not wrapped. A block made by Dispatch holds more than its function, so it is left
// alone.
static bool runs_beside(work_beside work, void *queue, void (*submit)(void *, void *, ch_function *), void *const *frame) {
  if (ch_current || (work.block && ch_is_made_by_dispatch(work.block))) return false;
  work_beside *kept = (work.row = ch_block_handed_over(frame)) ? malloc(sizeof *kept) : NULL;
  if (!kept) return false;
  if (work.block) work.block = CH_REAL(_Block_copy)(work.block);
  *kept = work;
  submit(queue, kept, run_beside);
  return true;
}

#define HANDS_OVER(name, barrier)                                                                     \
  void name(void *queue, void *block);                                                                \
  void name##_f(void *queue, void *context, ch_function *function);                                   \
  CH_BEHIND(name);                                                                                    \
  CH_BEHIND(name##_f);                                                                                \
  void name(void *queue, void *block) {                                                               \
    ch_simulation *s = ch_simulation_of(CH_FRAME);                                                    \
    if (!s) {                                                                                         \
      if (!runs_beside((work_beside){.block = block}, queue, CH_REAL(name##_f), CH_FRAME))            \
        CH_REAL(name)(queue, block);                                                                  \
      return;                                                                                         \
    }                                                                                                 \
    hands_over(s, work_of(queue, block, NULL, NULL, NULL, barrier), CH_FRAME);                        \
  }                                                                                                   \
  void name##_f(void *queue, void *context, ch_function *function) {                                  \
    ch_simulation *s = ch_simulation_of(CH_FRAME);                                                    \
    if (!s) {                                                                                         \
      work_beside work = {.function = function, .context = context};                                  \
      if (!runs_beside(work, queue, CH_REAL(name##_f), CH_FRAME))                                     \
        CH_REAL(name##_f)(queue, context, function);                                                  \
      return;                                                                                         \
    }                                                                                                 \
    hands_over(s, work_of(queue, NULL, function, context, NULL, barrier), CH_FRAME);                  \
  }
HANDS_OVER(dispatch_async, false)
HANDS_OVER(dispatch_barrier_async, true)

// A time is a reading of the clock that starts with the machine; if it is less than zero, it is the negative of a calendar time.
bool ch_is_calendar_time(uint64_t when) { return (int64_t)when < 0; }

int64_t ch_nanoseconds_until(const ch_simulation *s, uint64_t when) {
  int64_t instant = (int64_t)when;
  if (instant < 0) return -instant - ch_calendar_epoch - s->execution.now;
  return instant - ch_monotonic_epoch - s->execution.now;
}
static const uint64_t forever = ~(uint64_t)0;

static void hands_over_at(ch_simulation *s, uint64_t when, ch_work work, void *const *frame) {
  int64_t delay = ch_nanoseconds_until(s, when);
  simulator_handed_over(s->scheduler, work, delay, ch_is_calendar_time(when));
  if (delay <= 0) ch_preemption_point_without_locks(s, frame);
}

void dispatch_after(uint64_t when, void *queue, void *block);
CH_BEHIND(dispatch_after);
void dispatch_after(uint64_t when, void *queue, void *block) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_after)(when, queue, block); return; }
  if (when == forever) return;
  hands_over_at(s, when, work_of(queue, block, NULL, NULL, NULL, false), CH_FRAME);
}

void dispatch_after_f(uint64_t when, void *queue, void *context, ch_function *function);
CH_BEHIND(dispatch_after_f);
void dispatch_after_f(uint64_t when, void *queue, void *context, ch_function *function) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_after_f)(when, queue, context, function); return; }
  if (when == forever) return;
  hands_over_at(s, when, work_of(queue, NULL, function, context, NULL, false), CH_FRAME);
}

// MARK: groups
//
// A group keeps its own count. The scheduler knows what to notify when the group is empty.

extern void dispatch_group_enter(void *group);
CH_BEHIND(dispatch_group_enter);
extern intptr_t dispatch_group_wait(void *group, uint64_t timeout);
CH_BEHIND(dispatch_group_wait);

extern void *dispatch_group_create(void);
CH_BEHIND(dispatch_group_create);
void *ch_make_group(void) { return CH_REAL(dispatch_group_create)(); }
void ch_enter_group(void *group) { CH_REAL(dispatch_group_enter)(group); }

bool ch_is_group_empty(void *group) { return !CH_REAL(dispatch_group_wait)(group, 0); }

static void enter_group(ch_simulation *s, void *group) {
  simulator_enters_group(s->scheduler, group);
  CH_REAL(dispatch_group_enter)(group);
}

void dispatch_group_enter(void *group) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (s) enter_group(s, group);
  else CH_REAL(dispatch_group_enter)(group);
}

void dispatch_group_async(void *group, void *queue, void *block);
CH_BEHIND(dispatch_group_async);
void dispatch_group_async(void *group, void *queue, void *block) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_async)(group, queue, block); return; }
  enter_group(s, group);
  hands_over(s, work_of(queue, block, NULL, NULL, group, false), CH_FRAME);
}

void dispatch_group_async_f(void *group, void *queue, void *context, ch_function *function);
CH_BEHIND(dispatch_group_async_f);
void dispatch_group_async_f(void *group, void *queue, void *context, ch_function *function) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_async_f)(group, queue, context, function); return; }
  enter_group(s, group);
  hands_over(s, work_of(queue, NULL, function, context, group, false), CH_FRAME);
}

void dispatch_group_leave(void *group);
CH_BEHIND(dispatch_group_leave);
static void leave_group(ch_simulation *s, void *group) {
  CH_REAL(dispatch_group_leave)(group);
  simulator_left_group(s->scheduler, group);
}
void dispatch_group_leave(void *group) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_leave)(group); return; }
  ch_before_a_visible_act();
  leave_group(s, group);
  ch_preemption_point_without_locks(s, CH_FRAME);
}

bool ch_leaves_group_of_work(ch_work work) {
  if (work.group) leave_group(ch_current, work.group);
  return work.group;
}

static void notifies(ch_simulation *s, ch_work work, void *const *frame) {
  if (simulator_notifies(s->scheduler, work)) ch_preemption_point_without_locks(s, frame);
}

void dispatch_group_notify(void *group, void *queue, void *block);
CH_BEHIND(dispatch_group_notify);
void dispatch_group_notify(void *group, void *queue, void *block) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_notify)(group, queue, block); return; }
  notifies(s, work_of(queue, block, NULL, NULL, group, false), CH_FRAME);
}

void dispatch_group_notify_f(void *group, void *queue, void *context, ch_function *function);
CH_BEHIND(dispatch_group_notify_f);
void dispatch_group_notify_f(void *group, void *queue, void *context, ch_function *function) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_notify_f)(group, queue, context, function); return; }
  notifies(s, work_of(queue, NULL, function, context, group, false), CH_FRAME);
}

// A work item has a group of its own, which it leaves when it has run for the first time.
void dispatch_block_notify(void *after, void *queue, void *block);
CH_BEHIND(dispatch_block_notify);
void dispatch_block_notify(void *after, void *queue, void *block) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  void *item = ch_work_item_group((ch_work){after});
  if (!s || !item) { CH_REAL(dispatch_block_notify)(after, queue, block); return; }
  notifies(s, work_of(queue, block, NULL, NULL, item, false), CH_FRAME);
}

void dispatch_block_cancel(void *block);
CH_BEHIND(dispatch_block_cancel);
void dispatch_block_cancel(void *block) {
  void *item = ch_work_item_group((ch_work){block});
  ch_simulation *s = item ? ch_simulation_of(CH_FRAME) : NULL;
  if (s) ch_before_a_visible_act();
  // In another schedule, the work item may have run by now.
  bool is_pending = s && simulator_uses_work_item(s->scheduler, item);
  CH_REAL(dispatch_block_cancel)(block);
  if (s) ch_has_looked(s);
  if (is_pending) ch_preemption_point_without_locks(s, CH_FRAME);
}
#pragma clang attribute pop
#endif
