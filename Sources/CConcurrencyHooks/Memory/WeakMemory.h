// What a load of an atomic may answer if memory is weaker than sequentially consistent: see `WeakMemory.c`.
#ifndef CH_WEAK_MEMORY_H
#define CH_WEAK_MEMORY_H

#include "Order.h"

#if CH_SUPPORTED

// Returns true if the running step's atomics are answered by the functions below.
bool ch_has_weak_memory(void);

// An atomic of the program, as the running step reaches it. `newest` is the value that memory has.
typedef struct {
  uintptr_t address;
  uint32_t size;
  uint64_t newest;
  int order;           // as the compiler passes it: `__ATOMIC_ACQUIRE` and its kin
  void *const *frame;  // of the function that the program has called
} ch_atomic;

// Returns what a load answers.
uint64_t ch_weak_load(ch_atomic atomic);
// Returns true if an exchange that expects a value fails although memory has it, or fails with an older value than memory has.
// Then `found` is that value.
bool ch_weak_fails(ch_atomic atomic, uint64_t expected, uint64_t *found);
// Notes that the running step stores `value`. An update is a store that reads the newest value in the same operation.
void ch_weak_store(ch_atomic atomic, uint64_t value, bool is_update);
void ch_weak_fence(int order);
// Notes that this atomic is a lock, so that each load answers the newest store.
void ch_weak_lock(uintptr_t address);
// Notes that memory was freed, or written by something other than an atomic.
void ch_weak_forgets(ch_simulation *s, uintptr_t address, size_t size);

// Notes that a task has released or acquired something, or that one task's work comes before what another does next.
void ch_weak_orders(ch_simulation *s, uint32_t task, uintptr_t object, bool releases);
void ch_weak_orders_tasks(ch_simulation *s, uint32_t from, uint32_t to);

// Begins an execution with or without weak memory, and frees everything.
void ch_begin_weak_memory(ch_simulation *s, bool is_weak);
void ch_free_weak_memory(ch_simulation *s);

// Notes that the running step loads or stores an atomic in relaxed order.
void ch_relaxed_at(uintptr_t atomic, bool stores);
// Notes a fence, which may order tasks by way of such atomics.
void ch_sees_fence(void);

#endif
#endif
