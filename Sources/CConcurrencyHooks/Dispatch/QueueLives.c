// The life of a Dispatch queue or a timer source: how long it lasts, and if it has begun. These are read in the object itself.
// Also the misuses for which Dispatch ends the process.
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

extern void dispatch_activate(void *);
extern void dispatch_resume(void *);
void dispatch_release(void *object);
CH_BEHIND(dispatch_retain);
CH_BEHIND(dispatch_activate);
CH_BEHIND(dispatch_suspend);
CH_BEHIND(dispatch_resume);
CH_BEHIND(dispatch_release);

// MARK: fields of the object
//
// The offsets of the fields are found in two objects in known states: the counts of an object that has been retained a known
// number of times, and the word of a queue whose upper bits say if it is inactive, and how often it is suspended.
enum { words_of_queue = 16, halves_of_object = 8, no_place = -1 };
static const uint64_t upper = (uint64_t)0xffff << 48;  // no address has any of these bits

static int state_place = no_place;
static uint64_t inactive_bits, suspension;

// The place of one of an object's two counts, and its value with one reference.
typedef struct { int place; int32_t of_one; } count;
static count references_of_program = {no_place}, references_of_library = {no_place};

static void find_count(count *found, void (*retain)(void *), void (*release)(void *)) {
  int32_t before[halves_of_object], after[halves_of_object];
  void *object = ch_make_group();
  memcpy(before, object, sizeof before);
  retain(object);
  memcpy(after, object, sizeof after);
  release(object);
  CH_REAL(dispatch_release)(object);
  for (int n = 0; n < halves_of_object; n++)
    if (after[n] == before[n] + 1) *found = (count){n, before[n]};
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
  find_count(&references_of_program, CH_REAL(dispatch_retain), CH_REAL(dispatch_release));
  find_count(&references_of_library, ch_retain_dispatch, ch_release_dispatch);
  find_state();
}

static void know_places(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ch_simulation *s = ch_current;
  ch_set_current(NULL);
  pthread_once(&once, find_places);
  ch_set_current(s);
}

// Returns the number of references; -1 if that is not known.
static int64_t references(const void *object, const count *of) {
  know_places();
  if (of->place == no_place) return -1;
  int32_t found;
  memcpy(&found, (const int32_t *)object + of->place, sizeof found);
  return (int64_t)found - of->of_one + 1;
}
static int64_t references_left(const void *object) { return references(object, &references_of_program); }

bool ch_is_released(const void *object) { return references_left(object) == 0; }

bool ch_is_kept_by_us_alone(const void *queue) {
  return ch_is_released(queue) && references(queue, &references_of_library) == 1;
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

// Ends the process with Dispatch's own message, which Dispatch only leaves in its memory on this platform.
static void traps(const char *what) {
  fprintf(stderr, "BUG IN CLIENT OF LIBDISPATCH: %s\n", what);
  __builtin_trap();
}

// Reports the change to the simulation. A queue runs what the simulation lets it run, so it is never suspended for real. But it
// is activated for real, because it must have begun before its life may end.
bool ch_changes_queue(void *object, int change, void *const *frame) {
  ch_simulation *s = ch_simulation_of(frame);
  if (!s || !ch_is_queue(object)) return false;
  if (simulator_changes_queue(s->scheduler, object, change)) traps("Over-resume of an object");
  if (change == CH_ACTIVATES) CH_REAL(dispatch_activate)(object);
  ch_preemption_point_if_freed(s, frame);
  return true;
}

bool ch_changes_source(void *source, int change, void *const *frame) {
  if (!ch_is_simulated_source(source)) return false;
  ch_simulation *s = ch_in_program();
  if (s && simulator_source_resumes(s->scheduler, source, change)) traps("Over-resume of an object");
  if (s) ch_preemption_point_if_freed(s, frame);
  return true;
}

// MARK: references
//
// An object of Dispatch counts two kinds of references. The program's (`dispatch_retain`) end with a check: a queue that is
// suspended then ends the process. The library's own keep the memory: a queue holds one on its target, work holds one on its
// queue, and a group that is not empty holds one on itself. A target that only its queue keeps has none of the program's left,
// and must not get one again. So an execution holds references of the library's kind on the objects that it meets: they keep
// the object and its address until the execution is over, and change nothing that the program sees.

extern void _os_object_retain_internal(void *object);
extern void _os_object_release_internal(void *object);
CH_BEHIND(_os_object_retain_internal);
CH_BEHIND(_os_object_release_internal);
void ch_retain_dispatch(void *object) { CH_REAL(_os_object_retain_internal)(object); }
void ch_release_dispatch(void *object) { CH_REAL(_os_object_release_internal)(object); }

void dispatch_release(void *object) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  bool is_last = s && (ch_is_simulated_source(object) || ch_is_queue(object)) && references_left(object) == 1;
  if (is_last && simulator_releases_last(s->scheduler, object)) traps("Release of a suspended or inactive object");
  CH_REAL(dispatch_release)(object);
  // Only the address is used here: an object that the execution has not met no longer exists.
  if (is_last) simulator_released_last(s->scheduler, object);
  if (is_last) ch_preemption_point_if_freed(s, CH_FRAME);
}

void ch_begin_queue(void *queue) {
  if (ch_is_queue(queue) && ch_is_inactive_queue(queue)) CH_REAL(dispatch_activate)(queue);
}

void ch_end_group(void *group) { CH_REAL(dispatch_release)(group); }

// MARK: queue-specific values
//
// Dispatch calls the destructor of a value on a thread of its own, when the queue ends or the value is replaced.

void dispatch_queue_set_specific(void *queue, const void *key, void *context, ch_function *destructor);
CH_BEHIND(dispatch_queue_set_specific);
void dispatch_queue_set_specific(void *queue, const void *key, void *context, ch_function *destructor) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  CH_REAL(dispatch_queue_set_specific)(queue, key, context, s ? NULL : destructor);
  if (s && simulator_sets_specific(s->scheduler, queue, key, context, destructor))
    ch_preemption_point_without_locks(s, CH_FRAME);
}

void ch_restore_specific(void *queue, ch_specific specific) {
  CH_REAL(dispatch_queue_set_specific)(queue, specific.key, specific.context, specific.destructor);
}
void ch_end_specific(ch_specific specific) { specific.destructor(specific.context); }
#pragma clang attribute pop
#endif
