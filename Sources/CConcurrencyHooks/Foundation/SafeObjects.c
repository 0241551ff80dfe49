// Calls of Foundation's objects that are safe to use from any thread, such as `UserDefaults` and `Operation`. Others may come
// between two calls, and between what the step has done before and the call, but not within one. They are seen by the locks
// that Foundation takes for them: the callers of such a lock, up to the program, show which method the program has called.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// What a function of Foundation's is. The end of a queue's other methods is no place of its own: what they set free is one.
typedef enum { OTHER, OF_SAFE_OBJECT, OF_OPERATION, CANCELS_ALL_OPERATIONS, OF_QUEUE, STARTS_OPERATION } method;

#define IN_FOUNDATION "$s10Foundation"

static bool begins(const char *name, const char *with) { return !strncmp(name, with, strlen(with)); }

static bool begins_with_any(const char *name, const char *const *with, size_t count) {
  for (size_t n = 0; n < count; n++)
    if (begins(name, with[n])) return true;
  return false;
}
#define BEGINS_WITH_ANY(name, ...) \
  begins_with_any(name, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static method method_named(const char *name) {
  if (!name || !begins(name, IN_FOUNDATION)) return OTHER;
  name += strlen(IN_FOUNDATION);
  if (!strcmp(name, "9OperationC5startyyF")) return STARTS_OPERATION;
  if (BEGINS_WITH_ANY(name, "12UserDefaultsC", "7NSCacheC")) return OF_SAFE_OBJECT;
  if (begins(name, "14OperationQueueC19cancelAllOperations")) return CANCELS_ALL_OPERATIONS;
  if (begins(name, "9OperationC17waitUntilFinished")) return OF_QUEUE;
  if (BEGINS_WITH_ANY(name, "9OperationC", "14OperationQueueC14operationCount", "14OperationQueueC10operations",
                      "14OperationQueueC11isSuspendedSbvg"))
    return OF_OPERATION;
  return begins(name, "14OperationQueueC") ? OF_QUEUE : OTHER;
}

typedef struct { uintptr_t low, high; method method; } range;
static range *methods;  // sorted by address
static size_t method_count;

static method method_at(const void *returns_to) {
  uintptr_t place = (uintptr_t)returns_to - 1;
  size_t low = 0, high = method_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (methods[middle].high <= place) low = middle + 1;
    else high = middle;
  }
  return low < method_count && methods[low].low <= place ? methods[low].method : OTHER;
}

// Returns the number of symbols that a library exports, from its hash table.
static size_t count_symbols(const uint32_t *table) {
  uint32_t buckets = table[0], first = table[1], words = table[2], last = 0;
  const uint32_t *bucket = table + 4 + words * (sizeof(ElfW(Addr)) / sizeof *table), *chain = bucket + buckets;
  for (uint32_t n = 0; n < buckets; n++)
    if (bucket[n] > last) last = bucket[n];
  if (last < first) return first;
  while (!(chain[last - first] & 1)) last++;
  return last + 1;
}

static int by_address(const void *one, const void *other) {
  const range *first = one, *second = other;
  return first->low < second->low ? -1 : first->low > second->low;
}

static void add_method(const struct link_map *library, const char *name, const ElfW(Sym) *symbol) {
  enum { step = 256 };
  if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_size) return;
  method found = method_named(name);
  if (found == OTHER) return;
  if (method_count % step == 0) {
    range *larger = realloc(methods, (method_count + step) * sizeof *larger);
    if (!larger) return;
    methods = larger;
  }
  uintptr_t low = library->l_addr + symbol->st_value;
  methods[method_count++] = (range){low, low + symbol->st_size, found};
}

void ch_find_safe_methods(const struct link_map *library) {
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  const uint32_t *table = NULL;
  for (const ElfW(Dyn) *entry = library->l_ld; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_SYMTAB) symbols = (const void *)entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRTAB) names = (const void *)entry->d_un.d_ptr;
    if (entry->d_tag == DT_GNU_HASH) table = (const void *)entry->d_un.d_ptr;
  }
  if (!symbols || !names || !table) return;
  size_t count = count_symbols(table);
  for (size_t n = 0; n < count; n++) add_method(library, names + symbols[n].st_name, &symbols[n]);
  qsort(methods, method_count, sizeof *methods, by_address);
}

typedef struct {
  ch_call_of_object call;
  bool starts_operation, is_of_operations, is_of_queue;
} safe_call;

