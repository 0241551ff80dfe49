// Notes where a checked continuation is first resumed, for the report of one that is resumed a second time: the runtime ends
// the process then, and only the second call is on the stack.
//
// These two functions of the library are behind every way to resume a checked continuation; what the compiler inlines into the
// program calls them too. A hook notes its callers and tail-calls the library's function.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <stdlib.h>
#include <string.h>

enum { most_callers = 8, held_task = 16, least_slots = 64 };

typedef struct {
  const void *checked;
  uint64_t generation;  // the slot is empty if this is not the table's
  size_t count;
  void *callers[most_callers];
} first_call;

// The first calls, by the address of the object of a checked continuation: one that is resumed a second time has lived since
// the first. If an address is used again, the new object brings a first call of its own.
struct ch_resumes {
  uint64_t tag;  // of the execution that the table is about
  uint64_t generation;
  size_t used, capacity;  // a power of two
  first_call *slots;
};

static first_call *slot_of(const struct ch_resumes *table, const void *checked) {
  size_t at = ((uintptr_t)checked >> 4) * 0x9e3779b97f4a7c15ull >> 32;
  while (true) {
    first_call *slot = &table->slots[at++ & (table->capacity - 1)];
    if (slot->generation != table->generation || slot->checked == checked) return slot;
  }
}

static bool grow(struct ch_resumes *table) {
  struct ch_resumes larger = *table;
  larger.capacity = table->capacity ? 2 * table->capacity : least_slots;
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots) return false;
  for (size_t n = 0; n < table->capacity; n++)
    if (table->slots[n].generation == table->generation)
      *slot_of(&larger, table->slots[n].checked) = table->slots[n];
  free(table->slots);
  *table = larger;
  return true;
}

static struct ch_resumes *table_of(ch_simulation *s) {
  if (!s->resumes) s->resumes = calloc(1, sizeof *s->resumes);
  struct ch_resumes *table = s->resumes;
  if (table && table->tag != s->execution.tag) {
    table->tag = s->execution.tag;
    table->generation++;
    table->used = 0;
  }
  return table;
}

void ch_forget_resumes(ch_simulation *s) {
  if (s->resumes) free(s->resumes->slots);
  free(s->resumes);
  s->resumes = NULL;
}

// Finds the callers by frame pointers alone, which Swift keeps, because this happens at every call. An asynchronous function
// marks its frame pointer with a bit.
static size_t find_callers(void *const *frame, void **callers) {
  static const uintptr_t is_async = (uintptr_t)1 << 60;
  static _Thread_local uintptr_t end __attribute__((tls_model("initial-exec")));
  if (!end) {
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
    pthread_attr_getstack(&attributes, &stack, &size);
    pthread_attr_destroy(&attributes);
    end = (uintptr_t)stack + size - 2 * sizeof(void *);
  }
  size_t count = 0;
  for (uintptr_t at = (uintptr_t)frame; count < most_callers;) {
    callers[count++] = ((void *const *)at)[1];
    uintptr_t next = *(const uintptr_t *)at & ~is_async;
    if (next <= at || next > end || next % sizeof(void *)) break;
    at = next;
  }
  return count;
}

__attribute__((noinline)) static void resumes(ch_simulation *s, const void *checked, void *const *frame) {
  const void *task = (const void *)ch_word(checked, held_task);
  if (task && ch_tag_of(ch_job_record(task)) != s->execution.tag) return;
  bool is_followed = s->execution.follows_dependencies || s->execution.follows_accesses;
  if (task && is_followed) simulator_resumes(s->scheduler, (void *)task);
  struct ch_resumes *table = table_of(s);
  if (!table || (4 * table->used >= 3 * table->capacity && !grow(table))) return;
  first_call *slot = slot_of(table, checked);
  bool isKnown = slot->generation == table->generation;
  if (task) {
    table->used += !isKnown;
    slot->checked = checked;
    slot->generation = table->generation;
    slot->count = find_callers(frame, slot->callers);
  } else if (isKnown) {
    simulator_completed_twice(s->scheduler, slot->callers, slot->count);
  }
}

typedef SWIFTCC void resume_function(void *, void *, __attribute__((swift_context)) void *const *);

#define RESUME(name, symbol)                                                                                \
  static resume_function *original_##name;                                                                  \
  SWIFTCC void ch_##name(void *, void *, __attribute__((swift_context)) void *const *) __asm__(symbol);     \
  SWIFTCC void ch_##name(void *brings, void *type, __attribute__((swift_context)) void *const *checked) {   \
    ch_simulation *s = ch_current;                                                                          \
    if (s) resumes(s, *checked, __builtin_frame_address(0));                                                \
    __attribute__((musttail)) return original_##name(brings, type, checked);                                \
  }
#define RETURNING "$sScC6resume9returningyxn_tF"
#define THROWING "$sScC6resume8throwingyq_n_tF"
RESUME(returning, RETURNING)
RESUME(throwing, THROWING)

void ch_install_resumes(void) {
  original_returning = ch_behind_us(RETURNING);
  original_throwing = ch_behind_us(THROWING);
}
#endif
