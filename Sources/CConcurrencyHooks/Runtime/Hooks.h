// Declarations for the files that hook into the runtime, and for no other file.
#ifndef CH_HOOKS_H
#define CH_HOOKS_H

#include <pthread.h>
#include <sys/types.h>

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED
#define SWIFTCC __attribute__((swiftcall))

// These ask the system directly, for the simulator: for a program in a step, the C library's functions may be replaced.
long ch_system_call(long number, ...);
pid_t ch_own_pid(void);

static const int64_t ch_monotonic_epoch = (int64_t)86400 * 1000000000;       // the machine has been up for a day
static const int64_t ch_calendar_epoch = (int64_t)1767225600 * 1000000000;   // 2026-01-01T00:00:00Z

// By how many nanoseconds the monotonic clock seems to be late to this thread, while Foundation sets a timer.
extern _Thread_local int64_t ch_clock_lag __attribute__((tls_model("initial-exec")));

// Returns the function of this name that ours shadows. Notes it as missing if there is none.
void *ch_behind_us(const char *name);
// Sets a hook variable of the runtime. Notes it as missing if there is none.
void ch_set_hook(const char *name, void *hook);

// Makes a record of an asynchronous function that shadows one of the library's, of which callers read where the function is, and the
// size of its context. The size is copied from the library's record when the hooks are installed.
#define CH_RECORD(name, symbol)                                                                          \
  extern int32_t record_##name[2];                                                                       \
  __asm__(".section .data\n.balign 4\n.globl \"" symbol "Tu\"\n\"" symbol "Tu\":\nrecord_" #name ":\n"   \
          ".long \"" symbol "\" - .\n.long 0\n.text\n");

static inline bool ch_runs_on(uintptr_t identity) { return swift_task_getCurrentExecutor().identity == identity; }

// The group that a task is a child of.
typedef struct {
  uintptr_t address;  // 0 if it is in none
  bool discards;      // true if it discards its children's results
} ch_group;

// Reports a new task, watches for its end, and returns its record.
uint64_t ch_adopt(ch_simulation *s, void *task, void *context, ch_group group);

// Functions of Dispatch and Foundation, which have no header here.
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);
extern void *_CFRunLoopGet0(void *thread);
extern void *dispatch_get_global_queue(intptr_t priority, uintptr_t flags);
extern void dispatch_retain(void *object);
extern void dispatch_suspend(void *object);

struct link_map;
// Returns the executable or library that holds the address, or null if none does.
struct link_map *ch_image_with(const void *address);
// Redirects the calls that a library makes to an imported function.
void ch_redirect_imports(const struct link_map *library, const char *name, void *function);
// Makes a slot of such a table, or of a table of methods, lead to another function.
void ch_redirect(uintptr_t slot, void *function);

// Locks or unlocks without reporting it to the simulation.
int ch_lock_untold(pthread_mutex_t *lock);
int ch_unlock_untold(pthread_mutex_t *lock);

// Notes that the running step shares state in a way that the reduced search does not follow. `name` says how.
void ch_shares_unseen(const char *name);
// Notes that the running step uses a lock, a condition or a semaphore, or changes an atomic. With atomic steps, that is
// sharing that the search does not follow, reported as `name` unless that is null.
void ch_uses(uintptr_t object, const char *name);
// Notes that the running step reads an atomic.
void ch_reads(uintptr_t atomic);

// Notes that the running step frees an object, if `weak` or `unowned` references refer to it.
void ch_frees_object(const void *object);

// Returns true if this task executor is one of the program's, and not the pool's, and notes that.
bool ch_is_preferred(ch_simulation *s, uintptr_t executor);
// Returns true if this is a serial executor that the program has written.
static inline bool ch_is_users(const ch_simulation *s, uintptr_t identity, uintptr_t implementation) {
  return implementation && identity != s->main.identity && identity != s->hop.identity;
}
// Returns true if the running task, which goes to this executor, must be given to one of the program's executors.
bool ch_asks_program(const ch_simulation *s, uintptr_t identity, uintptr_t implementation);
// Notes that no executor's code runs a job on this thread anymore, because its step has been abandoned.
void ch_forget_runs(void);
bool ch_runs_within(void);
void ch_install_executors(void);

