// Memory accesses that the program's code reports, which pairs of them nothing orders, and before which a step can be parked.
#ifndef CH_ACCESSES_H
#define CH_ACCESSES_H

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED

// A place in code: the hash of a function's name, and the offset within the function. It is the same in every process, and
// stays the same after a build that changes other functions.
typedef struct {
  uint32_t function;
  uint32_t offset;
} ch_code_point;

ch_code_point ch_code_point_of(uintptr_t place);

// Two accesses to the same memory by two tasks, of which at least one writes. Nothing is known to order them.
typedef struct {
  ch_code_point first, second;
  uint32_t number;  // of the first, among the accesses of its execution
  uintptr_t places[2];
  bool writes[2];
  bool is_relaxed;  // relaxed atomics, and nothing else that is known, keep the two apart
} ch_suspicion;

// `ch_follow_accesses` follows accesses in the execution of `s` that is about to begin, in which loads of atomics may answer older
// stores if `has_weak_memory` is true; `ch_forget_accesses` frees the data.
void ch_follow_accesses(ch_simulation *_Nonnull s, bool has_weak_memory);
void ch_forget_accesses(ch_simulation *_Nonnull s);
// Writes the pairs that were found in the execution, at most `room`. Returns their number.
size_t ch_suspicions(const ch_simulation *_Nonnull s, ch_suspicion *_Nonnull found, size_t room);

// Makes each access at one of these places a preemption point.
void ch_set_access_points(ch_simulation *_Nonnull s, const ch_code_point *_Nullable points, size_t count);
// Notes that a step is parked before this access, or no longer is.
void ch_parks_before_access(ch_simulation *_Nonnull s, uintptr_t address, size_t size, bool writes, bool parks);
// Looks for the access with this number, and notifies the scheduler when a step is about to make it.
void ch_seek_access(ch_simulation *_Nonnull s, uint32_t number);

// MARK: weak memory

// Notes that virtual time moves: every store has reached everybody by then.
void ch_weak_time_moves(ch_simulation *_Nonnull s);
// Returns whether an x86 machine can show what the loads of the execution have answered. O(n²) for n accesses to atomics, of which
// at most a thousand are looked at.
typedef enum { CH_X86_SHOWS, CH_X86_NEVER, CH_X86_UNKNOWN } ch_x86_answer;
ch_x86_answer ch_x86_shows(const ch_simulation *_Nonnull s);

// MARK: order between tasks

// Notes that what `from` has done so far happens before what `to` does from now on.
void ch_order_tasks(ch_simulation *_Nonnull s, uint32_t from, uint32_t to);
// Notes that what `task` has done so far happens before what any task does after it acquires the same object.
void ch_order_release(ch_simulation *_Nonnull s, uint32_t task, uintptr_t object);
void ch_order_acquire(ch_simulation *_Nonnull s, uint32_t task, uintptr_t object);
// Notes that the running step is about to call an object that any thread may call at any time, and whether the call changes it.
// Others may come before the call and after it. What one call has left, the next one finds: the calls are ordered.
void ch_comes_to(uintptr_t object, bool changes);
// Returns the object that stands for a domain.
static inline uintptr_t ch_order_domain(uint32_t domain) { return (uintptr_t)domain << 1 | 1; }

#endif
#endif
