// How long a queue of Dispatch or a timer source lives, and whether it has begun: what is read in the object itself, and
// misuse of which Dispatch ends the process.
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

extern bool simulator_releases_last(void *scheduler, void *object);
extern bool simulator_changes_queue(void *scheduler, void *queue, int change);

extern void dispatch_retain(void *);
extern void dispatch_activate(void *);
extern void dispatch_suspend(void *);
extern void dispatch_resume(void *);
void dispatch_release(void *object);
CH_BEHIND(dispatch_retain);
CH_BEHIND(dispatch_activate);
CH_BEHIND(dispatch_suspend);
CH_BEHIND(dispatch_resume);
CH_BEHIND(dispatch_release);

// MARK: what stands in the object
//
// Where that is, two objects show of which it is known: how often one has been retained, and the word of a queue whose
// upper bits say whether it has not begun, and how often it is suspended.
enum { words_of_queue = 16, halves_of_object = 8, no_place = -1 };
static const uint64_t upper = (uint64_t)0xffff << 48;  // no address has any of these bits

static int references_place = no_place, state_place = no_place;
static int32_t references_of_one;
static uint64_t inactive_bits, suspension;

static void find_references(void) {
  int32_t before[halves_of_object], after[halves_of_object];
  void *object = ch_make_group();
  memcpy(before, object, sizeof before);
  CH_REAL(dispatch_retain)(object);
  memcpy(after, object, sizeof after);
  CH_REAL(dispatch_release)(object);
  CH_REAL(dispatch_release)(object);
  for (int n = 0; n < halves_of_object; n++)
    if (after[n] == before[n] + 1) {
      references_place = n;
      references_of_one = before[n];
    }
}

static void find_state(void) {
  void *(*attribute)(void *) = (void *(*)(void *))dlsym(RTLD_DEFAULT, "dispatch_queue_attr_make_initially_inactive");
  void *(*make)(const char *, void *) = (void *(*)(const char *, void *))dlsym(RTLD_DEFAULT, "dispatch_queue_create");
  if (!attribute || !make) return;
  uint64_t inactive[words_of_queue], active[words_of_queue], suspended[words_of_queue];
  void *queue = make("a queue", attribute(NULL));
  memcpy(inactive, queue, sizeof inactive);
  CH_REAL(dispatch_activate)(queue);
  memcpy(active, queue, sizeof active);
  CH_REAL(dispatch_suspend)(queue);
  memcpy(suspended, queue, sizeof suspended);
  CH_REAL(dispatch_resume)(queue);
  CH_REAL(dispatch_release)(queue);
  for (int n = 0; n < words_of_queue && state_place == no_place; n++)
    if (inactive[n] & ~active[n] & upper && suspended[n] & ~active[n] & upper) {
      state_place = n;
      inactive_bits = inactive[n] & ~active[n] & upper;
      suspension = suspended[n] & ~active[n] & upper;
    }
}

static void find_places(void) {
  find_references();
  find_state();
}

static void know_places(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ch_simulation *s = ch_current;
  ch_set_current(NULL);
  pthread_once(&once, find_places);
  ch_set_current(s);
}

static int64_t references(const void *object) {
  know_places();
  if (references_place == no_place) return 0;
  int32_t count;
  memcpy(&count, (const int32_t *)object + references_place, sizeof count);
  return (int64_t)count - references_of_one + 1;
}

static uint64_t state_of(const void *queue) {
  know_places();
  uint64_t word = 0;
  if (state_place != no_place) memcpy(&word, (const uint64_t *)queue + state_place, sizeof word);
  return word;
}

bool ch_is_inactive_queue(const void *queue) { return state_of(queue) & inactive_bits; }

int ch_suspensions_of_queue(const void *queue) {
  uint64_t word = state_of(queue);
  return suspension ? (int)(word / suspension) : 0;
}

// MARK: what ends the process

// With Dispatch's own words, which it leaves in its memory on this platform.
static void traps(const char *what) {
  fprintf(stderr, "BUG IN CLIENT OF LIBDISPATCH: %s\n", what);
  __builtin_trap();
}

// A queue runs what the simulation lets it run, and is never stopped itself. But it must have begun before its life may end.
bool ch_changes_queue(void *object, int change, void *const *frame) {
  ch_simulation *s = ch_simulation_of(frame);
  if (!s || !ch_is_queue(object)) return false;
  if (simulator_changes_queue(s->scheduler, object, change)) traps("Over-resume of an object");
  if (change == CH_ACTIVATES) CH_REAL(dispatch_activate)(object);
  return true;
}

extern bool simulator_source_resumes(void *scheduler, void *source, int change);
bool ch_changes_source(void *source, int change) {
  if (!ch_is_simulated_source(source)) return false;
  ch_simulation *s = ch_in_program();
  if (s && simulator_source_resumes(s->scheduler, source, change)) traps("Over-resume of an object");
  return true;
}

// An execution keeps what it has met alive, so what is released by the program has one reference left.
void dispatch_release(void *object) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  bool is_last = s && (ch_is_simulated_source(object) || ch_is_queue(object)) && references(object) == 2;
  if (is_last && simulator_releases_last(s->scheduler, object)) traps("Release of a suspended or inactive object");
  CH_REAL(dispatch_release)(object);
}

void ch_retain_dispatch(void *object) { CH_REAL(dispatch_retain)(object); }
void ch_release_dispatch(void *object) { CH_REAL(dispatch_release)(object); }

void ch_release_queue(void *queue) {
  if (references(queue) == 1 && ch_is_inactive_queue(queue)) CH_REAL(dispatch_activate)(queue);
  CH_REAL(dispatch_release)(queue);
}
#pragma clang attribute pop
#endif
