// The stores to each atomic that a load may still answer, in the order in which steps came to them.
#include <stdlib.h>
#include <string.h>

#include "Histories.h"

#if CH_SUPPORTED

// MARK: tables

static size_t slot_of(const struct ch_weak_memory *m, uintptr_t address) {
  size_t mask = m->room - 1, at = (address * 0x9e3779b97f4a7c15ull >> 20) & mask;
  while (m->histories[at].address && m->histories[at].address != address) at = (at + 1) & mask;
  return at;
}

static void grow(struct ch_weak_memory *m) {
  size_t room = m->room ? m->room * 2 : 64, old_room = m->room;
  ch_history *old = m->histories;
  if (!(m->histories = calloc(room, sizeof *m->histories))) abort();
  m->room = room;
  for (size_t n = 0; n < old_room; n++)
    if (old[n].address) m->histories[slot_of(m, old[n].address)] = old[n];
  free(old);
}

static void empty(ch_history *h) {
  for (int n = 0; n < ch_most_stores; n++) ch_free_clock(&h->stores[n].view);
  free(h->marks);
}

// Makes `value` the only store, as if it had been there before.
static void reset(struct ch_weak_memory *m, ch_history *h, uint64_t value) {
  uintptr_t address = h->address;
  uint32_t size = h->size;
  bool is_lock = h->is_lock;
  empty(h);
  *h = (ch_history){.address = address, .serial = ++m->serials, .size = size, .count = 1, .is_lock = is_lock};
  h->stores[0] = (ch_store){.value = value, .task = CH_NO_TASK};
}

static ch_store *newest_of(ch_history *h) { return ch_store_of(h, h->count - 1); }

ch_history *ch_known_history(struct ch_weak_memory *m, uintptr_t address) {
  ch_history *found = m->room ? &m->histories[slot_of(m, address)] : NULL;
  return found && found->address ? found : NULL;
}

// If memory has another value than the newest store, somebody has made it anew.
ch_history *ch_history_of(struct ch_weak_memory *m, const ch_atomic *atomic) {
  if (m->count * 2 >= m->room) grow(m);
  ch_history *found = &m->histories[slot_of(m, atomic->address)];
  if (!found->address) {
    found->address = atomic->address;
    m->count++;
  } else if (found->size == atomic->size && newest_of(found)->value == atomic->newest) {
    return found;
  }
  found->size = atomic->size;
  reset(m, found, atomic->newest);
  return found;
}

ch_storing_task *ch_storing_task_of(struct ch_weak_memory *m, uint32_t task) {
  if (task >= m->task_room) {
    uint32_t room = m->task_room ? m->task_room : 16;
    while (room <= task) room *= 2;
    if (!(m->tasks = realloc(m->tasks, room * sizeof *m->tasks))) abort();
    memset(m->tasks + m->task_room, 0, (room - m->task_room) * sizeof *m->tasks);
    m->task_room = room;
  }
  return &m->tasks[task];
}

void ch_add_mark(ch_history *h, ch_mark new) {
  ch_mark *needless = NULL;
  for (uint32_t n = h->mark_count; n-- > 0;) {
    ch_mark *old = &h->marks[n];
    if (old->number < ch_oldest_store(h)) needless = old;
    if (old->task != new.task || old->number != new.number) continue;
    old->times += new.times;
    return;
  }
  if (needless) { *needless = new; return; }
  if (h->mark_count == h->mark_room) {
    h->mark_room = h->mark_room ? h->mark_room * 2 : 8;
    if (!(h->marks = realloc(h->marks, h->mark_room * sizeof *h->marks))) abort();
  }
  h->marks[h->mark_count++] = new;
}

// MARK: from execution to execution

void ch_forget_histories(struct ch_weak_memory *m) {
  for (size_t n = 0; n < m->room; n++)
    if (m->histories[n].address) empty(&m->histories[n]);
  memset(m->histories, 0, m->room * sizeof *m->histories);
  for (uint32_t n = 0; n < m->task_room; n++) {
    ch_free_clock(&m->tasks[n].pending);
    ch_free_clock(&m->tasks[n].released);
  }
  memset(m->tasks, 0, m->task_room * sizeof *m->tasks);
  ch_free_clock(&m->fences);
  m->count = m->event_count = 0;
  m->serials = 0;
  m->is_on = false;
}
#endif