// Returns true if the program has called a method of such an object, or an operation starts, and Foundation takes a lock for
// that in the function with this frame and caller.
static bool find_call(const void *caller, void *const *frame, safe_call *found) {
  enum { most_frames = 12 };
  *found = (safe_call){.call = {.first_lock = (uintptr_t)caller, .locks = 1}};
  method outermost = OTHER;
  for (int n = 0; n < most_frames && caller && ch_is_of_foundation(caller); n++) {
    method next = method_at(caller);
    // It cancels one operation after another, and others may come between the two.
    if (next == CANCELS_ALL_OPERATIONS && outermost == OF_OPERATION) break;
    outermost = next;
    if (outermost == STARTS_OPERATION) found->starts_operation = true;
    caller = ch_caller_above(frame);
    frame = frame[0];
    found->call.frame = (uintptr_t)frame;
  }
  found->call.returns_to = (uintptr_t)caller;
  if (!caller) return false;
  found->is_of_queue = outermost == OF_QUEUE || outermost == CANCELS_ALL_OPERATIONS;
  found->is_of_operations = outermost >= OF_OPERATION;
  if (outermost != OTHER && (ch_is_of_image(caller) || method_at(caller) == CANCELS_ALL_OPERATIONS)) return true;
  // A session has operations of its own.
  return found->starts_operation && ch_current->execution.uses_operations;
}

static bool is_seen(const ch_simulation *s) {
  return s && (s->execution.watches_sharing || s->execution.overlaps) && ch_in_step(s) && !ch_untold_locks;
}

// Returns true if this is not the call whose locks came before.
static bool is_new(const safe_call *found) {
  ch_simulation *s = ch_current;
  ch_call_of_object *call = &s->execution.of_step.call;
  bool is_same = call->frame == found->call.frame && call->returns_to == found->call.returns_to;
  if (is_same && call->first_lock != found->call.first_lock) {
    call->locks++;
    return false;
  }
  *call = found->call;
  if (found->is_of_operations) s->execution.uses_operations = true;
  return true;
}

static void may_be_preceded(void *const *frame) {
  if (ch_has_acted(ch_current)) ch_preemption_point_without_locks(ch_current, frame);
}

void ch_locks_for_safe_call(uintptr_t lock, const void *caller, void *const *frame) {
  safe_call found;
  if (!is_seen(ch_current) || !find_call(caller, frame, &found) || !is_new(&found)) return;
  ch_meets(lock, CH_LOOKS_AND_CHANGES);
  may_be_preceded(frame);
}

// An operation that starts looks whether it is canceled, and then notes that it executes. After that, others may cancel it
// before its first statement.
enum { locks_until_it_executes = 4 };

void ch_unlocked_for_safe_call(const void *caller, void *const *frame) {
  ch_simulation *s = ch_current;
  safe_call found;
  if (!ch_is_followed(s) || ch_untold_locks || !find_call(caller, frame, &found)) return;
  if (found.starts_operation && s->execution.of_step.call.locks == locks_until_it_executes)
    ch_preemption_point_without_locks(s, frame);
  if (!found.is_of_queue) s->execution.of_step.has_acted = true;
}

// MARK: UserDefaults
//
// Its values are guarded by locks that call nothing. All of its objects share them.

static const char defaults;

// Returns true if the program has called. A method may have taken another lock first.
static bool comes_to_defaults(ch_side side, const void *caller, void *const *frame) {
  safe_call found;
  if (!is_seen(ch_current) || !find_call(caller, frame, &found)) return false;
  ch_meets((uintptr_t)&defaults, side);
  if (is_new(&found)) may_be_preceded(frame);
  ch_uses((uintptr_t)&defaults, NULL);
  ch_acquires_object((uintptr_t)&defaults);
  return true;
}

static void leaves_defaults(void) {
  ch_releases_object((uintptr_t)&defaults);
  ch_has_looked(ch_current);
}

void *CFPreferencesCopyAppValue(const void *key, const void *application);
CH_BEHIND(CFPreferencesCopyAppValue);
void *CFPreferencesCopyAppValue(const void *key, const void *application) {
  bool is_call = comes_to_defaults(CH_LOOKS, __builtin_return_address(0), CH_FRAME);
  void *value = CH_REAL(CFPreferencesCopyAppValue)(key, application);
  if (is_call) leaves_defaults();
  return value;
}

void CFPreferencesSetAppValue(const void *key, const void *value, const void *application);
CH_BEHIND(CFPreferencesSetAppValue);
void CFPreferencesSetAppValue(const void *key, const void *value, const void *application) {
  bool is_call = comes_to_defaults(CH_CHANGES, __builtin_return_address(0), CH_FRAME);
  CH_REAL(CFPreferencesSetAppValue)(key, value, application);
  if (is_call) leaves_defaults();
}
#pragma clang attribute pop
#endif