// The number of things that this thread is making once, each nested in the one before: see `Once.c`.
extern _Thread_local uint32_t ch_makes_once __attribute__((tls_model("initial-exec")));
// Notes that this thread makes none anymore, because its step has been abandoned.
void ch_forget_onces(void);

// The number of the simulator's own locks that this thread holds, plus, if steps are preemptible, of the things that it is
// making once.
extern _Thread_local uint32_t ch_untold_locks __attribute__((tls_model("initial-exec")));

static inline CH_AT_THREAD_END bool ch_in_step(const ch_simulation *s) {
  return s->phase && *s->phase == CH_PHASE_STEP && !s->execution.between_steps;
}

// Returns true if the simulation follows what the code on this thread does with locks and atomics.
static inline CH_AT_THREAD_END bool ch_is_followed(const ch_simulation *s) { return s && s->execution.overlaps && ch_in_step(s); }

// Notes, with atomic steps, that the running step uses a lock, which it may do forever. `frame` is the caller's.
void ch_may_poll(ch_simulation *s, void *const *frame);
// Notes that the running step uses a lock or an atomic: see `ch_touches`.
void ch_is_touched(uintptr_t object);
// Notes that the running step touches something that other steps may touch between two of its statements, and that is no lock:
// see `Meetings`.
void ch_meets(uintptr_t object, ch_side side);
// Notes that the running step is about to cancel a child of its task.
void ch_cancels_child(void *task);
// Notes that the running step is about to ask something about an object, in the function with this frame, and that the step is
// about to change the answer. Others may come before each of the two, if the step has done something that they can see, and
// after it.
void ch_asks_about(uintptr_t object, void *const *frame);
void ch_changes_answer(uintptr_t object, void *const *frame);

// These note that the running step has taken a lock, or released it. `frame` is that of the function that the program has
// called, and null if a library takes the lock for itself.
void ch_took(ch_simulation *s, uintptr_t lock, ch_lock_kind kind, void *const *frame);
// Offers a preemption point to a step that has taken this lock, if a parked step is about to try to take it.
void ch_may_be_caught_with(ch_simulation *s, uintptr_t lock, void *const *frame);
// Offers a preemption point to a step that is about to try to take a lock, and goes on if it can't.
void ch_tries(ch_simulation *s, const void *lock, void *const *frame);
// Notes that the try has failed, and offers a preemption point: what comes next may come after anything that the holder does.
void ch_has_missed(ch_simulation *s, const void *lock, void *const *frame);
ch_lock_kind ch_opened(ch_simulation *s, uintptr_t lock);

// Notes that the program's code is about to access memory. It calls the function with this frame from `place`.
void ch_accesses_memory(uintptr_t address, size_t size, bool writes, uintptr_t place, void *const *frame);
// Returns true if the address is on the stack of this thread, which no other thread accesses.
bool ch_is_on_stack(uintptr_t address);
// Does the same for a value, whose accesses Swift also reports in the simulator's own code.
void ch_accesses_value(uintptr_t address, bool writes, uintptr_t place, void *const *frame);
// These order tasks: what the running task has done before a release happens before what another does after it acquires the
// same object.
void ch_releases_object(uintptr_t object);
void ch_acquires_object(uintptr_t object);

