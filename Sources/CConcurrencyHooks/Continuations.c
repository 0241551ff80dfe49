// Continuations: when one begins, and that none is resumed twice.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
extern void simulator_continuation_began(void *scheduler, void *task);
extern bool simulator_continuation_resumed(void *scheduler, void *task);

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

// A continuation that is resumed twice would run its task's memory over: the second call is reported and dropped. What
// it brings has been written by then, inline in the caller: for a continuation with a value into a context that may be
// another's by now, or be freed. So this is a help for those without a value, and no more than that for others.
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

void ch_install_continuations(void) {
  original_continuation_init = ch_behind_us("swift_continuation_init");
  original_resume = ch_behind_us("swift_continuation_resume");
  original_throwing_resume = ch_behind_us("swift_continuation_throwingResume");
  original_resume_with_error = ch_behind_us("swift_continuation_throwingResumeWithError");
}
#endif
