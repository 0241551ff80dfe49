// The cores on which the threads of a simulation run.
#ifndef CH_CORES_H
#define CH_CORES_H

#include "Exits.h"

#if CH_SUPPORTED
typedef struct ch_cores ch_cores;

// The calling thread has the baton: it goes where the others of its simulation are. The first of them, which was not made for
// it, also chooses where.
void ch_gather(ch_simulation *s, bool is_first);
// The calling thread may run where it might before, until it has the baton again.
void ch_let_go(void);
// The simulation is over: its first thread may run where it might before.
void ch_scatter(ch_simulation *s);
#endif
#endif
