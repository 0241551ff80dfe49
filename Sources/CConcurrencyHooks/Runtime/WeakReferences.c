// Reports which steps look at an object through a `weak` or `unowned` reference, and which step frees it, for the reduced search.
//
// An object's second word counts its references, or refers to a side table, to which its weak references refer as well; the table
// outlives the object. A step that drops a reference that is not the last one calls nothing that could be hooked at a bearable
// cost. So the step that frees an object of the program's depends on every other step: whichever of them dropped a reference might
// have been the last.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED

enum { side_table_shift = 3, unowned_shift = 1 };
static const uint64_t has_side_table = 3ull << 62, is_slow = 1ull << 63, unowned_mask = 0x7fffffff;

// Returns the step's simulation if the search asks what steps share.
static ch_simulation *told(void) {
  ch_simulation *s = ch_current;
  return s && s->execution.follows_dependencies && ch_in_step(s) && !ch_untold_locks ? s : NULL;
}

static uint64_t references_of(const void *object) { return __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED); }

static void looks(const void *referred) {
  ch_simulation *s = referred ? told() : NULL;
  if (s) simulator_uses(s->scheduler, (uintptr_t)referred, true);
}

// A weak reference is the address of the side table, or null. What a step sees there twice, others may change in between.
static inline __attribute__((always_inline)) void looks_weakly(void *const *reference) {
  ch_simulation *s = ch_current;
  if (!s) return;
  if (!ch_is_of_image(__builtin_return_address(0))) {
    looks(__atomic_load_n(reference, __ATOMIC_RELAXED));
    return;
  }
  uintptr_t table = (uintptr_t)__atomic_load_n(reference, __ATOMIC_RELAXED);
  if (s->execution.overlaps && table && s->execution.of_step.looked_at == table)
    ch_preemption_point_without_locks(s, (void *const *)__builtin_frame_address(0));
  s->execution.of_step.looked_at = table;
  ch_meets(table, CH_LOOKS);
  looks((void *)table);
}

// MARK: looking

#define WEAK(type, name, declared, source, ...)                                \
  type name declared;                                                          \
  CH_BEHIND(name);                                                             \
  type name declared {                                                         \
    looks_weakly(source);                                                      \
    return CH_REAL(name)(__VA_ARGS__);                                         \
  }
// The step now holds the object. Others may let go of it, so that this step frees it.
void *swift_weakLoadStrong(void **reference);
CH_BEHIND(swift_weakLoadStrong);
void *swift_weakLoadStrong(void **reference) {
  looks_weakly(reference);
  void *object = CH_REAL(swift_weakLoadStrong)(reference);
  if (object && ch_is_followed(ch_current) && ch_is_of_image(__builtin_return_address(0))) ch_current->execution.of_step.has_acted = true;
  return object;
}
WEAK(void *, swift_weakTakeStrong, (void **reference), reference, reference)
WEAK(void *, swift_weakCopyInit, (void **to, void **from), from, to, from)
WEAK(void *, swift_weakCopyAssign, (void **to, void **from), from, to, from)

// An object that has only unowned references has no side table, and its memory is kept for as long as there are any.
#define UNOWNED(type, name)                                                    \
  type name(void *object);                                                     \
  CH_BEHIND(name);                                                             \
  type name(void *object) {                                                    \
    looks(object);                                                             \
    return CH_REAL(name)(object);                                              \
  }
UNOWNED(void *, swift_unownedRetainStrong)
UNOWNED(void, swift_unownedRetainStrongAndRelease)
UNOWNED(void, swift_unownedCheck)

// MARK: freeing

uintptr_t ch_side_table(const void *object) {
  uint64_t references = references_of(object);
  return (references & has_side_table) == has_side_table ? (uintptr_t)(references << 2 >> 2 << side_table_shift) : 0;
}

void ch_frees_object(const void *object) {
  if (ch_current && ch_current->execution.watches_sharing) ch_meets(ch_side_table(object), CH_CHANGES);
  ch_simulation *s = told();
  if (!s) return;
  uint64_t references = references_of(object);
  uintptr_t table = ch_side_table(object);
  // The object itself counts as one unowned reference.
  bool is_looked_at = table || (!(references & is_slow) && (references >> unowned_shift & unowned_mask) > 1);
  if (!is_looked_at) return;
  if (ch_is_class_of_program(*(const void *const *)object)) return simulator_frees_seen_object(s->scheduler);
  // A library looks at its own objects, such as a session at its tasks: those looks count, and not who might have been the last.
  if (table) simulator_uses(s->scheduler, table, false);
  simulator_uses(s->scheduler, (uintptr_t)object, false);
}

void swift_deallocClassInstance(void *object, size_t size, size_t alignment);
CH_BEHIND(swift_deallocClassInstance);
void swift_deallocClassInstance(void *object, size_t size, size_t alignment) {
  ch_frees_object(object);
  CH_REAL(swift_deallocClassInstance)(object, size, alignment);
}
#endif
