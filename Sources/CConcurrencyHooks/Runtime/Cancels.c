// Observes which tasks are canceled by `Task.cancel`, and which are asked by another whether they are canceled, by
// `Task.isCancelled` of a handle. Canceling a task that has ended or is already canceled changes nothing, so nothing else
// would show it. The reduced search must know of it, because in another order the cancel would have had an effect. Groups
// cancel their children inside the library, where no hook reaches: their effect is observed at the end of a step.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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

// What the step has done before, others may see before the cancel.
static inline __attribute__((always_inline)) void cancels(void *task) {
  ch_before_a_visible_act();
  ch_meets(task ? ch_cancel_of(task) : ch_cancels_of_groups, CH_CHANGES);
}

void ch_cancels_child(void *task) {
  cancels(task);
  ch_cancels(task);
}

// MARK: Task.cancel and UnsafeCurrentTask.cancel

typedef SWIFTCC void cancel_function(void *task, void *success, void *failure, void *conformance);
static cancel_function *original_cancel;

SWIFTCC void ch_task_cancel(void *, void *, void *, void *) __asm__("$sScT6cancelyyF");
SWIFTCC void ch_task_cancel(void *task, void *success, void *failure, void *conformance) {
  cancels(task);
  ch_cancels(task);
  original_cancel(task, success, failure, conformance);
  if (ch_current) ch_set_free(ch_current);
}

typedef SWIFTCC void cancel_current_function(SELF void **task);
static cancel_current_function *original_cancel_current;

SWIFTCC void ch_cancel_current(SELF void **) __asm__("$sSct6cancelyyF");
SWIFTCC void ch_cancel_current(SELF void **task) {
  cancels(*task);
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
    cancels(NULL);                                                                                       \
    if (s) simulator_cancels_group(s->scheduler);                                                        \
    original_##name(group, child, failure);                                                              \
    if (s) ch_set_free(s);                                                                               \
  }
GROUP(cancel_all, "$sScG9cancelAllyyF")
GROUP(cancel_all_throwing, "$sScg9cancelAllyyF")
GROUP(cancel_all_discarding, "$ss19DiscardingTaskGroupV9cancelAllyyF")
GROUP(cancel_all_throwing_discarding, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")

// MARK: Task.isCancelled and Task.checkCancellation
//
// They say what holds at one instant. Others may cancel the task between two questions, and between what the step has done
// and the next question.

static _Thread_local bool adds_own __attribute__((tls_model("initial-exec")));
void ch_adds_own_handler(void) { adds_own = true; }

static void asks_whether_cancelled(void *task) {
  ch_simulation *s = ch_current;
  if (!s || !task || !ch_in_step(s) || ch_untold_locks || !ch_running_task()) return;
  if (s->execution.watches_sharing && !s->execution.shares && simulator_meets_cancel(s->scheduler, task))
    s->execution.shares = true;
  if (ch_has_acted(s)) ch_preemption_point_without_locks(s, (void *const *)__builtin_frame_address(0));
  // An atomic step is assumed to ask about its own task.
  if (s->execution.follows_dependencies && (s->execution.overlaps || task != ch_running_task()))
    simulator_asks_whether_cancelled(s->scheduler, task);
  ch_has_looked(s);
}

typedef SWIFTCC bool own_question(void);
static own_question *original_own_question;
SWIFTCC bool ch_is_own_cancelled(void) __asm__("$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ");
SWIFTCC bool ch_is_own_cancelled(void) {
  if (ch_is_of_image(__builtin_return_address(0))) asks_whether_cancelled(ch_running_task());
  return original_own_question();
}

typedef SWIFTCC void own_check(SELF void *unused, __attribute__((swift_error_result)) void **error);
static own_check *original_own_check;
SWIFTCC void ch_checks_own(SELF void *, __attribute__((swift_error_result)) void **)
    __asm__("$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ");
SWIFTCC void ch_checks_own(SELF void *unused, __attribute__((swift_error_result)) void **error) {
  if (ch_is_of_image(__builtin_return_address(0))) asks_whether_cancelled(ch_running_task());
  original_own_check(unused, error);
}

// MARK: withTaskCancellationHandler
//
// Another task may cancel this one before the handler is in place, which is asked here, or later. The library adds and removes
// the handler by calls that can't be interposed. Callers read the size of the context from a record: see `CH_RECORD`.

#define WITH_HANDLER "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF"
#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context)) void *context
typedef ASYNC void with_handler(CONTEXT, void *, void *, void *, void *, void *, void *, void *, void *);
static with_handler *original_with_handler;

ASYNC void ch_with_handler(CONTEXT, void *, void *, void *, void *, void *, void *, void *, void *) __asm__(WITH_HANDLER);
ASYNC void ch_with_handler(CONTEXT, void *result, void *operation, void *of_operation, void *handler, void *of_handler,
                           void *isolation, void *of_isolation, void *type) {
  if (!adds_own) asks_whether_cancelled(ch_running_task());
  adds_own = false;
  __attribute__((musttail)) return original_with_handler(context, result, operation, of_operation, handler, of_handler,
                                                         isolation, of_isolation, type);
}
CH_RECORD(with_handler, WITH_HANDLER)

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

typedef SWIFTCC bool is_cancelled_function(void *task);
static is_cancelled_function *original_is_cancelled;

SWIFTCC bool swift_task_isCancelled(void *task) {
  if (task != ch_running_task()) asks_whether_cancelled(task);
  return original_is_cancelled(task);
}

bool ch_is_cancelled(void *task) { return original_is_cancelled(task); }

__attribute__((constructor)) static void install(void) {
  original_with_handler = behind_us(WITH_HANDLER);
  memcpy(&record_with_handler[1], (char *)behind_us(WITH_HANDLER "Tu") + 4, 4);
  original_own_question = behind_us("$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ");
  original_own_check = behind_us("$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ");
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
