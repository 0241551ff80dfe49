// Semaphores and groups of Dispatch that steps wait for, where steps may overlap: who has to wait stands, and who signals or
// leaves lets it go on.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// MARK: semaphores and groups

void ch_waits_for_dispatch(ch_simulation *s, void *object, int64_t until, void *const *frame) {
  s->stands_at = frame;
  simulator_waits(s->scheduler, CH_WAITS_FOR_POST, (uintptr_t)object, until);
  ch_uses((uintptr_t)object, NULL);
}

void ch_takes_in_turn(ch_simulation *s, void *object, void *const *frame) {
  if (ch_is_followed(s)) ch_takes(s, object, frame);
  ch_uses((uintptr_t)object, ch_is_of_program(frame[1], frame) ? "`DispatchSemaphore` or `DispatchGroup`" : NULL);
}

void ch_frees(void *object, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s) || ch_is_runtime(frame[1])) return;
  ch_uses((uintptr_t)object, NULL);
  simulator_frees(s->scheduler, (uintptr_t)object);
  ch_may_stand_with_free_hands(s, frame);
}
#pragma clang attribute pop
#endif
