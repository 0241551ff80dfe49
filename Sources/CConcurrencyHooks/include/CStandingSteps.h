// Steps that are left in their middle, what makes that needed, and the locks that they wait for.
#ifndef CH_STANDING_STEPS_H
#define CH_STANDING_STEPS_H

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED

// MARK: what tasks share, where steps are whole

// Whether the program uses a `Mutex` at all, as far as the symbols of its executable tell.
bool ch_uses_mutexes(void);
// Between these, was a `Mutex` used on this thread?
void ch_forget_thread_number(void);
bool ch_has_asked_thread_number(void);
// `task` uses a lock or an atomic; `shares` says from then on whether another one has used it before.
void ch_touches(ch_simulation *_Nonnull s, uintptr_t object, uint64_t task);

// MARK: steps that stand
//
// A thread that runs a simulation, or has a step on its stack that stands.
typedef struct ch_baton ch_baton;

// That of the calling thread.
ch_baton *_Nonnull ch_own_baton(void);
// Whether the system, or a `Mutex`, knows the thread by this number.
bool ch_is_thread(const ch_baton *_Nonnull baton, uint32_t number);
// Whether there is another thread, or can be, that drives the simulation meanwhile.
bool ch_can_stand(ch_simulation *_Nonnull s);
// Lets another thread drive the simulation until the step on the stack of the calling one is to go on.
void ch_stand(ch_simulation *_Nonnull s);
// The places in code from which the step came to where it may be left, the innermost first; at most `room`. How many.
size_t ch_callers_of_step(const ch_simulation *_Nonnull s, uintptr_t *_Nonnull found, size_t room);
// The same of the caller, wherever it is.
size_t ch_callers_of_here(uintptr_t *_Nonnull found, size_t room);
// The calling thread has driven for as long as it should; `to` goes on, or leaves the step in which it stands.
void ch_hand_over(ch_baton *_Nonnull to, bool leaves_step);
// Lets `to` go on, and waits until the execution is over.
void ch_pass(ch_baton *_Nonnull to);
// Lets the thread leave the step in which it stands, and waits for it.
void ch_leave_standing(ch_baton *_Nonnull standing);
// Opens a lock, or a `Mutex`, that a step on the stack of the calling thread had taken before it was left for good.
void ch_open_abandoned(uintptr_t lock);
void ch_open_abandoned_mutex(uintptr_t mutex);
// How many threads this process has made for simulations, and how many of them it has ended. Between executions they wait and
// hold nothing. Simulations of other threads make and end theirs meanwhile: what was made before a moment less what was
// ended after it is at most what there was at that moment.
uint32_t ch_threads_made(void);
uint32_t ch_threads_ended(void);
// What a program finds open and is to leave alone: this descriptor, or all that are open now.
void ch_keep_descriptor(int descriptor);
void ch_keep_open_descriptors(void);
// Whether a program has tried to close one of them since.
bool ch_has_met_kept_descriptors(void);
// Ends the threads that wait to drive.
void ch_end_threads(ch_simulation *_Nonnull s);


// MARK: threads that the program makes
//
typedef struct ch_thread ch_thread;
// Whether `carrier` waits for `thread`, which does its step.
bool ch_carries(const ch_baton *_Nonnull carrier, const ch_baton *_Nonnull thread);
// Waits until the system has forgotten those whose steps have ended or have been left.
void ch_await_ended_threads(ch_simulation *_Nonnull s);
// Ends those of the execution; no step of theirs stands any more.
void ch_end_program_threads(ch_simulation *_Nonnull s);
// Does `body` on a thread that belongs to no simulation, while this one waits for real. False where there is no room for one.
bool ch_do_beside(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull argument);

// What a step waits for that stands, beside a lock that one other holds.
enum { CH_WAITS_FOR_SIGNAL, CH_WAITS_FOR_POST, CH_WAITS_TO_READ, CH_WAITS_TO_WRITE, CH_WAITS_FOR_TIME, CH_WAITS_FOR_THREAD, CH_WAITS_AT_BARRIER, CH_WAITS_FOR_ONCE };
// What is made once, and is being made: by which code, and in a step of which task. The code is 0 where it is not.
typedef struct {
  uintptr_t code;
  void *_Nullable task;
} ch_making;
ch_making ch_making_of(uintptr_t predicate);
// How the program holds a lock; 0 where it is not known to.
enum { CH_HELD_MUTEX = 1, CH_HELD_NSLOCK, CH_HELD_NSRECURSIVELOCK, CH_HELD_FOR_READING, CH_HELD_FOR_WRITING };
// Opens a read-write lock that a step had taken before it was left for good.
void ch_open_abandoned_read_write_lock(uintptr_t lock);

#endif
#endif
