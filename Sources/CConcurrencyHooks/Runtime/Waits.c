// Reports each request for the result of a task: `async let` and `Task.value`. If the result already exists, the requesting
// task goes on without suspending, and nothing else would show that it asked. The reduced search must know.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void consulted(void *task) {
  ch_simulation *s = ch_current;
  if (s && (s->execution.follows_dependencies || s->execution.follows_accesses)) simulator_consulted(s->scheduler, task);
}

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context)) void *context
typedef ASYNC void waiting(CONTEXT, void *, void *, void *, void *, void *, void *);

static void *behind_us(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();  // the library that defines it is loaded, or nothing of Swift's would run
  return found;
}

// MARK: all children of a group
//
// The library waits for all children in a loop of its own, which asks for the next one. None of it can be interposed.
// But a waiting task leaves a trail of contexts, which show where `next` continues, and where the caller of `next`
// continues. Each kind of group has one such place.

static uintptr_t places[8];
static int place_count;

// Returns where the caller of `next` continues; 0 if the task does not wait for a group.
static uintptr_t caller_of_next(const void *task) {
  const void *record = (const void *)ch_word(task, CH_TASK_DEPENDENCY);
  if (!record || (ch_word(record, CH_WAIT_KIND) & 0xff) != CH_WAIT_FOR_GROUP) return 0;
  const void *waiting = (const void *)ch_word(task, CH_TASK_CONTEXT);
  const void *next = waiting ? (const void *)ch_word(waiting, 0) : NULL;
  return next ? ch_word(next, 8) : 0;
}

void ch_learn_group_awaited(const void *task) {
  uintptr_t place = caller_of_next(task);
  for (int n = 0; n < place_count; n++)
    if (places[n] == place) return;
  if (place && place_count < 8) places[place_count++] = place;
}

uintptr_t ch_group_awaited(const void *task) {
  uintptr_t place = caller_of_next(task);
  if (!place) return 0;
  for (int n = 0; n < place_count; n++)
    if (places[n] == place) return ch_word((const void *)ch_word(task, CH_TASK_DEPENDENCY), CH_WAIT_OBJECT);
  return 0;
}

// MARK: async let

#define LET_CHILD 0x18  // the child and four bits of flags
#define LET_HAS_RESULT 4  // one of these flags

static void *child_of(void *let) { return (void *)(ch_word(let, LET_CHILD) & ~(uint64_t)0xf); }
static void stays(void *let) {}
static void cancels(void *let) {
  if (!(ch_word(let, LET_CHILD) & LET_HAS_RESULT)) ch_cancels_child(child_of(let));
}

#define LET(name, leaves)                                                                               \
  static waiting *original_##name;                                                                       \
  ASYNC void name(CONTEXT, void *let, void *b, void *c, void *d, void *e, void *f) {                     \
    leaves(let);                                                                                         \
    consulted(child_of(let));                                                                            \
    __attribute__((musttail)) return original_##name(context, let, b, c, d, e, f);                       \
  }
LET(swift_asyncLet_get, stays)
LET(swift_asyncLet_get_throwing, stays)
// At the end of its scope, a child that was not asked for is cancelled and then awaited.
LET(swift_asyncLet_finish, cancels)

// MARK: Task.value and Task.result
//
// Callers read the size of the context from a record of two words, whose other word locates the function. They call
// either that function or the one with the known name: see `CH_RECORD`.

#define GETTER(name, symbol)                                                                             \
  static waiting *original_##name;                                                                       \
  ASYNC void ch_##name(CONTEXT, void *, void *, void *, void *, void *, void *) __asm__(symbol);         \
  ASYNC void ch_##name(CONTEXT, void *result, void *task, void *c, void *d, void *e, void *f) {          \
    consulted(task);                                                                                     \
    __attribute__((musttail)) return original_##name(context, result, task, c, d, e, f);                 \
  }                                                                                                      \
  CH_RECORD(name, symbol)
GETTER(throwing_value, "$sScT5valuexvg")
GETTER(value, "$sScTss5NeverORs_rlE5valuexvg")
GETTER(result, "$sScT6results6ResultOyxq_Gvg")

#define FIND_GETTER(name, symbol)                                                                        \
  original_##name = behind_us(symbol);                                                                   \
  memcpy(&record_##name[1], (char *)behind_us(symbol "Tu") + 4, 4)

__attribute__((constructor)) static void install(void) {
  original_swift_asyncLet_get = behind_us("swift_asyncLet_get");
  original_swift_asyncLet_get_throwing = behind_us("swift_asyncLet_get_throwing");
  original_swift_asyncLet_finish = behind_us("swift_asyncLet_finish");
  FIND_GETTER(throwing_value, "$sScT5valuexvg");
  FIND_GETTER(value, "$sScTss5NeverORs_rlE5valuexvg");
  FIND_GETTER(result, "$sScT6results6ResultOyxq_Gvg");
}
#endif
