// Calls by which a thread lets others run first, and steps that loop until others have changed something.
//
// If steps are preemptible, a step that yields goes behind the others, as a task that yields does. If they are atomic, nothing
// can run meanwhile: a step that loops for long asks for preemptible steps, and ends.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <sched.h>
#include <threads.h>

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// MARK: preemptible steps

bool ch_yields(void *const *frame) {
  if (!ch_current || ch_is_runtime(frame[1])) return false;
  ch_is_shared();
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s) || !ch_can_park(s)) return false;
  ch_execution *e = &s->execution;
  if (ch_untold_locks > ch_makes_once || e->creating || e->deinitializing || !ch_running_task()) return true;
  s->point_frame = frame;
  e->of_step.has_acted = false;
  simulator_yields(s->scheduler);
  return true;
}

// MARK: atomic steps

// Returns true if the running step, and no other, has done the same thing `many` times in a row. Looks every `many` times.
static bool is_many(ch_simulation *s, ch_rounds *rounds, uint32_t many) {
  if (++rounds->count % many) return false;
  uint64_t step = simulator_step(s->scheduler);
  bool is_same = rounds->step == step && rounds->count > many;
  rounds->step = step;
  return is_same;
}

// Ends a step that takes locks again and again: it is polling, and another step may have to take the lock first.
void ch_may_poll(ch_simulation *s, void *const *frame) {
  enum { many = 50000 };
  if (!is_many(s, &s->execution.polls, many)) return;
  ch_is_shared();
  if (ch_leaves(s, "pthread_mutex_lock", frame)) ch_leave_step(s);
}

static void yields_in_vain(ch_simulation *s, const char *name, void *const *frame) {
  enum { many = 1000 };
  if (is_many(s, &s->execution.yields, many) && ch_leaves(s, name, frame)) ch_leave_step(s);
}

// MARK: the calls

CH_BEHIND(sched_yield);
void ch_yield_for_real(void) { CH_REAL(sched_yield)(); }

int sched_yield(void) {
  if (ch_yields(CH_FRAME)) return 0;
  ch_simulation *s = ch_in_program();
  if (!s || ch_is_runtime(CH_FRAME[1])) return CH_REAL(sched_yield)();
  yields_in_vain(s, "sched_yield", CH_FRAME);
  return 0;
}

CH_BEHIND(thrd_yield);
void thrd_yield(void) {
  if (ch_yields(CH_FRAME)) return;
  ch_simulation *s = ch_in_program();
  if (!s) CH_REAL(thrd_yield)();
  else yields_in_vain(s, "thrd_yield", CH_FRAME);
}
#pragma clang attribute pop
#endif
