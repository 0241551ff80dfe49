// Hooks for default actors, at their initialization and their end, and for isolated deinitializers.
#define _GNU_SOURCE
#include "ForeignTasks.h"

#if CH_SUPPORTED

typedef SWIFTCC void actor_function(void *actor);
static actor_function *original_initialize;

// Tells the scheduler that a new actor begins at this address, which another actor may have used before.
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
  ch_frees_object(actor);
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
