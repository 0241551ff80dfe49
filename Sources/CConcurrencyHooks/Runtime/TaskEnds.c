// Reports the end of a task.
//
// The function that a task's first context returns to is replaced by one of ours, which reports the end and continues
// with the original. The original must be remembered without touching the task, so each distinct original has a
// stand-in of its own. The runtime has three (with a closure, without one, and inline), and there is room for four.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <stdlib.h>

typedef __attribute__((swiftasynccall)) void completion(__attribute__((swift_async_context)) void *,
                                                        __attribute__((swift_context)) void *);
static completion *completions[4];

static void report_finished(void *error) {
  ch_simulation *s = ch_current;
  void *task = ch_running_task();
  if (s && task && ch_tag_of(ch_job_record(task)) == s->execution.tag)
    simulator_task_finished(s->scheduler, ch_job_record(task), error);
}
#define COMPLETION(n)                                                                          \
  __attribute__((swiftasynccall)) static void completed_##n(                                   \
      __attribute__((swift_async_context)) void *context, __attribute__((swift_context)) void *error) { \
    report_finished(error);                                                                    \
    __attribute__((musttail)) return completions[n](context, error);                           \
  }
COMPLETION(0) COMPLETION(1) COMPLETION(2) COMPLETION(3)
static completion *const stand_ins[4] = {completed_0, completed_1, completed_2, completed_3};

static bool watch_end(void *context) {
  completion **slot = (completion **)((char *)context + 8);
  for (int n = 0; n < 4; n++) {
    completion *known = __atomic_load_n(&completions[n], __ATOMIC_ACQUIRE);
    if (!known) {
      completion *none = NULL;
      if (!__atomic_compare_exchange_n(&completions[n], &none, *slot, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        known = none;
      else
        known = *slot;
    }
    if (known == *slot) { *slot = stand_ins[n]; return true; }
  }
  return false;
}

// MARK: new tasks

uint64_t ch_adopt(ch_simulation *s, void *task, void *context, ch_group group) {
  // The runtime writes the priority when it enqueues a task. We enqueue the task instead, so we write it.
  ch_job_set_priority(task, (uint8_t)swift_task_currentPriority(task));
  uint64_t record =
      simulator_task_created(s->scheduler, task, ch_running_task(), group.address, group.discards);
  ch_job_set_record(task, record);
  if (!watch_end(context)) abort();  // no room for another kind of completion: a toolchain that the self-test refuses
  return record;
}

#endif
