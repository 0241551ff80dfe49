// Who cancels whom, and who asks whether another has been cancelled: `Task.cancel`, `TaskGroup.cancelAll`,
// `Task.isCancelled` of a handle. A cancel of what has ended or was cancelled before changes nothing, so that nobody
// would otherwise learn of it; the reduced search must, because in another order it would have counted.
#define _GNU_SOURCE
#include "CConcurrencyHooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>

extern void simulator_cancels(void *scheduler, void *task);
extern void simulator_cancels_group(void *scheduler);
extern void simulator_asks_whether_cancelled(void *scheduler, void *task);

#define SWIFTCC __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

static void *behind_us(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();  // the library that defines it is loaded, or nothing of Swift's would run
  return found;
}

void ch_cancels(void *task) {
  ch_simulation *s = ch_current;
  if (s && s->follows_touches) simulator_cancels(s->scheduler, task);
}

static void cancels_group(void) {
  ch_simulation *s = ch_current;
  if (s && s->follows_touches) simulator_cancels_group(s->scheduler);
}

// MARK: Task.cancel and UnsafeCurrentTask.cancel

typedef SWIFTCC void cancel_function(void *task, void *success, void *failure, void *conformance);
static cancel_function *original_cancel;

SWIFTCC void ch_task_cancel(void *, void *, void *, void *) __asm__("$sScT6cancelyyF");
SWIFTCC void ch_task_cancel(void *task, void *success, void *failure, void *conformance) {
  ch_cancels(task);
  original_cancel(task, success, failure, conformance);
}

typedef SWIFTCC void cancel_current_function(SELF void **task);
static cancel_current_function *original_cancel_current;

SWIFTCC void ch_cancel_current(SELF void **) __asm__("$sSct6cancelyyF");
SWIFTCC void ch_cancel_current(SELF void **task) {
  ch_cancels(*task);
  original_cancel_current(task);
}

// MARK: cancelAll, and the cancel of a group's iterator
//
// A group is a struct of one pointer, which comes in a register or, with an iterator, behind the self register; both
// are handed on as they came. What is cancelled are children of the running task, in whichever of its groups.

typedef SWIFTCC void cancel_all_function(void *, void *, void *, void *, SELF void *);

#define CANCEL_ALL(name, symbol)                                                                 \
  static cancel_all_function *original_##name;                                                   \
  SWIFTCC void ch_##name(void *, void *, void *, void *, SELF void *) __asm__(symbol);           \
  SWIFTCC void ch_##name(void *a, void *b, void *c, void *d, SELF void *self) {                  \
    cancels_group();                                                                             \
    original_##name(a, b, c, d, self);                                                           \
  }
#define GROUP "$sScG9cancelAllyyF"
#define THROWING_GROUP "$sScg9cancelAllyyF"
#define DISCARDING_GROUP "$ss19DiscardingTaskGroupV9cancelAllyyF"
#define THROWING_DISCARDING_GROUP "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF"
#define ITERATOR "$sScG8IteratorV6cancelyyF"
#define THROWING_ITERATOR "$sScg8IteratorV6cancelyyF"
CANCEL_ALL(group, GROUP)
CANCEL_ALL(throwing_group, THROWING_GROUP)
CANCEL_ALL(discarding_group, DISCARDING_GROUP)
CANCEL_ALL(throwing_discarding_group, THROWING_DISCARDING_GROUP)
CANCEL_ALL(iterator, ITERATOR)
CANCEL_ALL(throwing_iterator, THROWING_ITERATOR)

// MARK: Task.isCancelled of a handle
//
// That of the running task needs no telling: all its steps are taken to ask.

typedef SWIFTCC bool is_cancelled_function(void *task);
static is_cancelled_function *original_is_cancelled;

SWIFTCC bool swift_task_isCancelled(void *task) {
  ch_simulation *s = ch_current;
  if (s && s->follows_touches && task != swift_task_getCurrent())
    simulator_asks_whether_cancelled(s->scheduler, task);
  return original_is_cancelled(task);
}

bool ch_is_cancelled(void *task) { return original_is_cancelled(task); }

__attribute__((constructor)) static void install(void) {
  original_cancel = behind_us("$sScT6cancelyyF");
  original_cancel_current = behind_us("$sSct6cancelyyF");
  original_group = behind_us(GROUP);
  original_throwing_group = behind_us(THROWING_GROUP);
  original_discarding_group = behind_us(DISCARDING_GROUP);
  original_throwing_discarding_group = behind_us(THROWING_DISCARDING_GROUP);
  original_iterator = behind_us(ITERATOR);
  original_throwing_iterator = behind_us(THROWING_ITERATOR);
  original_is_cancelled = behind_us("swift_task_isCancelled");
}
#endif
