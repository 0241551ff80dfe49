// Vector clocks: what happens before what.
#ifndef CH_ORDER_H
#define CH_ORDER_H

#include "CAccesses.h"

#if CH_SUPPORTED

// The number of tasks in one execution above which nothing is known about their order.
#define CH_MOST_ORDERED 4096

typedef struct {
  uint32_t *ticks;
  uint32_t count, room;
} ch_clock;

typedef struct {
  uintptr_t object;  // 0 in a free slot
  ch_clock clock;
} ch_ordered_object;

typedef struct ch_order {
  ch_clock *tasks;
  uint32_t count, room;
  ch_ordered_object *objects;  // hashed by address
  size_t object_count, objects_room;
  bool is_lost;  // true if there was no room for something
  bool has_fences;  // fences order tasks by way of relaxed atomics, in ways that are not followed here
  // The order that there would be if relaxed atomics ordered tasks too; null before the first one.
  struct ch_order *with_relaxed;
} ch_order;

// Makes `to` know what `from` knows. Returns false if there is no room.
bool ch_join(ch_clock *to, const ch_clock *from);
void ch_free_clock(ch_clock *clock);
// Returns the clock of a task; NULL if there is no room for it.
ch_clock *ch_clock_of(ch_order *order, uint32_t task);
void ch_orders(ch_order *order, uint32_t from, uint32_t to);
void ch_releases(ch_order *order, uint32_t task, uintptr_t object);
void ch_acquires(ch_order *order, uint32_t task, uintptr_t object);
// Notes a relaxed load or store of an atomic, which orders nothing by itself.
void ch_is_relaxed(ch_order *order, uint32_t task, uintptr_t atomic, bool stores);
// Returns true if only relaxed atomics keep what `first` did at `tick` apart from what `second` does now: they order nothing else by
// what the language says.
bool ch_is_only_relaxed(ch_order *order, uint32_t first, uint32_t tick, uint32_t second);
// The first forgets an execution, the second frees everything.
void ch_forget_order(ch_order *order);
void ch_free_order(ch_order *order);

// Returns true if what `task` did at `tick` happens before what a task with this clock does now.
static inline bool ch_knows(const ch_clock *clock, uint32_t task, uint32_t tick) {
  return task < clock->count && tick <= clock->ticks[task];
}

#endif
#endif
