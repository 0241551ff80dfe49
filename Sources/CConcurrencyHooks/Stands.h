// The accesses to memory before which steps stand: each access, and each `free`, of another step is held against them.
#ifndef CH_STANDS_H
#define CH_STANDS_H

#include "CodePoints.h"

#if CH_SUPPORTED

enum { ch_most_stands = 8 };

typedef struct {
  uintptr_t low, high;
  bool writes;
} ch_stand_place;

typedef struct {
  size_t count;  // may be more than there is room for
  ch_stand_place places[ch_most_stands];
} ch_stands;

static inline void ch_add_stand(ch_stands *to, ch_stand_place place) {
  if (to->count < ch_most_stands) to->places[to->count] = place;
  to->count++;
}

static inline void ch_remove_stand(ch_stands *from, ch_stand_place place) {
  for (size_t n = 0; n < from->count && n < ch_most_stands; n++) {
    const ch_stand_place *found = &from->places[n];
    if (found->low != place.low || found->high != place.high || found->writes != place.writes) continue;
    if (from->count <= ch_most_stands) from->places[n] = from->places[from->count - 1];
    break;
  }
  from->count--;
}

// Whether an access may concern one of them. Of more than there is room for, nobody knows.
static inline bool ch_meets_stand(const ch_stands *stands, uintptr_t address, size_t size, bool writes) {
  if (stands->count > ch_most_stands) return true;
  for (size_t n = 0; n < stands->count; n++) {
    const ch_stand_place *other = &stands->places[n];
    if (address < other->high && other->low < address + size && (writes || other->writes)) return true;
  }
  return false;
}
#endif
#endif
