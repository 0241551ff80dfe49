// Places in code, and which of them are preemption points.
#ifndef CH_CODE_POINTS_H
#define CH_CODE_POINTS_H

#include "CAccesses.h"

#if CH_SUPPORTED

// A cache entry: a place, and whether it is one of the points. Another place that needs the same slot replaces it.
typedef struct {
  uintptr_t place;
  bool is_point;
} ch_known_place;
#define CH_KNOWN_PLACES (1 << 12)
static inline ch_known_place *ch_known_slot(ch_known_place *known, uintptr_t place) {
  return &known[(place ^ place >> 12) & (CH_KNOWN_PLACES - 1)];
}

typedef struct {
  ch_code_point *all;
  size_t count;
  ch_known_place *known;
} ch_points;

static inline bool ch_is_same_code(ch_code_point a, ch_code_point b) {
  return a.function == b.function && a.offset == b.offset;
}

// Returns true if the place is in the simulator's own code.
bool ch_is_engine(uintptr_t place);
// Returns true if the place is in `ch_call_work`, which calls what the program has handed to a queue.
bool ch_calls_work(uintptr_t place);
void ch_set_points(ch_points *points, const ch_code_point *new, size_t count);
void ch_free_points(ch_points *points);
bool ch_is_point(ch_points *points, uintptr_t place);

#endif
#endif
