// Memory that is weaker than sequentially consistent. A load may answer an older store than the newest one to its address, unless
// something that happens before the load has stored or read a newer one.
//
// The model is that of C++20 without two things: no load answers a store that comes later (as in load buffering), and the stores
// to one address are in the order in which the steps come to them. So whatever is found is allowed by the language; not all
// that the language allows is found. After O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur and D. Dreyer, “Repairing sequential
// consistency in C/C++11” (2017), and J. Kang et al., “A promising semantics for relaxed-memory concurrency” (2017), without
// promises. What happens before what is known from the vector clocks of `Order.c`.
//
// A store reaches everybody in finite time. So when virtual time moves, older stores are forgotten, and a step that asks the
// same atomic over and over gets each older store only a few times.
#define _GNU_SOURCE
#include "Exits.h"
#include "Histories.h"

#if CH_SUPPORTED
#include <stdlib.h>

enum { most_repeats = 2 };

// MARK: loads

static ch_order *order_of(ch_simulation *s) { return (ch_order *)s->accesses; }

// Returns the lowest number of a store that the task may still read.
static uint32_t floor_of(struct ch_weak_memory *m, ch_history *h, uint32_t task, const ch_clock *clock, int order) {
  uint32_t floor = ch_oldest_store(h);
  if (h->floor > floor) floor = h->floor;
  bool is_seq_cst = order == __ATOMIC_SEQ_CST;
  if (is_seq_cst && h->last_seq_cst && h->last_seq_cst - 1 > floor) floor = h->last_seq_cst - 1;
  for (uint32_t n = h->count; n-- > floor;) {
    const ch_store *s = ch_store_of(h, n);
    bool is_known = s->task == CH_NO_TASK || s->task == task || ch_knows(clock, s->task, s->tick) ||
                    (is_seq_cst && ch_knows(&m->fences, s->task, s->tick));
    if (is_known) { floor = n; break; }
  }
  for (uint32_t n = 0; n < h->mark_count; n++) {
    const ch_mark *read = &h->marks[n];
    if (read->task != task && !ch_knows(clock, read->task, read->tick)) continue;
    uint32_t lowest = read->number + (read->task == task && read->times > most_repeats ? 1 : 0);
    if (lowest > floor) floor = lowest;
  }
  return floor < h->count ? floor : h->count - 1;
}

// Takes over what the store with this number hands on.
static void take_over(ch_simulation *s, ch_history *h, uint32_t number, uint32_t task, ch_clock *clock, int order) {
  const ch_clock *view = &ch_store_of(h, number)->view;
  if (!view->count) return;
  bool acquires = order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
  ch_join(acquires ? clock : &ch_storing_task_of(s->weak_memory, task)->pending, view);
}

static void reads(ch_simulation *s, ch_history *h, uint32_t number, uint32_t task, ch_clock *clock, int order) {
  ch_add_mark(h, (ch_mark){task, clock->ticks[task], number, number + 1 < h->count});
  take_over(s, h, number, task, clock, order);
}

// Returns the running step's task and its clock; null if nothing is known of its order.
static ch_clock *clock_of_step(ch_simulation *s, uint32_t *task) {
  void *running = ch_running_task();
  if (!running || ch_tag_of(ch_job_record(running)) != s->execution.tag) return NULL;
  *task = ch_index_of(ch_job_record(running));
  ch_clock *clock = ch_clock_of(order_of(s), *task);
  return order_of(s)->is_lost ? NULL : clock;
}

bool ch_has_weak_memory(void) {
  ch_simulation *s = ch_current;
  return s && s->weak_memory && s->weak_memory->is_on && s->execution.follows_accesses && ch_in_step(s) && !ch_untold_locks;
}

uint64_t ch_weak_load(ch_atomic atomic) {
  ch_simulation *s = ch_current;
  uint32_t task;
  ch_clock *clock = clock_of_step(s, &task);
  if (!clock) return atomic.newest;
  ch_history *h = ch_history_of(s->weak_memory, &atomic);
  uint32_t newest = h->count - 1, floor = h->is_lock ? newest : floor_of(s->weak_memory, h, task, clock, atomic.order);
  s->point_frame = atomic.frame;
  uint32_t back = floor < newest ? simulator_loads(s->scheduler, newest - floor + 1) : 0;
  reads(s, h, newest - back, task, clock, atomic.order);
  ch_note_event(s->weak_memory, (ch_event){CH_LOAD, task, h->serial, newest - back});
  if (back) simulator_loaded_older(s->scheduler);
  return ch_store_of(h, newest - back)->value;
}

bool ch_weak_fails(ch_atomic atomic, uint64_t expected, uint64_t *found) {
  ch_simulation *s = ch_current;
  uint32_t task;
  ch_clock *clock = clock_of_step(s, &task);
  if (!clock) return false;
  ch_history *h = ch_history_of(s->weak_memory, &atomic);
  if (h->is_lock) return false;
  uint32_t others[ch_most_stores], count = 0, newest = h->count - 1;
  for (uint32_t n = newest; n-- > floor_of(s->weak_memory, h, task, clock, atomic.order);)
    if (ch_store_of(h, n)->value != expected) others[count++] = n;
  s->point_frame = atomic.frame;
  uint32_t taken = count ? simulator_loads(s->scheduler, count + 1) : 0;
  if (!taken && atomic.newest == expected) return false;
  uint32_t number = taken ? others[taken - 1] : newest;
  reads(s, h, number, task, clock, atomic.order);
  // On x86, an exchange that fails is a locked instruction as well.
  ch_note_event(s->weak_memory, (ch_event){CH_FENCE, task});
  ch_note_event(s->weak_memory, (ch_event){CH_LOAD, task, h->serial, number});
  if (taken) simulator_loaded_older(s->scheduler);
  *found = ch_store_of(h, number)->value;
  return true;
}

