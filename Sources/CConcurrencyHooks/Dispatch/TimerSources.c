// Timer sources of Dispatch inside a simulation. A Dispatch group that nothing enters stands in for each source: it can be
// retained and released like any object, even after the simulation.
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { on_event, on_cancel, on_registration };

CH_BEHIND(_Block_copy);

static bool is_stand_in(const void *object) {
  static const void *_Atomic kind;
  if (!kind) kind = *(const void **)ch_make_group();
  return object && *(const void *const *)object == kind;
}

bool ch_is_simulated_source(const void *object) { return is_stand_in(object); }

void *ch_make_timer_source(ch_simulation *s, void *queue) {
  void *source = ch_make_group();
  simulator_source_made(s->scheduler, source, queue ? queue : ch_global_queue());
  return source;
}

// Returns false for a group of the program, which looks like a stand-in but is no source.
bool ch_retargets_source(void *source, void *queue) {
  ch_simulation *s = ch_in_program();
  return s && is_stand_in(source) && simulator_source_retargets(s->scheduler, source, queue ? queue : ch_global_queue());
}

#define SETS_HANDLER(name, which)                                                                      \
  void name(void *source, void *block);                                                                \
  CH_BEHIND(name);                                                                                     \
  void name(void *source, void *block) {                                                               \
    if (!is_stand_in(source)) { CH_REAL(name)(source, block); return; }                                \
    ch_simulation *s = ch_in_program();                                                                \
    if (!s) return;                                                                                    \
    ch_work work = {block ? CH_REAL(_Block_copy)(block) : NULL};                                       \
    simulator_source_handles(s->scheduler, source, work, which);                                       \
  }                                                                                                    \
  void name##_f(void *source, ch_function *function);                                                  \
  CH_BEHIND(name##_f);                                                                                 \
  void name##_f(void *source, ch_function *function) {                                                 \
    if (!is_stand_in(source)) { CH_REAL(name##_f)(source, function); return; }                         \
    ch_simulation *s = ch_in_program();                                                                \
    if (s) simulator_source_handles(s->scheduler, source, (ch_work){.function = function}, which);     \
  }
SETS_HANDLER(dispatch_source_set_event_handler, on_event)
SETS_HANDLER(dispatch_source_set_cancel_handler, on_cancel)
SETS_HANDLER(dispatch_source_set_registration_handler, on_registration)

void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway);
CH_BEHIND(dispatch_source_set_timer);
void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  if (!is_stand_in(source)) { CH_REAL(dispatch_source_set_timer)(source, start, interval, leeway); return; }
  ch_simulation *s = ch_in_program();
  if (!s) return;
  int64_t delay = start == ~(uint64_t)0 ? INT64_MAX : ch_nanoseconds_until(s, start);
  int64_t repeats = interval >= INT64_MAX ? 0 : (int64_t)interval;
  simulator_source_set(s->scheduler, source, delay < 0 ? 0 : delay, repeats, ch_is_calendar_time(start));
  ch_preemption_point_if_freed(s, CH_FRAME);
}

void dispatch_source_cancel(void *source);
CH_BEHIND(dispatch_source_cancel);
void dispatch_source_cancel(void *source) {
  if (!is_stand_in(source)) {
    ch_source_cancelled(source);
    CH_REAL(dispatch_source_cancel)(source);
    return;
  }
  ch_simulation *s = ch_in_program();
  if (!s) return;
  ch_changes_answer((uintptr_t)source, CH_FRAME);
  simulator_source_cancels(s->scheduler, source);
  ch_preemption_point_if_freed(s, CH_FRAME);
}

intptr_t dispatch_source_testcancel(void *source);
CH_BEHIND(dispatch_source_testcancel);
intptr_t dispatch_source_testcancel(void *source) {
  if (!is_stand_in(source)) return CH_REAL(dispatch_source_testcancel)(source);
  ch_simulation *s = ch_in_program();
  if (s) ch_asks_about((uintptr_t)source, CH_FRAME);
  return !s || simulator_source_is_cancelled(s->scheduler, source);
}

// Returns the number of times that a timer had fired when its handler was called.
uintptr_t dispatch_source_get_data(void *source);
CH_BEHIND(dispatch_source_get_data);
uintptr_t dispatch_source_get_data(void *source) {
  if (!is_stand_in(source)) return CH_REAL(dispatch_source_get_data)(source);
  ch_simulation *s = ch_in_program();
  return s ? simulator_source_data(s->scheduler, source) : 0;
}

#define ANSWERS_NOTHING(name)                              \
  uintptr_t name(void *source);                            \
  CH_BEHIND(name);                                         \
  uintptr_t name(void *source) {                           \
    return is_stand_in(source) ? 0 : CH_REAL(name)(source); \
  }
ANSWERS_NOTHING(dispatch_source_get_handle)
ANSWERS_NOTHING(dispatch_source_get_mask)
#pragma clang attribute pop
#endif
