// What the files share that keep tasks from outside away from a simulation's actors.
#ifndef CH_VISITORS_H
#define CH_VISITORS_H

#include "Hooks.h"

#if CH_SUPPORTED
#include <stdatomic.h>

// An actor was made in a simulation; it has come to its end, or its address belongs to one that was not.
void ch_actor_made(const ch_simulation *s, uintptr_t actor);
void ch_actor_gone(uintptr_t actor);

// Whether a task of a thread that runs no simulation must not run on this executor. The simulation is told if so.
bool ch_is_barred(uintptr_t identity, uintptr_t implementation);

#endif
#endif
