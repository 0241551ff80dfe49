// Continuations: observes when one begins, prevents a second resume, and observes when a checked one is dropped without being
// resumed.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED

typedef SWIFTCC void resume_continuation(void *task);
typedef SWIFTCC void resume_throwing(void *task, void *error);
static resume_continuation *original_resume, *original_throwing_resume;
static resume_throwing *original_resume_with_error;

typedef SWIFTCC void *init_continuation(void *context, size_t flags);
static init_continuation *original_continuation_init;

SWIFTCC void *swift_continuation_init(void *context, size_t flags) {
  void *task = original_continuation_init(context, flags);
  ch_simulation *s = ch_current;
  if (s) simulator_continuation_began(s->scheduler, task);
  return task;
}

// Returns false for a continuation that is resumed twice, which would corrupt its task's memory: the second call is reported
// and dropped. By then, the caller has already written the value, inline, to a context that may be another's by now or be
// freed. So this protects continuations without a value. For those with a value, it is only a help.
static bool may_resume(void *task) {
  ch_simulation *s = ch_current;
  if (!s || ch_tag_of(ch_job_record(task)) != s->execution.tag) return true;
  return simulator_continuation_resumed(s->scheduler, task);
}
SWIFTCC void swift_continuation_resume(void *task) {
  if (may_resume(task)) original_resume(task);
}
SWIFTCC void swift_continuation_throwingResume(void *task) {
  if (may_resume(task)) original_throwing_resume(task);
}
SWIFTCC void swift_continuation_throwingResumeWithError(void *task, void *error) {
  if (may_resume(task)) original_resume_with_error(task, error);
}

// MARK: dropped
//
// A checked continuation is a reference to an object that holds the task until it is resumed. If the object is destroyed
// while it still holds the task, it warns. The class is private to the library, so the first object that is seen reveals it.
// The function that destroys its objects is two words before the class.

typedef SWIFTCC void end_function(__attribute__((swift_context)) void *object);
static end_function *original_end;
enum { held_task = 16 };

SWIFTCC static void end_checked(__attribute__((swift_context)) void *checked) {
  ch_simulation *s = ch_current;
  void *task = (void *)ch_word(checked, held_task);
  if (s && task && ch_tag_of(ch_job_record(task)) == s->execution.tag &&
      simulator_continuation_dropped(s->scheduler, task))
    *(void **)((char *)checked + held_task) = NULL;  // the simulation reports it, so the runtime need not warn
  original_end(checked);
}

bool ch_watch_checked(void *checked, void *task) {
  if ((void *)ch_word(checked, held_task) != task) return false;
  end_function **end = (end_function **)ch_word(checked, 0) - 2;
  if (*end == end_checked) return true;
  original_end = *end;
  __atomic_store_n(end, end_checked, __ATOMIC_RELEASE);
  return true;
}

void ch_install_continuations(void) {
  original_continuation_init = ch_behind_us("swift_continuation_init");
  original_resume = ch_behind_us("swift_continuation_resume");
  original_throwing_resume = ch_behind_us("swift_continuation_throwingResume");
  original_resume_with_error = ch_behind_us("swift_continuation_throwingResumeWithError");
}
#endif
