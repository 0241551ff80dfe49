// Keeps tasks from outside away from a simulation's actors. While the execution that made an actor is in progress, no task of a
// thread that runs no simulation runs on that actor. Such a task stays suspended forever, and the execution is notified.
//
// A table holds the live actors that were made in a simulation, each with the execution that made it. The table has no locks.
// An actor that finds no room is left out.
#define _GNU_SOURCE
#include "ForeignTasks.h"

#if CH_SUPPORTED

enum { size = 1 << 14, reach = 16 };
static _Atomic uintptr_t actors[size];
static _Atomic uint64_t tags[size];
static _Atomic bool has_any;

static inline uint64_t place_of(uintptr_t actor) { return ((actor >> 4) * 0x9e3779b97f4a7c15ull) >> 40; }

void ch_actor_made(const ch_simulation *s, uintptr_t actor) {
  for (uint64_t n = place_of(actor), end = n + reach; n < end; n++) {
    uintptr_t found = atomic_load_explicit(&actors[n % size], memory_order_relaxed);
    if (found && found != actor) continue;
    if (!found && !atomic_compare_exchange_strong(&actors[n % size], &found, actor)) continue;
    atomic_store_explicit(&tags[n % size], s->execution.tag, memory_order_release);
    atomic_store_explicit(&has_any, true, memory_order_relaxed);
    return;
  }
}

// Returns the actor's place in the table; `size` if it has none.
static uint64_t find(uintptr_t actor) {
  if (!atomic_load_explicit(&has_any, memory_order_relaxed)) return size;
  for (uint64_t n = place_of(actor), end = n + reach; n < end; n++)
    if (atomic_load_explicit(&actors[n % size], memory_order_acquire) == actor) return n % size;
  return size;
}

void ch_actor_gone(uintptr_t actor) {
  uint64_t place = find(actor);
  if (place == size) return;
  atomic_store_explicit(&tags[place], 0, memory_order_relaxed);
  atomic_store_explicit(&actors[place], 0, memory_order_release);
}

bool ch_is_barred(uintptr_t identity, uintptr_t implementation) {
  uint64_t place = identity && !implementation ? find(identity) : size;
  if (place == size) return false;
  uint64_t tag = atomic_load_explicit(&tags[place], memory_order_acquire);
  return tag && simulator_visited(tag);
}
#endif
