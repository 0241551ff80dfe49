// Locks, and what a step can wait for. Swift sees these types as enums of its own.
#ifndef CH_LOCKS_H
#define CH_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#define CH_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#define CH_NAME(name) __attribute__((swift_name(#name)))

typedef enum CH_CLOSED_ENUM ch_lock_kind : int32_t {
  CH_LOCK_OF_LIBRARY CH_NAME(library),   // a library takes it for itself
  CH_LOCK_OF_QUEUE CH_NAME(queue),       // a serial queue of Dispatch, while code runs in it by `sync`
  CH_LOCK_WORD CH_NAME(word),            // a `Mutex` of the standard library
  CH_LOCK_MUTEX CH_NAME(mutex),          // the program calls libc
  CH_LOCK_NSLOCK CH_NAME(foundation),
  CH_LOCK_NSRECURSIVELOCK CH_NAME(recursive),
  CH_LOCK_FOR_READING CH_NAME(reading),  // a read-write lock
  CH_LOCK_FOR_WRITING CH_NAME(writing),
} ch_lock_kind;

// The reasons for which a step is blocked, apart from a lock that another step holds.
typedef enum CH_CLOSED_ENUM ch_wait_subject : int32_t {
  CH_WAITS_FOR_SIGNAL CH_NAME(signal),
  CH_WAITS_FOR_POST CH_NAME(post),
  CH_WAITS_FOR_GROUP CH_NAME(group),  // of Dispatch, also that of a work item
  CH_WAITS_TO_READ CH_NAME(reading),
  CH_WAITS_TO_WRITE CH_NAME(writing),
  CH_WAITS_FOR_LOCK CH_NAME(lock),  // until a time limit
  CH_WAITS_FOR_TIME CH_NAME(time),
  CH_WAITS_FOR_DATE CH_NAME(date),  // Foundation has computed the time in a `Double`
  CH_WAITS_IN_RUN_LOOP CH_NAME(runLoop),
  CH_WAITS_FOR_THREAD CH_NAME(thread),
  CH_WAITS_AT_BARRIER CH_NAME(barrier),
  CH_WAITS_FOR_ONCE CH_NAME(once),
} ch_wait_subject;

// What a step does with an object that others may touch at any moment: two that only look, or only change, do not disturb
// each other, for example two that cancel a task.
typedef enum __attribute__((enum_extensibility(closed))) {
  CH_LOOKS CH_NAME(looks),
  CH_CHANGES CH_NAME(changes),
  CH_LOOKS_AND_CHANGES CH_NAME(both),
} ch_side;

// A call of an object of Foundation's: its frame, where it returns to in the program, where it took its first lock, and how
// many it has taken.
typedef struct {
  uintptr_t frame, returns_to, first_lock;
  uint32_t locks;
} ch_call_of_object;

// What the running step has done and holds. It is put aside while the step is parked.
typedef struct {
  uint32_t locks_held;    // the number of known locks that it holds
  uint32_t mutexes_held;  // the number of `Mutex`es that it holds, if their calls are redirected here
  uint32_t failed_tries;  // how often it has failed to take a lock since it took one
  uintptr_t failed_lock;  // the lock that it has failed to take last
  bool has_acted;         // it has used an atomic, or asked about what others may change, since the last preemption point
  bool has_freed;         // it has made something runnable since the last preemption point
  uintptr_t looked_at;    // where it has looked last through a weak reference
  ch_call_of_object call; // the last call of an object of Foundation's that is safe to use from anywhere
} ch_of_step;

// Unlocks what an abandoned step on the calling thread's stack holds, because the lock may outlive the execution.
void ch_unlock_abandoned(uintptr_t lock, ch_lock_kind kind);

#endif
