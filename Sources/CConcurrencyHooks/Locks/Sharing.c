// Finds out, while steps are atomic, if tasks share locks or atomics. Only preemptible steps can show how these race.
//
// An uncontended `Mutex` calls nothing. But it needs the number of its thread, which each file of the program asks the system
// for once, and then keeps in a variable of its own. The symbols of the executable show where these variables are. If one is
// zero before a step and nonzero after it, the step has used a `Mutex`.
#define _GNU_SOURCE
#include "Symbols.h"

#if CH_SUPPORTED
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void ch_touches(ch_simulation *s, uintptr_t object, uint64_t task) {
  ch_execution *e = &s->execution;
  enum { room = sizeof e->touched / sizeof *e->touched };
  for (uint32_t n = 0; n < e->touched_count; n++)
    if (e->touched[n].object == object) {
      // A `Mutex` has no address here, and the reduced search cannot follow it: preemptible steps would show it no more.
      if (e->touched[n].task != task && (object || !e->follows_dependencies)) e->shares = true;
      return;
    }
  // If there is no room for the object, assume that it is shared.
  if (e->touched_count == room) e->shares = true;
  else e->touched[e->touched_count++] = (ch_touch){object, task};
}

void ch_is_touched(uintptr_t object) {
  ch_simulation *s = ch_current;
  if (!s || !s->execution.watches_sharing || !ch_in_step(s)) return;
  void *task = s->execution.shares ? NULL : ch_running_task();
  if (task) ch_touches(s, object, ch_task_id(task));
  ch_may_poll(s, (void *const *)__builtin_frame_address(0));
}

void ch_meets(uintptr_t object, ch_side side) {
  ch_simulation *s = ch_current;
  if (!s || !s->execution.watches_sharing || s->execution.shares || !ch_in_step(s) || ch_untold_locks) return;
  if (object && ch_running_task() && simulator_meets(s->scheduler, object, side)) s->execution.shares = true;
}

void ch_asks_about(uintptr_t object, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!s || !ch_in_step(s) || ch_untold_locks || !ch_running_task()) return;
  ch_meets(object, CH_LOOKS);
  if (ch_has_acted(s)) ch_preemption_point_without_locks(s, frame);
  ch_reads(object);
  ch_has_looked(s);
}

void ch_changes_answer(uintptr_t object, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!s || !ch_in_step(s) || ch_untold_locks || !ch_running_task()) return;
  ch_meets(object, CH_CHANGES);
  if (ch_has_acted(s)) ch_preemption_point_without_locks(s, frame);
  ch_uses(object, NULL);
  ch_has_looked(s);
}

void ch_comes_to(uintptr_t object, bool changes) {
  if (changes) ch_changes_answer(object, (void *const *)__builtin_frame_address(0));
  else ch_asks_about(object, (void *const *)__builtin_frame_address(0));
  ch_acquires_object(object);
  ch_releases_object(object);
}

void ch_is_shared(void) {
  ch_simulation *s = ch_current;
  if (s && s->execution.watches_sharing && ch_in_step(s)) s->execution.shares = true;
}

// MARK: thread numbers

static size_t *offsets;  // of the variables, in the executable's thread-local storage
static size_t offset_count;

static void note_variable(const char *name, const ch_symbol *symbol) {
  if (ELF64_ST_TYPE(symbol->st_info) != STT_TLS || strncmp(name, "_swift_stdlib_gettid.tid", 24)) return;
  size_t *larger = realloc(offsets, (offset_count + 1) * sizeof *offsets);
  if (!larger) return;
  offsets = larger;
  offsets[offset_count++] = symbol->st_value;
}

static void find_variables(void) { ch_for_each_symbol(note_variable); }

bool ch_uses_mutexes(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_variables);
  return offset_count > 0 || ch_follows_mutexes();
}

static int first_library(struct dl_phdr_info *library, size_t size, void *found) {
  *(char **)found = library->dlpi_tls_data;
  return 1;  // the first is the executable
}

static _Thread_local char *variables __attribute__((tls_model("initial-exec")));

void ch_forget_thread_number(void) {
  ch_forget_mutex_call();
  if (!variables) dl_iterate_phdr(first_library, &variables);
  for (size_t n = 0; variables && n < offset_count; n++) *(uint32_t *)(variables + offsets[n]) = 0;
}

bool ch_has_asked_thread_number(void) {
  if (ch_has_called_mutex()) return true;
  for (size_t n = 0; variables && n < offset_count; n++)
    if (*(uint32_t *)(variables + offsets[n])) return true;
  return false;
}
#endif
