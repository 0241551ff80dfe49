// The order of the steps of tasks: a vector clock for each task, and for each object by which one task hands on to another.
//
// After C. J. Fidge, “Timestamps in message-passing systems that preserve the partial ordering” (1988), as in C. Flanagan and
// S. N. Freund, “FastTrack: efficient and precise dynamic race detection” (2009). Only one thread runs at a time, so nothing
// here needs a lock.
#include "Hooks.h"
#include "WeakMemory.h"

#if CH_SUPPORTED
#include <stdlib.h>
#include <string.h>

static bool make_room(ch_clock *clock, uint32_t count) {
  if (count <= clock->room) return true;
  uint32_t room = clock->room ? clock->room : 8;
  while (room < count) room *= 2;
  uint32_t *larger = realloc(clock->ticks, room * sizeof *larger);
  if (!larger) return false;
  clock->ticks = larger;
  clock->room = room;
  return true;
}

bool ch_join(ch_clock *to, const ch_clock *from) {
  if (!make_room(to, from->count)) return false;
  for (uint32_t n = to->count; n < from->count; n++) to->ticks[n] = 0;
  if (to->count < from->count) to->count = from->count;
  for (uint32_t n = 0; n < from->count; n++)
    if (to->ticks[n] < from->ticks[n]) to->ticks[n] = from->ticks[n];
  return true;
}

ch_clock *ch_clock_of(ch_order *order, uint32_t task) {
  if (task >= CH_MOST_ORDERED) {
    order->is_lost = true;
    return NULL;
  }
  if (task >= order->room) {
    uint32_t room = order->room ? order->room : 16;
    while (room <= task) room *= 2;
    ch_clock *larger = realloc(order->tasks, room * sizeof *larger);
    if (!larger) {
      order->is_lost = true;
      return NULL;
    }
    memset(larger + order->room, 0, (room - order->room) * sizeof *larger);
    order->tasks = larger;
    order->room = room;
  }
  ch_clock *clock = &order->tasks[task];
  if (task >= order->count) order->count = task + 1;
  if (clock->count <= task) {
    if (!make_room(clock, task + 1)) {
      order->is_lost = true;
      return NULL;
    }
    memset(clock->ticks + clock->count, 0, (task + 1 - clock->count) * sizeof *clock->ticks);
    clock->count = task + 1;
    clock->ticks[task] = 1;
  }
  return clock;
}

// MARK: objects

static size_t slot_of(const ch_order *order, uintptr_t object) {
  size_t mask = order->objects_room - 1, at = (object * 0x9e3779b97f4a7c15ull >> 20) & mask;
  while (order->objects[at].object && order->objects[at].object != object) at = (at + 1) & mask;
  return at;
}

static bool grow(ch_order *order) {
  size_t room = order->objects_room ? order->objects_room * 2 : 64;
  ch_ordered_object *old = order->objects, *larger = calloc(room, sizeof *larger);
  if (!larger) return false;
  size_t old_room = order->objects_room;
  order->objects = larger;
  order->objects_room = room;
  for (size_t n = 0; n < old_room; n++)
    if (old[n].object) larger[slot_of(order, old[n].object)] = old[n];
  free(old);
  return true;
}

static ch_clock *object_clock(ch_order *order, uintptr_t object, bool makes) {
  if (order->object_count * 2 >= order->objects_room && !grow(order)) return NULL;
  ch_ordered_object *found = &order->objects[slot_of(order, object)];
  if (!found->object) {
    if (!makes) return NULL;
    *found = (ch_ordered_object){.object = object};
    order->object_count++;
  }
  return &found->clock;
}

// MARK: ordering

void ch_orders(ch_order *order, uint32_t from, uint32_t to) {
  if (from == to || !ch_clock_of(order, from)) return;
  ch_clock *later = ch_clock_of(order, to), *earlier = ch_clock_of(order, from);
  if (!later || !earlier || !ch_join(later, earlier)) return;
  earlier->ticks[from]++;
  if (order->with_relaxed) ch_orders(order->with_relaxed, from, to);
}

void ch_releases(ch_order *order, uint32_t task, uintptr_t object) {
  ch_clock *own = ch_clock_of(order, task), *clock = own ? object_clock(order, object, true) : NULL;
  if (!clock || !ch_join(clock, own)) return;
  own->ticks[task]++;
  if (order->with_relaxed) ch_releases(order->with_relaxed, task, object);
}

