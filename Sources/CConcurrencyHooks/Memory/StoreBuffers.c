// Whether an x86 machine can show what loads of atomics have answered.
//
// There, each processor has a buffer of stores, which leave it in their order; it sees its own stores at once. So what happens can
// be put in one order for all that keeps the program's order, but for a load after a store of the same task. An execution is one
// of such a machine if that order, and the order of the stores to each atomic, and of each load among them, have no cycle:
// J. Alglave, L. Maranget and M. Tautschnig, “Herding cats” (2014), section 4.4.
#include <stdlib.h>
#include <string.h>

#include "Histories.h"

#if CH_SUPPORTED

void ch_note_event(struct ch_weak_memory *m, ch_event event) {
  if (!m->events && !(m->events = malloc(ch_most_events * sizeof *m->events))) abort();
  if (m->event_count < ch_most_events) m->events[m->event_count] = event;
  m->event_count++;
}

static bool is_store(const ch_event *e) { return e->kind == CH_STORE || e->kind == CH_UPDATE; }
static bool orders_all(const ch_event *e) { return e->kind != CH_LOAD && e->kind != CH_STORE; }

// Returns true if the second event comes after the first one in the order for all.
static bool precedes(const ch_event *first, const ch_event *second, bool is_earlier) {
  if (first->task == second->task)
    return is_earlier && (orders_all(first) || orders_all(second) || first->kind == CH_LOAD || second->kind != CH_LOAD);
  if (first->object != second->object) return false;
  if (first->kind == CH_RELEASE) return is_earlier && second->kind == CH_ACQUIRE;
  if (first->kind == CH_LOAD) return is_store(second) && second->number > first->number;
  if (!is_store(first)) return false;
  return is_store(second) ? second->number > first->number : second->kind == CH_LOAD && second->number >= first->number;
}

// Removes what nothing precedes, until nothing is left: then there is no cycle.
static bool has_cycle(const ch_event *events, uint32_t count) {
  uint32_t *before = calloc(count, sizeof *before), left = count;
  if (!before) abort();
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = 0; b < count; b++) before[b] += a != b && precedes(&events[a], &events[b], a < b);
  for (bool has_changed = true; has_changed && left;) {
    has_changed = false;
    for (uint32_t a = 0; a < count; a++) {
      if (before[a]) continue;
      before[a] = UINT32_MAX;
      left--;
      has_changed = true;
      for (uint32_t b = 0; b < count; b++)
        if (a != b && before[b] != UINT32_MAX) before[b] -= precedes(&events[a], &events[b], a < b);
    }
  }
  free(before);
  return left > 0;
}

ch_x86_answer ch_x86_shows(const ch_simulation *s) {
  const struct ch_weak_memory *m = s->weak_memory;
  if (!m || !m->is_on || !m->event_count) return CH_X86_SHOWS;
  if (m->event_count > ch_most_events) return CH_X86_UNKNOWN;
  return has_cycle(m->events, m->event_count) ? CH_X86_NEVER : CH_X86_SHOWS;
}
#endif
