// The floor that the engine is measured against: the runtime's own jobs through a FIFO ring, nothing controlled.
#ifndef CFLOOR_H
#define CFLOOR_H
#include <stdint.h>

// From here on this thread's jobs for the global executor go to the ring.
void floor_begin(void);
// Runs jobs in the order in which they came until there is none. With `hops_enqueue`, a hop to an idle actor goes
// through the ring too, as it must where every hop is a scheduling point; without, the runtime runs it inline.
void floor_run(int hops_enqueue);
void floor_end(void);
// The jobs run since the last call.
uint64_t floor_take_count(void);
#endif
