// The simulator's own locks, which no simulation sees.
#include "Hooks.h"

#if CH_SUPPORTED
#include <stdlib.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

void *ch_make_lock(void) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (!lock || pthread_mutex_init(lock, NULL)) abort();
  return lock;
}
void ch_free_lock(void *lock) {
  pthread_mutex_destroy(lock);
  free(lock);
}
_Thread_local uint32_t ch_untold_locks __attribute__((tls_model("initial-exec"))) = 0;
void ch_lock(void *lock) {
  ch_lock_untold(lock);
  ch_untold_locks++;
}
void ch_unlock(void *lock) {
  ch_untold_locks--;
  ch_unlock_untold(lock);
}
#pragma clang attribute pop
#endif