// MARK: stores and fences

void ch_weak_store(ch_atomic atomic, uint64_t value, bool is_update) {
  ch_simulation *s = ch_current;
  struct ch_weak_memory *m = s->weak_memory;
  uint32_t task;
  ch_clock *clock = clock_of_step(s, &task);
  if (!clock) return;
  ch_history *h = ch_history_of(m, &atomic);
  ch_clock view = {0};
  // An update is part of the release sequence of the store that it reads.
  if (is_update) {
    reads(s, h, h->count - 1, task, clock, atomic.order);
    ch_join(&view, &ch_store_of(h, h->count - 1)->view);
  }
  bool releases = atomic.order >= __ATOMIC_RELEASE;
  ch_join(&view, releases ? clock : &ch_storing_task_of(m, task)->released);
  ch_store *new = ch_store_of(h, h->count);
  ch_free_clock(&new->view);
  *new = (ch_store){value, task, clock->ticks[task], view};
  h->count++;
  if (atomic.order == __ATOMIC_SEQ_CST) h->last_seq_cst = h->count;
  // On x86, a sequentially consistent store is an exchange.
  bool is_locked = is_update || atomic.order == __ATOMIC_SEQ_CST;
  ch_note_event(m, (ch_event){is_locked ? CH_UPDATE : CH_STORE, task, h->serial, h->count - 1});
  if (releases) clock->ticks[task]++;
}

void ch_weak_fence(int order) {
  ch_simulation *s = ch_current;
  struct ch_weak_memory *m = s->weak_memory;
  uint32_t task;
  ch_clock *clock = clock_of_step(s, &task);
  if (!clock || order == __ATOMIC_RELAXED) return;
  if (order != __ATOMIC_RELEASE) ch_join(clock, &ch_storing_task_of(m, task)->pending);
  if (order == __ATOMIC_SEQ_CST) {
    ch_note_event(m, (ch_event){CH_FENCE, task});
    ch_join(clock, &m->fences);
    for (size_t n = 0; n < m->room; n++) {
      ch_history *h = &m->histories[n];
      if (h->address && h->last_seq_cst) ch_add_mark(h, (ch_mark){task, clock->ticks[task], h->last_seq_cst - 1, 0});
    }
    ch_join(&m->fences, clock);
  }
  if (order < __ATOMIC_RELEASE) return;
  ch_join(&ch_storing_task_of(m, task)->released, clock);
  clock->ticks[task]++;
}

void ch_weak_lock(uintptr_t address) {
  if (!ch_has_weak_memory()) return;
  ch_atomic lock = {.address = address, .size = sizeof(uint32_t), .newest = *(const volatile uint32_t *)address};
  ch_history_of(ch_current->weak_memory, &lock)->is_lock = true;
}

// MARK: from execution to execution

static bool is_on(const ch_simulation *s) { return s->weak_memory && s->weak_memory->is_on; }

static void forget_at(struct ch_weak_memory *m, uintptr_t address) {
  ch_history *h = ch_known_history(m, address);
  // An atomic has another size, so the next access to it begins anew.
  if (h) h->size = 0;
}

void ch_weak_forgets(ch_simulation *s, uintptr_t address, size_t size) {
  struct ch_weak_memory *m = s->weak_memory;
  if (!is_on(s) || !m->count) return;
  if (size <= m->room) {
    for (size_t n = 0; n < size; n++) forget_at(m, address + n);
    return;
  }
  for (size_t n = 0; n < m->room; n++) {
    uintptr_t at = m->histories[n].address;
    if (at >= address && at < address + size) m->histories[n].size = 0;
  }
}

void ch_weak_time_moves(ch_simulation *s) {
  if (!is_on(s)) return;
  struct ch_weak_memory *m = s->weak_memory;
  for (size_t n = 0; n < m->room; n++) {
    ch_history *h = &m->histories[n];
    if (h->address) h->floor = h->count - 1;
  }
}

void ch_weak_orders(ch_simulation *s, uint32_t task, uintptr_t object, bool releases) {
  if (is_on(s)) ch_note_event(s->weak_memory, (ch_event){releases ? CH_RELEASE : CH_ACQUIRE, task, object});
}

void ch_weak_orders_tasks(ch_simulation *s, uint32_t from, uint32_t to) {
  if (!is_on(s)) return;
  // Unlike an address, it is odd, and no domain has so high a number.
  uintptr_t object = (uintptr_t)s->weak_memory->event_count << 33 | 1;
  ch_weak_orders(s, from, object, true);
  ch_weak_orders(s, to, object, false);
}

void ch_begin_weak_memory(ch_simulation *s, bool is_weak) {
  if (s->weak_memory) ch_forget_histories(s->weak_memory);
  if (!is_weak) return;
  if (!s->weak_memory && !(s->weak_memory = calloc(1, sizeof *s->weak_memory))) abort();
  s->weak_memory->is_on = true;
}

void ch_free_weak_memory(ch_simulation *s) {
  struct ch_weak_memory *m = s->weak_memory;
  if (!m) return;
  ch_forget_histories(m);
  free(m->histories);
  free(m->tasks);
  free(m->events);
  free(m);
  s->weak_memory = NULL;
}
#endif
