// What the files share that stand before the calls by which work leaves a simulation, and no other file sees.
#ifndef CH_EXITS_H
#define CH_EXITS_H

#include <semaphore.h>
#include <sys/types.h>
#include <time.h>

#include "Hooks.h"

#if CH_SUPPORTED
// The simulation of this thread while a step or an action of the program runs; else null, and the call goes on unchanged.
static inline CH_AT_THREAD_END ch_simulation *ch_in_program(void) {
  ch_simulation *s = ch_current;
  if (!s || !s->phase || s->execution.between_steps) return NULL;
  uint32_t phase = *s->phase;
  return phase == CH_PHASE_STEP || phase == CH_PHASE_ACTION ? s : NULL;
}

// Notes that `name` was called, whose frame this is. False where the caller is the runtime itself, which leaves only on
// behalf of others: that call goes on unchanged.
bool ch_leaves(ch_simulation *s, const char *name, void *const *frame);

// Whether Foundation's `Process` sets up what it needs once in a process's life.
bool ch_sets_up_process(void *const *frame);

// The file of the library that holds the address, without its folder; "" when nothing does.
const char *ch_library_of(const void *address);

enum { CH_MOST_CALLERS = 32 };
typedef struct {
  void *addresses[CH_MOST_CALLERS];
  int count;
} ch_callers;

// Return addresses from the caller of the function with this frame outwards, to where the runtime began the step, and then
// where the asynchronous callers go on, each with one byte added as a return address would have it.
void ch_find_callers(void *const *frame, ch_callers *to);
// The same, without those that wait for the step.
void ch_find_callers_in_step(void *const *frame, ch_callers *to);

// The latter alone, for an asynchronous function with this context.
void ch_find_asynchronous_callers(void *const *context, ch_callers *to);

// Notes that `name` was called, by these.
void ch_left(ch_simulation *s, const char *name, const ch_callers *callers);

// Starts a thread by `create` and counts it among what lives beside the simulations, unless it is one of those that do
// not count: who starts it tells `frame`, of the function that is called for it.
typedef int ch_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int ch_create_thread(ch_create *create, pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                     void *argument, void *const *frame);

// A source of events has been made that is no simulation's.
void ch_source_created(const void *source, void *const *frame);
void ch_source_cancelled(const void *source);
// A block that the program hands to Dispatch outside of simulations; null where it is not one of the program's, or there are too
// many. It begins and ends on a thread of Dispatch.
void *ch_block_handed_over(void *const *frame);
void ch_block_begins(void *block);
void ch_block_ended(void *block);

// Whether there are threads beside the simulations that this process, a copy, does not have, and none that it has.
bool ch_has_only_lost_threads(void);

// Whether it is the runtime's or the C library's: they leave for others, whose own call has been seen or is no concern of
// ours.
bool ch_is_runtime(const void *address);

// Ends the step here, as one that waits for ever does. What its frames hold on to is never freed.
void ch_leave_step(ch_simulation *s) __attribute__((noreturn));

// The program asks for the time since `epoch`.
int64_t ch_reads_clock(ch_simulation *s, int64_t epoch);
// What the system answers, to the simulator itself.
int ch_real_time(clockid_t clock, struct timespec *out);
int ch_real_core(void);
pid_t ch_own_group(void);

enum { ch_pid_of_program = 4194304 };  // above all that Linux gives away: no process has it

// What becomes of a system call by which a program sends a signal.
typedef enum { CH_SENDS_NOTHING, CH_SENDS_ITSELF, CH_SENDS_OTHERS } ch_sending;
ch_sending ch_sends(long call, long words[6], void *const *frame);
// A program has sent itself a signal.
void ch_has_sent(void);

// Random bytes of the execution's own.
void ch_fill_at_random(ch_simulation *s, void *buffer, size_t count);

// A wait that will not be answered. Ends the step if it has done nothing else for long.
void ch_waits_in_vain(ch_simulation *s);
void ch_waits_in_vain_for(ch_simulation *s, int64_t nanoseconds);

// Where steps may overlap, a step's wait for a signal or a post hands over: false where it does not, else `error` is
// what the call answers. Of the function with this frame; `until` is null for a wait that time does not end.
bool ch_waits_for_signal(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until,
                         void *const *frame, int *error);
// Sleeps so many virtual nanoseconds while others run. False where steps are whole.
bool ch_sleeps(int64_t nanoseconds, void *const *frame);
// The step lets all others go first that can run. False where steps are whole.
bool ch_yields(void *const *frame);
// The thread does, whatever the simulation says.
void ch_yield_for_real(void);
// The step reads a descriptor, and ends where that would block.
void ch_reads_descriptor(int file, const char *name, void *const *frame);
// The same as `ch_sleeps`, whoever calls: for a step that asks for the time until it has come.
bool ch_passes_time(ch_simulation *s, int64_t nanoseconds, void *const *frame);
bool ch_waits_for_post(sem_t *semaphore, const struct timespec *until, void *const *frame, int *error);

// A run loop waits for descriptors, as `ppoll` does. False where it is none, or where steps are whole.
struct pollfd;
bool ch_waits_in_run_loop(ch_simulation *s, struct pollfd *descriptors, unsigned long count, const struct timespec *time,
                          void *const *frame, int *ready);

// The code on this thread is on no queue any more: its step has been left.
void ch_forget_queues(void);
// Where the runtime keeps the task of this thread, which is `task`; null where that is not known.
void **ch_word_of_current_task(void *task);
// A step waits for a semaphore or a group of Dispatch; another has signaled or left it.
void ch_waits_for_dispatch(ch_simulation *s, void *object, int64_t until, void *const *frame);
void ch_frees(void *object, void *const *frame);
// The step is about to take what may be a lock: others may do so before it.
void ch_takes_in_turn(ch_simulation *s, void *object, void *const *frame);

// What stands behind ours: a sanitizer's function or the library's. Remembered in `cache`.
void *ch_real(void *_Atomic *cache, const char *name);

// Whether the call that we are in leaves the simulation `s`, which it declares.
#define CH_FRAME ((void *const *)__builtin_frame_address(0))
#define CH_LEAVES(s, name) (((s) = ch_in_program()) && ch_leaves((s), name, CH_FRAME))

#define CH_REAL(name) ((__typeof__(&name))ch_real(&real_##name, #name))
#define CH_BEHIND(name) static void *_Atomic real_##name

#endif
#endif
