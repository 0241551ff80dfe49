// Declarations for the files that intercept the calls by which work escapes a simulation, and for no other file.
#ifndef CH_EXITS_H
#define CH_EXITS_H

#include <semaphore.h>
#include <sys/types.h>
#include <time.h>

#include "Hooks.h"

#if CH_SUPPORTED
// Returns the simulation of this thread while a step or an action of the program runs. Otherwise returns null, and the call
// goes through unchanged.
static inline CH_AT_THREAD_END ch_simulation *ch_in_program(void) {
  ch_simulation *s = ch_current;
  if (!s || !s->phase || s->execution.between_steps) return NULL;
  uint32_t phase = *s->phase;
  return phase == CH_PHASE_STEP || phase == CH_PHASE_ACTION ? s : NULL;
}

// Notes a call of `name`, the function with this frame. Returns false if the caller is the runtime itself, which escapes only
// on behalf of others: that call goes through unchanged.
bool ch_leaves(ch_simulation *s, const char *name, void *const *frame);

// Returns true if Foundation's `Process` is setting up what it needs once in a process's life.
bool ch_sets_up_process(void *const *frame);

// Returns the file of the library that holds the address, without its folder, or "" if none does.
const char *ch_library_of(const void *address);

enum { CH_MOST_CALLERS = 32 };
typedef struct {
  void *addresses[CH_MOST_CALLERS];
  int count;
} ch_callers;

// Finds the return addresses from the caller of the function with this frame outward, to where the runtime began the step.
// Then finds the addresses at which the asynchronous callers resume, each with one byte added as a return address would have
// it.
void ch_find_callers(void *const *frame, ch_callers *to);
// Does the same, without the asynchronous callers, which wait for the step.
void ch_find_callers_in_step(void *const *frame, ch_callers *to);

// Finds only the asynchronous callers, of an asynchronous function with this context.
void ch_find_asynchronous_callers(void *const *context, ch_callers *to);

// Notes that `name` was called by these callers.
void ch_left(ch_simulation *s, const char *name, const ch_callers *callers);

// Starts a thread by `create` and counts it among the threads beside the simulations, unless its creator's threads do not
// count. `frame` identifies the creator: it is that of the function that was called to start the thread.
typedef int ch_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int ch_create_thread(ch_create *create, pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                     void *argument, void *const *frame);

// Notes a new source of events that belongs to no simulation, and the end of one.
void ch_source_created(const void *source, void *const *frame);
void ch_source_cancelled(const void *source);
// Notes a block that the program hands to Dispatch outside of simulations. Returns null if the block is not the program's, or
// if there are too many. The block begins and ends on a thread of Dispatch.
void *ch_block_handed_over(void *const *frame);
void ch_block_begins(void *block);
void ch_block_ended(void *block);

// Returns true if there are threads beside the simulations, but all of them are lost: this process, a copy, has none of them.
bool ch_has_only_lost_threads(void);

// Returns true if the code is in the runtime or the C library. These escape on behalf of others, whose own call has been
// observed or does not matter.
bool ch_is_runtime(const void *address);
// Returns true if the code or data is in one of Foundation's libraries.
bool ch_is_foundation(const void *address);

// Ends the step here, like a step that waits forever. What its frames hold is never freed.
void ch_leave_step(ch_simulation *s) __attribute__((noreturn));

// Reads the clock for the program. Returns the time on a clock that showed `epoch` when the execution began.
int64_t ch_reads_clock(ch_simulation *s, int64_t epoch);
// These return the system's real values, for the simulator itself.
int ch_real_time(clockid_t clock, struct timespec *out);
int ch_real_core(void);
pid_t ch_own_group(void);

enum { ch_pid_of_program = 4194304 };  // above all numbers that Linux assigns, so no process has it

// The signal that a system call sends: one to the program itself, one to others, which must not be forwarded, or none that
// matters.
typedef enum { CH_SENDS_NOTHING, CH_SENDS_ITSELF, CH_SENDS_OTHERS } ch_sending;
ch_sending ch_sends(long call, long words[6], void *const *frame);
// Lets a signal arrive that the program has just sent itself, even if Dispatch blocks it.
void ch_has_sent(void);

// Fills the buffer with random bytes of the execution's own, for the function with this frame.
void ch_fill_at_random(ch_simulation *s, void *buffer, size_t count, void *const *frame);

// Notes a wait that nothing will end. Ends the step if it has done nothing else for long.
void ch_waits_in_vain(ch_simulation *s);
void ch_waits_in_vain_for(ch_simulation *s, int64_t nanoseconds);

// Blocks a preemptible step until a signal or a post. Returns false if the step cannot block; otherwise sets `error` to the
// result of the call. `frame` is that of the called function. `until` is null for a wait without a timeout.
bool ch_waits_for_signal(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until,
                         void *const *frame, int *error);
// Returns the virtual instant of a time on a clock; INT64_MAX if there is none, or it is more than two centuries away.
int64_t ch_instant(clockid_t clock, const struct timespec *time);
// Sleeps for this many virtual nanoseconds while others run. Returns false if steps are atomic.
bool ch_sleeps(int64_t nanoseconds, void *const *frame);
// Lets all other runnable steps go before the running one. Returns false if steps are atomic.
bool ch_yields(void *const *frame);
// Yields the real thread, regardless of the simulation.
void ch_yield_for_real(void);
// Ends the step if reading the descriptor would block.
void ch_reads_descriptor(int file, const char *name, void *const *frame);
// Does the same as `ch_sleeps` for any caller: for a step that keeps asking for the time until it has come.
bool ch_passes_time(ch_simulation *s, int64_t nanoseconds, void *const *frame);
bool ch_waits_for_post(sem_t *semaphore, const struct timespec *until, void *const *frame, int *error);

// Waits in a run loop for descriptors, as `ppoll` does. Returns false if the caller is no run loop, or if steps are atomic.
struct pollfd;
bool ch_waits_in_run_loop(ch_simulation *s, struct pollfd *descriptors, unsigned long count, const struct timespec *time,
                          void *const *frame, int *ready);

// Forgets the queues that the code on this thread was on, because its step has been abandoned.
void ch_forget_queues(void);
// Returns the place where the runtime keeps this thread's task, which is `task`, or null if it is unknown.
void **ch_word_of_current_task(void *task);
// Blocks a step on a semaphore or a group of Dispatch. `ch_frees` wakes such steps when another has signaled or left it.
void ch_waits_for_dispatch(ch_simulation *s, ch_wait_subject subject, void *object, int64_t until, void *const *frame);
void ch_frees(void *object, void *const *frame);
// Notes that the step is about to take what may be a lock, or only tries to. Others may take it first.
void ch_takes_in_turn(ch_simulation *s, void *object, bool only_tries, void *const *frame);

// Returns the function that ours shadows, which is a sanitizer's or the library's, and keeps it in `cache`.
void *ch_real(void *_Atomic *cache, const char *name);

// `CH_LEAVES` is true if the current call escapes the simulation. It sets `s` to that simulation.
#define CH_FRAME ((void *const *)__builtin_frame_address(0))
#define CH_LEAVES(s, name) (((s) = ch_in_program()) && ch_leaves((s), name, CH_FRAME))

#define CH_REAL(name) ((__typeof__(&name))ch_real(&real_##name, #name))
#define CH_BEHIND(name) static void *_Atomic real_##name

#endif
#endif
