// Barriers of the C library, when steps are preemptible. A step that reaches a barrier blocks until as many steps have
// arrived as the barrier was initialized for. With atomic steps, the call is an escape.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <pthread.h>
#include <string.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// A barrier stores the count that it was initialized with. One with a known count shows where.
enum { shown = 4711, no_place = -1, words = sizeof(pthread_barrier_t) / sizeof(unsigned) };
static int count_place = no_place;

static void find_count(void) {
  pthread_barrier_t barrier;
  unsigned found[words];
  memset(&barrier, 0, sizeof barrier);
  if (pthread_barrier_init(&barrier, NULL, shown)) return;
  memcpy(found, &barrier, sizeof found);
  for (int n = 0; n < words; n++)
    if (found[n] == shown) count_place = n;
  pthread_barrier_destroy(&barrier);
}

static unsigned count_of(const pthread_barrier_t *barrier) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_count);
  unsigned found[words];
  memcpy(found, barrier, sizeof found);
  return count_place == no_place ? 0 : found[count_place];
}

// Blocks the step until the last one arrives. The last one gets `PTHREAD_BARRIER_SERIAL_THREAD`, as from the library.
static int come_to(ch_simulation *s, uintptr_t barrier, unsigned count, void *const *frame) {
  s->point_frame = frame;
  ch_uses(barrier, NULL);
  ch_releases_object(barrier);
  bool is_last = (unsigned)simulator_waiting(s->scheduler, barrier) + 1 >= count;
  if (is_last) {
    ch_acquires_object(barrier);
    simulator_frees(s->scheduler, barrier);
    ch_preemption_point_without_locks(s, frame);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  simulator_waits(s->scheduler, CH_WAITS_AT_BARRIER, barrier, INT64_MAX);
  ch_acquires_object(barrier);
  return 0;
}

CH_BEHIND(pthread_barrier_wait);
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  ch_simulation *s = ch_in_program();
  unsigned count = s && !ch_is_runtime(CH_FRAME[1]) ? count_of(barrier) : 0;
  if (count < 2) return CH_REAL(pthread_barrier_wait)(barrier);
  ch_is_shared();
  if (ch_is_followed(s) && ch_can_park(s)) return come_to(s, (uintptr_t)barrier, count, CH_FRAME);
  if (ch_leaves(s, "pthread_barrier_wait", CH_FRAME)) ch_leave_step(s);
  return CH_REAL(pthread_barrier_wait)(barrier);
}
#pragma clang attribute pop
#endif