void ch_acquires(ch_order *order, uint32_t task, uintptr_t object) {
  ch_clock *clock = object_clock(order, object, false), *own = clock ? ch_clock_of(order, task) : NULL;
  if (own) ch_join(own, clock);
  if (order->with_relaxed) ch_acquires(order->with_relaxed, task, object);
}

// MARK: relaxed atomics

static ch_clock copy_of(const ch_clock *clock) {
  ch_clock copy = {0};
  if (clock->count && !ch_join(&copy, clock)) abort();
  return copy;
}

static ch_order *copy(const ch_order *order) {
  ch_order *new = calloc(1, sizeof *new);
  if (!new) abort();
  for (uint32_t n = 0; n < order->count; n++) {
    ch_clock *clock = ch_clock_of(new, n);
    if (clock) ch_join(clock, &order->tasks[n]);
  }
  for (size_t n = 0; n < order->objects_room; n++) {
    const ch_ordered_object *object = &order->objects[n];
    if (object->object) *object_clock(new, object->object, true) = copy_of(&object->clock);
  }
  return new;
}

// Both orders count the same ticks.
void ch_is_relaxed(ch_order *order, uint32_t task, uintptr_t atomic, bool stores) {
  if (order->is_lost) return;
  if (!order->with_relaxed) order->with_relaxed = copy(order);
  if (!stores) return ch_acquires(order->with_relaxed, task, atomic);
  ch_clock *own = ch_clock_of(order, task);
  if (!own) return;
  ch_releases(order->with_relaxed, task, atomic);
  own->ticks[task]++;
}

bool ch_is_only_relaxed(ch_order *order, uint32_t first, uint32_t tick, uint32_t second) {
  ch_order *with_relaxed = order->has_fences ? NULL : order->with_relaxed;
  ch_clock *clock = with_relaxed && !with_relaxed->is_lost ? ch_clock_of(with_relaxed, second) : NULL;
  return clock && ch_knows(clock, first, tick);
}

// MARK: from execution to execution

void ch_forget_order(ch_order *order) {
  if (order->with_relaxed) ch_free_order(order->with_relaxed);
  free(order->with_relaxed);
  order->with_relaxed = NULL;
  for (uint32_t n = 0; n < order->count; n++) order->tasks[n].count = 0;
  for (size_t n = 0; n < order->objects_room && order->object_count; n++) {
    if (!order->objects[n].object) continue;
    free(order->objects[n].clock.ticks);
    order->objects[n] = (ch_ordered_object){.object = 0};
    order->object_count--;
  }
  order->count = 0;
  order->is_lost = order->has_fences = false;
}

void ch_free_order(ch_order *order) {
  ch_forget_order(order);
  for (uint32_t n = 0; n < order->room; n++) free(order->tasks[n].ticks);
  free(order->tasks);
  free(order->objects);
}

void ch_free_clock(ch_clock *clock) {
  free(clock->ticks);
  *clock = (ch_clock){0};
}

// MARK: what the simulation reports

// The order is the first member of `ch_accesses`.
static ch_order *order_of(ch_simulation *s) { return (ch_order *)s->accesses; }

void ch_order_tasks(ch_simulation *s, uint32_t from, uint32_t to) {
  ch_orders(order_of(s), from, to);
  ch_weak_orders_tasks(s, from, to);
}
void ch_order_release(ch_simulation *s, uint32_t task, uintptr_t object) {
  ch_releases(order_of(s), task, object);
  ch_weak_orders(s, task, object, true);
}
void ch_order_acquire(ch_simulation *s, uint32_t task, uintptr_t object) {
  ch_acquires(order_of(s), task, object);
  ch_weak_orders(s, task, object, false);
}

static bool is_running(ch_simulation *s, uint32_t *task) {
  void *current = s && s->execution.follows_accesses && ch_in_step(s) ? ch_running_task() : NULL;
  if (!current || ch_tag_of(ch_job_record(current)) != s->execution.tag) return false;
  *task = ch_index_of(ch_job_record(current));
  return true;
}
void ch_releases_object(uintptr_t object) {
  uint32_t task;
  if (is_running(ch_current, &task)) ch_order_release(ch_current, task, object);
}
void ch_relaxed_at(uintptr_t atomic, bool stores) {
  uint32_t task;
  if (is_running(ch_current, &task)) ch_is_relaxed(order_of(ch_current), task, atomic, stores);
}
void ch_sees_fence(void) {
  ch_simulation *s = ch_current;
  if (s && s->execution.follows_accesses) order_of(s)->has_fences = true;
}
void ch_acquires_object(uintptr_t object) {
  uint32_t task;
  if (is_running(ch_current, &task)) ch_order_acquire(ch_current, task, object);
}
#endif
