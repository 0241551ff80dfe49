// Parked steps, and the shared objects that make this necessary.
#ifndef CH_PARKED_STEPS_H
#define CH_PARKED_STEPS_H

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED

// MARK: objects that tasks share, if steps are atomic

// Returns true if the symbols of the executable show that the program uses a `Mutex`.
bool ch_uses_mutexes(void);
// `ch_has_asked_thread_number` returns true if a `Mutex` was used on this thread since `ch_forget_thread_number`.
void ch_forget_thread_number(void);
bool ch_has_asked_thread_number(void);
// Notes that `task` uses a lock or an atomic. Sets the execution's `shares` if another task has used it.
void ch_touches(ch_simulation *_Nonnull s, uintptr_t object, uint64_t task);
// Two kinds of what steps meet at: whether a task is canceled, and whether the children of groups are.
static inline uintptr_t ch_cancel_of(const void *_Nonnull task) { return (uintptr_t)task | 1; }
static const uintptr_t ch_cancels_of_groups = 1;
// Says that the simulator's own code is about to add a cancellation handler, on this thread.
void ch_adds_own_handler(void);
// Returns true if an observer of a change runs on this thread.
bool ch_is_called_by_observation(void);

// MARK: parked steps

// A thread that drives a simulation, or has a parked step on its stack.
typedef struct ch_driver ch_driver;

// Returns the calling thread's driver.
ch_driver *_Nonnull ch_own_driver(void);
// Returns true if the system, or a `Mutex`, knows the thread by this number.
bool ch_is_thread(const ch_driver *_Nonnull driver, uint32_t number);
// Returns true if another thread exists, or can be made, to drive the simulation meanwhile.
bool ch_can_park(ch_simulation *_Nonnull s);
// Parks the step on the calling thread's stack: another thread drives the simulation until the step is chosen to go on.
void ch_park(ch_simulation *_Nonnull s);
// Finds the callers of the current preemption point, innermost first, at most `room`. Returns their number.
size_t ch_callers_of_step(const ch_simulation *_Nonnull s, uintptr_t *_Nonnull found, size_t room);
// Finds the callers of the calling function in the same way.
size_t ch_callers_of_here(uintptr_t *_Nonnull found, size_t room);
// Ends the calling thread's turn to drive: `to` goes on with its parked step, or abandons it.
void ch_hand_over(ch_driver *_Nonnull to, bool leaves_step);
// Wakes `to`, and waits until the execution is over.
void ch_pass(ch_driver *_Nonnull to);
// Makes the thread abandon its parked step, and waits until it has.
void ch_abandon_parked(ch_driver *_Nonnull parked);
// Returns the number of threads that this process has made for simulations. `ch_threads_ended` returns the number of these
// that have ended. Between executions, the threads wait and hold nothing. Other simulations make and end threads meanwhile,
// so the number made before a moment minus the number ended after it is a lower bound of the number alive at that moment.
uint32_t ch_threads_made(void);
uint32_t ch_threads_ended(void);
// Protects a descriptor, or all that are open now, from being closed by the program.
void ch_keep_descriptor(int descriptor);
void ch_keep_open_descriptors(void);
// Returns true if a program has since tried to close one of them.
bool ch_has_met_kept_descriptors(void);
// Ends the threads that wait to drive.
void ch_end_threads(ch_simulation *_Nonnull s);


// MARK: threads that the program makes

typedef struct ch_thread ch_thread;
// Returns true if `carrier` waits while `thread` runs its step.
bool ch_carries(const ch_driver *_Nonnull carrier, const ch_driver *_Nonnull thread);
// Waits until the system has removed the threads whose steps have ended or were abandoned.
void ch_await_ended_threads(ch_simulation *_Nonnull s);
// Ends the threads of the execution. None of their steps may be parked.
void ch_end_program_threads(ch_simulation *_Nonnull s);
// Runs `body` on a thread outside every simulation, and blocks until it is done. Returns false if no thread can be made.
bool ch_do_beside(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull argument);

// The initializer of a lazy global that is running: its code, and the task whose step runs it. `code` is 0 if none is running.
typedef struct {
  uintptr_t code;
  void *_Nullable task;
} ch_making;
ch_making ch_making_of(uintptr_t predicate);

#endif
#endif
