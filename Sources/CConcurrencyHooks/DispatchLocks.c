// Queues that steps enter by `sync`, and semaphores and groups that they wait for, where steps may overlap: a step that has to
// wait for one that stands lets it go on, as for any lock.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

extern bool simulator_waits_for_lock(void *scheduler, uintptr_t lock);
extern bool simulator_waits(void *scheduler, int subject, uintptr_t object, int64_t until);
extern void simulator_frees(void *scheduler, uintptr_t object);

// MARK: how many blocks a queue runs at once
//
// The low half of a word in the queue. Where that word is, two queues show, of which one is known to be serial.

enum { serial_width = 1, concurrent_width = 0xffe, no_offset = -1, searched = 128 };
static int width_offset = no_offset;

static uint16_t half_at(const void *queue, int offset) {
  uint16_t half;
  memcpy(&half, (const char *)queue + offset, sizeof half);
  return half;
}

static void find_width(void) {
  void *(*make)(const char *, void *) = (void *(*)(const char *, void *))dlsym(RTLD_DEFAULT, "dispatch_queue_create");
  void *concurrent_attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
  if (!make || !concurrent_attribute) return;
  const void *serial = make("a serial queue", NULL), *concurrent = make("a concurrent queue", concurrent_attribute);
  for (int offset = 0; offset < searched; offset += 4)
    if (half_at(serial, offset) == serial_width && half_at(concurrent, offset) == concurrent_width) {
      width_offset = offset;
      return;
    }
}

bool ch_is_serial(void *queue) {
  if (!ch_is_followed(ch_current)) return false;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ch_simulation *s = ch_current;
  ch_set_current(NULL);
  pthread_once(&once, find_width);
  ch_set_current(s);
  return width_offset == no_offset || half_at(queue, width_offset) == serial_width;
}

// MARK: sync

bool ch_enters_queue(void *queue, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s) || ch_is_runtime(frame[1])) return false;
  ch_takes_another(queue, frame);
  ch_uses((uintptr_t)queue, NULL);
  while (simulator_waits_for_lock(s->scheduler, (uintptr_t)queue)) ch_uses((uintptr_t)queue, NULL);
  ch_took(s, (uintptr_t)queue, false);
  return true;
}

void ch_leaves_queue(void *queue, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!ch_is_followed(s)) return;
  ch_uses((uintptr_t)queue, NULL);
  ch_opened(s, (uintptr_t)queue);
  ch_may_stand_with_free_hands(s, frame);
}

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
