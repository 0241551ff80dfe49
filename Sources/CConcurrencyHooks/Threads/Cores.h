// The cores on which the threads of a simulation run.
#ifndef CH_CORES_H
#define CH_CORES_H

#include "Exits.h"

#if CH_SUPPORTED
typedef struct ch_cores ch_cores;

// Moves the calling thread, which drives the simulation, to the core of the simulation's other threads. The first thread,
// which was not made for the simulation, also chooses the core.
void ch_gather(ch_simulation *s, bool is_first);
// Lets the calling thread run where it could before, until it drives the simulation again.
void ch_let_go(void);
// Ends the binding when the simulation is over: its first thread may run where it could before.
void ch_scatter(ch_simulation *s);
#endif
#endif
