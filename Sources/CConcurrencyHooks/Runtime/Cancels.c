// Observes which tasks are canceled by `Task.cancel`, and which are asked by another whether they are canceled, by
// `Task.isCancelled` of a handle. Canceling a task that has ended or is already canceled changes nothing, so nothing else
// would show it. The reduced search must know of it, because in another order the cancel would have had an effect. Groups
// cancel their children inside the library, where no hook reaches: their effect is observed at the end of a step.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>

#define SELF __attribute__((swift_context))

static void *behind_us(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();  // the library that defines it is loaded, or no Swift code would run
  return found;
}

void ch_cancels(void *task) {
  ch_simulation *s = ch_current;
  if (s) simulator_cancels(s->scheduler, task);
}

// MARK: Task.cancel and UnsafeCurrentTask.cancel

typedef SWIFTCC void cancel_function(void *task, void *success, void *failure, void *conformance);
static cancel_function *original_cancel;

SWIFTCC void ch_task_cancel(void *, void *, void *, void *) __asm__("$sScT6cancelyyF");
SWIFTCC void ch_task_cancel(void *task, void *success, void *failure, void *conformance) {
  ch_cancels(task);
  original_cancel(task, success, failure, conformance);
  if (ch_current) ch_set_free(ch_current);
}

typedef SWIFTCC void cancel_current_function(SELF void **task);
static cancel_current_function *original_cancel_current;

SWIFTCC void ch_cancel_current(SELF void **) __asm__("$sSct6cancelyyF");
SWIFTCC void ch_cancel_current(SELF void **task) {
  ch_cancels(*task);
  original_cancel_current(task);
  if (ch_current) ch_set_free(ch_current);
}

// MARK: cancelAll of the four kinds of groups

typedef SWIFTCC void cancel_all_function(void *group, void *child, void *failure);

#define GROUP(name, symbol)                                                                              \
  static cancel_all_function *original_##name;                                                           \
  SWIFTCC void ch_##name(void *, void *, void *) __asm__(symbol);                                        \
  SWIFTCC void ch_##name(void *group, void *child, void *failure) {                                      \
    ch_simulation *s = ch_current;                                                                       \
    if (s) simulator_cancels_group(s->scheduler);                                                        \
    original_##name(group, child, failure);                                                              \
    if (s) ch_set_free(s);                                                                               \
  }
GROUP(cancel_all, "$sScG9cancelAllyyF")
GROUP(cancel_all_throwing, "$sScg9cancelAllyyF")
GROUP(cancel_all_discarding, "$ss19DiscardingTaskGroupV9cancelAllyyF")
GROUP(cancel_all_throwing_discarding, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")

// MARK: withTaskCancellationHandler
//
// The handler is in place from the first call to the second. Another task may cancel this one just after the first call and
// just before the second, so both places are preemption points.

typedef SWIFTCC void *add_handler_function(void *handler, void *context);
typedef SWIFTCC void remove_handler_function(void *record);
static add_handler_function *original_add_handler;
static remove_handler_function *original_remove_handler;

SWIFTCC void *swift_task_addCancellationHandler(void *handler, void *context) {
  void *record = original_add_handler(handler, context);
  if (ch_current) ch_set_free(ch_current);
  return record;
}

SWIFTCC void swift_task_removeCancellationHandler(void *record) {
  if (ch_current) ch_set_free(ch_current);
  original_remove_handler(record);
}

// MARK: Task.escalatePriority and UnsafeCurrentTask.escalatePriority
//
// A task's priority matters wherever the task waits for its turn. The simulator does not follow which task changes it, or
// when.

typedef SWIFTCC void escalate_function(void *priority, void *task, void *success, void *failure, void *conformance);
static escalate_function *original_escalate;

SWIFTCC void ch_task_escalate(void *, void *, void *, void *, void *) __asm__("$sScT16escalatePriority2toyScP_tF");
SWIFTCC void ch_task_escalate(void *priority, void *task, void *success, void *failure, void *conformance) {
  ch_shares_unseen("`escalatePriority`");
  original_escalate(priority, task, success, failure, conformance);
}

typedef SWIFTCC void escalate_current_function(void *priority, SELF void **task);
static escalate_current_function *original_escalate_current;

SWIFTCC void ch_escalate_current(void *, SELF void **) __asm__("$sSct16escalatePriority2toyScP_tF");
SWIFTCC void ch_escalate_current(void *priority, SELF void **task) {
  ch_shares_unseen("`escalatePriority`");
  original_escalate_current(priority, task);
}

// MARK: Task.isCancelled of a handle
//
// The running task's own `isCancelled` is not reported, because each of its steps is assumed to ask.

typedef SWIFTCC bool is_cancelled_function(void *task);
static is_cancelled_function *original_is_cancelled;

SWIFTCC bool swift_task_isCancelled(void *task) {
  ch_simulation *s = ch_current;
  if (s && s->execution.follows_dependencies && task != ch_running_task())
    simulator_asks_whether_cancelled(s->scheduler, task);
  return original_is_cancelled(task);
}

bool ch_is_cancelled(void *task) { return original_is_cancelled(task); }

__attribute__((constructor)) static void install(void) {
  original_add_handler = behind_us("swift_task_addCancellationHandler");
  original_remove_handler = behind_us("swift_task_removeCancellationHandler");
  original_cancel = behind_us("$sScT6cancelyyF");
  original_cancel_current = behind_us("$sSct6cancelyyF");
  original_cancel_all = behind_us("$sScG9cancelAllyyF");
  original_cancel_all_throwing = behind_us("$sScg9cancelAllyyF");
  original_cancel_all_discarding = behind_us("$ss19DiscardingTaskGroupV9cancelAllyyF");
  original_cancel_all_throwing_discarding = behind_us("$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF");
  original_is_cancelled = behind_us("swift_task_isCancelled");
  original_escalate = behind_us("$sScT16escalatePriority2toyScP_tF");
  original_escalate_current = behind_us("$sSct16escalatePriority2toyScP_tF");
}
#endif
