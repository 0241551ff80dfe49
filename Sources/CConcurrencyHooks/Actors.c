// Actors as they come to life, and isolated deinitializers.
#define _GNU_SOURCE
#include "Visitors.h"

#if CH_SUPPORTED

typedef SWIFTCC void actor_function(void *actor);
static actor_function *original_initialize;

// An address may be used again by another actor; this is how the scheduler learns that it is another one.
SWIFTCC void swift_defaultActor_initialize(void *actor) {
  ch_simulation *s = ch_current;
  if (s) {
    simulator_actor_initialized(s->scheduler, (uintptr_t)actor);
    ch_actor_made(s, (uintptr_t)actor);
  } else {
    ch_actor_gone((uintptr_t)actor);
  }
  original_initialize(actor);
}

static actor_function *original_destroy;

SWIFTCC void swift_defaultActor_destroy(void *actor) {
  ch_actor_gone((uintptr_t)actor);
  original_destroy(actor);
}

typedef SWIFTCC void deinit_function(void *object, void *work, uintptr_t identity, uintptr_t implementation,
                                     size_t flags);
static deinit_function *original_deinit;

SWIFTCC void swift_task_deinitOnExecutor(void *object, void *work, uintptr_t identity, uintptr_t implementation,
                                         size_t flags) {
  ch_simulation *s = ch_current;
  if (!s) { original_deinit(object, work, identity, implementation, flags); return; }
  bool outer = s->execution.deinitializing;
  s->execution.deinitializing = true;
  original_deinit(object, work, identity, implementation, flags);
  s->execution.deinitializing = outer;
  ch_set_free(s);
}

void ch_install_actors(void) {
  original_initialize = ch_behind_us("swift_defaultActor_initialize");
  original_destroy = ch_behind_us("swift_defaultActor_destroy");
  original_deinit = ch_behind_us("swift_task_deinitOnExecutor");
}
#endif
