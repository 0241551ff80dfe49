// Waits for semaphores and groups of Dispatch, when steps are preemptible. A step that has to wait blocks, and one that
// signals or leaves makes it runnable.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// MARK: semaphores and groups

void ch_waits_for_dispatch(ch_simulation *s, ch_wait_subject subject, void *object, int64_t until, void *const *frame) {
  s->point_frame = frame;
  simulator_waits(s->scheduler, subject, (uintptr_t)object, until);
  ch_uses((uintptr_t)object, NULL);
}

void ch_takes_in_turn(ch_simulation *s, void *object, bool only_tries, void *const *frame) {
  bool is_of_program = ch_is_of_program(frame[1], frame);
  if (is_of_program) ch_is_touched((uintptr_t)object);
  if (only_tries) ch_tries(s, object, frame);
  else if (ch_is_followed(s)) ch_takes(s, object, frame);
  ch_uses((uintptr_t)object, is_of_program ? "`DispatchSemaphore` or `DispatchGroup`" : NULL);
}

void ch_frees(void *object, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s) || ch_is_runtime(frame[1])) return;
  ch_uses((uintptr_t)object, NULL);
  simulator_frees(s->scheduler, (uintptr_t)object);
  ch_preemption_point_without_locks(s, frame);
}
#pragma clang attribute pop
#endif
