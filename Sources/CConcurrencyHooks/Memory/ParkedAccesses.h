// The memory accesses before which steps are parked. Each access and each `free` of another step is compared with them.
#ifndef CH_PARKED_ACCESSES_H
#define CH_PARKED_ACCESSES_H

#include "CodePoints.h"

#if CH_SUPPORTED

enum { ch_most_parked_accesses = 8 };

typedef struct {
  uintptr_t low, high;
  bool writes;
} ch_parked_access;

typedef struct {
  size_t count;  // may exceed the room in `places`
  ch_parked_access places[ch_most_parked_accesses];
} ch_parked_accesses;

static inline void ch_add_parked_access(ch_parked_accesses *to, ch_parked_access place) {
  if (to->count < ch_most_parked_accesses) to->places[to->count] = place;
  to->count++;
}

static inline void ch_remove_parked_access(ch_parked_accesses *from, ch_parked_access place) {
  for (size_t n = 0; n < from->count && n < ch_most_parked_accesses; n++) {
    const ch_parked_access *found = &from->places[n];
    if (found->low != place.low || found->high != place.high || found->writes != place.writes) continue;
    if (from->count <= ch_most_parked_accesses) from->places[n] = from->places[from->count - 1];
    break;
  }
  from->count--;
}

// True if an access may overlap one of them. If the table is full, the answer is yes: a false yes costs time, a false no costs
// a race.
static inline bool ch_meets_parked_access(const ch_parked_accesses *all, uintptr_t address, size_t size, bool writes) {
  if (all->count > ch_most_parked_accesses) return true;
  for (size_t n = 0; n < all->count; n++) {
    const ch_parked_access *other = &all->places[n];
    if (address < other->high && other->low < address + size && (writes || other->writes)) return true;
  }
  return false;
}
#endif
#endif
