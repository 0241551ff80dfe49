// Shared by the files that keep tasks from outside away from a simulation's actors.
#ifndef CH_FOREIGN_TASKS_H
#define CH_FOREIGN_TASKS_H

#include "Hooks.h"

#if CH_SUPPORTED
#include <stdatomic.h>

// `ch_actor_made` notes that an actor was made in a simulation; `ch_actor_gone`, that it is gone, or that its address now
// belongs to an actor made elsewhere.
void ch_actor_made(const ch_simulation *s, uintptr_t actor);
void ch_actor_gone(uintptr_t actor);

// Returns true if a task of a thread that runs no simulation must not run on this executor, and notifies the simulation then.
bool ch_is_barred(uintptr_t identity, uintptr_t implementation);

#endif
#endif
