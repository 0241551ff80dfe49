// Accesses to memory that the program's code tells, which of them nothing orders, and where a step may be left before one.
#ifndef CH_ACCESSES_H
#define CH_ACCESSES_H

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED

// A place in code: a function by a hash of its name, and how far in it. The same in every process, and after a build that
// changes other functions.
typedef struct {
  uint32_t function;
  uint32_t offset;
} ch_code_point;

ch_code_point ch_code_point_of(uintptr_t place);

// Of two tasks, which access the same memory, and at least one of them writes. Nothing is known that orders them.
typedef struct {
  ch_code_point first, second;
  uint32_t number;  // of the first, among the accesses of its execution
} ch_suspicion;

// Begins or ends to follow accesses in the execution of `s`, which is about to begin.
void ch_follow_accesses(ch_simulation *_Nonnull s);
void ch_forget_accesses(ch_simulation *_Nonnull s);
// What was found in the execution: at most `room` pairs. How many.
size_t ch_suspicions(const ch_simulation *_Nonnull s, ch_suspicion *_Nonnull found, size_t room);

// Before each access at one of these places the step may be left.
void ch_set_access_points(ch_simulation *_Nonnull s, const ch_code_point *_Nullable points, size_t count);
// A step stands, or stands no longer, before this access.
void ch_stands_before(ch_simulation *_Nonnull s, uintptr_t address, size_t size, bool writes, bool stands);
// Looks for the step of which this is the access with that number, and tells when it comes.
void ch_seek_access(ch_simulation *_Nonnull s, uint32_t number);

// MARK: what orders tasks

// What `from` has done so far happens before what `to` does from now on.
void ch_order_tasks(ch_simulation *_Nonnull s, uint32_t from, uint32_t to);
// What `task` has done so far happens before what any task does that acquires the same object afterwards.
void ch_order_release(ch_simulation *_Nonnull s, uint32_t task, uintptr_t object);
void ch_order_acquire(ch_simulation *_Nonnull s, uint32_t task, uintptr_t object);
// What stands for a domain among the objects.
static inline uintptr_t ch_order_domain(uint32_t domain) { return (uintptr_t)domain << 1 | 1; }

#endif
#endif