// Offers a preemption point: the running step has made others runnable, and they may run before it goes on.
void ch_preemption_point(ch_simulation *s, void *const *frame);
// Does the same after an unlock or a signal, unless the running step holds another lock.
static inline void ch_preemption_point_without_locks(ch_simulation *s, void *const *frame) {
  if (s->execution.overlaps && !s->execution.of_step.locks_held) ch_preemption_point(s, frame);
}
// Returns true if the running step has done something since the last preemption point that others may have seen, or that has
// made them runnable.
static inline bool ch_has_acted(const ch_simulation *s) { return s->execution.of_step.has_acted || s->execution.of_step.has_freed; }
// Notes that the running step has got an answer that others may make false before its next act.
static inline void ch_has_looked(ch_simulation *s) { if (ch_is_followed(s)) s->execution.of_step.has_acted = true; }
// Offers a preemption point if the running step has made something runnable since the last one.
static inline void ch_preemption_point_if_freed(ch_simulation *s, void *const *frame) {
  if (s->execution.of_step.has_freed) ch_preemption_point_without_locks(s, frame);
}
// Offers a preemption point before an act that others may see at once, such as a cancel, if the step has used an atomic or a
// `Mutex`: they may see that first.
static inline __attribute__((always_inline)) void ch_before_a_visible_act(void) {
  ch_simulation *s = ch_current;
  if (s && s->execution.of_step.has_acted && ch_is_followed(s))
    ch_preemption_point_without_locks(s, (void *const *)__builtin_frame_address(0));
}
// Notes that the running step has released a lock, when steps are preemptible. A lock of Foundation's own is no preemption
// point, but a step that goes around in a loop with it is preempted at times.
void ch_has_opened(ch_simulation *s, bool is_of_program, void *const *frame);
// Offers a preemption point in a function that shadows one of the runtime's: a step is parked in that function's frame.
static inline __attribute__((always_inline)) void ch_set_free(ch_simulation *s) {
  if (!s->execution.overlaps) return;
  // The scheduler also creates tasks, for what the program waits for afterward in the outer frame.
  void *const *outer = s->point_frame;
  ch_preemption_point(s, (void *const *)__builtin_frame_address(0));
  s->point_frame = outer;
}

// These take, try to take, and release a lock of the program or a library. A step that has to wait for a parked step lets it
// go on. `frame` is null if a library takes the lock for itself.
int ch_take(pthread_mutex_t *lock, ch_lock_kind kind, void *const *frame);
int ch_try(pthread_mutex_t *lock, ch_lock_kind kind, void *const *frame);
// Returns true if the calling thread holds the lock, and the lock reports that, instead of letting the thread wait for itself.
bool ch_tells_its_holder(const pthread_mutex_t *lock);
// Returns true if it holds the read-write lock for writing, which the library reports likewise.
bool ch_tells_its_writer(const pthread_rwlock_t *lock);
// Returns what kind of lock of Foundation's this is, if the program takes it; Foundation takes many for itself.
ch_lock_kind ch_kind_in_foundation(const pthread_mutex_t *lock, bool is_of_program);
// Returns the kind as which the lock was taken.
ch_lock_kind ch_open(pthread_mutex_t *lock, int *error);

// These unlock a `Mutex` and a read-write lock whose holder never does.
void ch_free_mutex(uintptr_t mutex);
void ch_reset_read_write_lock(uintptr_t lock);

// Returns true if the program has called the function with this frame, and not Foundation for its own purposes.
bool ch_is_of_program(const void *caller, void *const *frame);
// Does the same, even if the caller is the runtime.
bool ch_is_call_of_program(const void *caller, void *const *frame);
// Returns true if the code is Foundation's.
bool ch_is_of_foundation(const void *code);
// Returns the address that the caller of the function with this frame returns to; NULL if the caller keeps no frames.
const void *ch_caller_above(void *const *frame);

// Notes that Foundation is about to take a lock, and has released one, in the function with this frame and caller: perhaps for a
// method that the program has called, of an object that is safe to use from any thread.
void ch_locks_for_safe_call(uintptr_t lock, const void *caller, void *const *frame);
void ch_unlocked_for_safe_call(const void *caller, void *const *frame);
void ch_find_safe_methods(const struct link_map *foundation);
// Finds Foundation, for the functions above; NULL if it is not loaded.
const struct link_map *ch_find_foundation(void);
// Notes that the function with this frame is about to take a lock, or something that may be one. A step that holds a lock may
// be preempted before it takes another.
void ch_takes_another(const void *lock, void *const *frame);
void ch_takes(ch_simulation *s, const void *lock, void *const *frame);

// Each installs the hooks of one subject. They are called once, before `main`.
void ch_install_jobs(void);
void ch_install_isolation(void);
void ch_install_tasks(void);
void ch_install_continuations(void);
void ch_install_resumes(void);
void ch_install_actors(void);

#endif
#endif
