// The locks of Observation: each registrar has one, and so does each sequence of `Observations`. A value may change between
// two statements of the task that observes it, so these locks are like those of the program: an unlock is a preemption point,
// and steps become preemptible if one is used in two places that nothing else keeps apart.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <string.h>

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

static int lock_of_observation(pthread_mutex_t *mutex) {
  ch_simulation *s = ch_current;
  if (s && s->execution.watches_sharing && ch_in_step(s) && ch_running_task()) {
    ch_touches(s, (uintptr_t)mutex, simulator_place_of_step(s->scheduler));
    simulator_changes_observed(s->scheduler);
  }
  if (ch_is_followed(s)) ch_uses((uintptr_t)mutex, "`Observation`");
  return ch_take(mutex, CH_LOCK_OF_LIBRARY, NULL);
}

static int unlock_of_observation(pthread_mutex_t *mutex) {
  ch_simulation *s = ch_current;
  if (ch_is_followed(s)) ch_uses((uintptr_t)mutex, "`Observation`");
  int error;
  ch_open(mutex, &error);
  if (s && s->execution.overlaps) ch_has_opened(s, true, CH_FRAME);
  return error;
}

bool ch_is_called_by_observation(void) {
  ch_callers callers = {.count = 0};
  ch_find_callers_in_step(CH_FRAME, &callers);
  for (int n = 0; n < callers.count; n++)
    if (!strncmp(ch_library_of(callers.addresses[n]), "libswiftObservation", 19)) return true;
  return false;
}

__attribute__((constructor)) static void install(void) {
  // Only a program that uses the library loads it.
  const struct link_map *library = ch_image_with(dlsym(RTLD_DEFAULT, "$s11Observation0A9RegistrarV12withMutation2of7keyPath_q0_x_s03KeyG0Cyxq_Gq0_yKXEtKAA10ObservableRzr1_lF"));
  if (!library) return;
  ch_redirect_imports(library, "pthread_mutex_lock", (void *)lock_of_observation);
  ch_redirect_imports(library, "pthread_mutex_unlock", (void *)unlock_of_observation);
}
#pragma clang attribute pop
#endif
