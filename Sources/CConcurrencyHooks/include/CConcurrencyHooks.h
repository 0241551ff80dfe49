// The only interface between the simulator and the Swift runtime, and between simulated code and libc.
//
// Everything here depends on one thread-local, `ch_current`: null means "this thread runs no simulation", and
// then every function behaves as if this library were not there.
#ifndef CCONCURRENCYHOOKS_H
#define CCONCURRENCYHOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CLocks.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define CH_SUPPORTED 1
#else
#define CH_SUPPORTED 0
#endif

typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} ch_executor;

// A lock or an atomic, and the first task that was observed to use it.
typedef struct {
  uintptr_t object;
  uint64_t task;
} ch_touch;

// A repeated action: the number of times, and the step that was running at the last check.
typedef struct {
  uint32_t count;
  uint64_t step;
} ch_rounds;

// The state that the hooks keep about one execution. Each execution begins with a fresh value.
typedef struct {
  uint64_t tag;                    // the upper 40 bits of every record word of this execution
  int64_t now;                     // virtual nanoseconds since the execution began
  uint64_t random;                 // state of the generator behind getrandom and its kin
  uint64_t seeded;                 // state of the one behind rand and its kin, which the program may seed
  char *_Nullable state_of_program; // the memory that the program has provided for such a state
  uint64_t clock_reads, random_reads;  // the number of times that simulated code asked for the time, and for randomness
  bool has_drawn;                  // it was decided which random numbers the program gets
  uint64_t first_task_id;          // tasks with a smaller ID existed before this execution
  ch_executor hop_target;          // the actual target of the job that is being enqueued on `hop`
  bool hop_is_put_off;             // that job stays where it is, and asks the program's executor from there
  bool hop_has_preference;         // it is for a default actor; a task executor of the program is to run it
  ch_executor hop_preference;      // that task executor
  bool prefers;                    // a task executor of the program has been observed
  void *_Nullable starting;        // the task that is being started and may prefer an executor of the program
  void *_Nullable adopted;         // the job that a creation in progress has enqueued
  bool creating;                   // an async let is being created; its enqueue is not an arrival yet
  bool deinitializing;             // an isolated deinitializer is being sent to its executor
  bool between_steps;              // no user code runs: every isolation check succeeds
  bool follows_dependencies;       // what steps share is reported
  bool overlaps;                   // steps are preemptible
  bool watches_sharing, shares;    // finds out if tasks share locks or atomics; true if they do
  bool follows_accesses;           // memory accesses are reported, and what orders them
  uint32_t touched_count;          // the number of such locks and atomics in `touched`
  ch_touch touched[8];             // each with the first task that used it
  ch_of_step of_step;
  bool uses_operations;            // the program uses operations of Foundation's
  bool gives_way;                  // it has released a lock that another step keeps losing to others
  int64_t read_at, spins_since;    // when the clock was last read, and since when a step keeps reading it
  uint32_t reads_there, spaced_reads;  // the number of reads since it last moved, and of reads at `spaced_at`
  int64_t spaced_at;               // the instant at which each read is a nanosecond later than the one before; or -1
  bool has_left;                   // work has escaped to a thread that runs no simulation
  ch_rounds yields, polls;         // with atomic steps: how often they have yielded, or used locks
  uint32_t waits;                  // the number of waits for something that never comes
} ch_execution;

static inline ch_execution ch_begin_execution(uint64_t tag, bool follows_dependencies, bool overlaps) {
  return (ch_execution){
      .tag = tag, .random = 0x5EED, .seeded = 1, .first_task_id = UINT64_MAX, .spaced_at = -1,
      .follows_dependencies = follows_dependencies, .overlaps = overlaps};
}

// The state that the hooks keep about the simulation that runs on this thread. There is one per simulation. Its
// scheduler owns it, and lives for as long as `ch_current` points at it.
typedef struct {
  void *_Nullable scheduler;       // Unmanaged<Scheduler>, unretained
  ch_executor hop;                 // our executor, which receives every hop
  ch_executor main;                // our executor, which stands in for the main actor's
  ch_execution execution;          // the execution in progress, or the last one
  const uint32_t *_Nullable phase; // the code that runs: a step or an action of the program, or the engine
  void *const _Nullable *_Nullable point_frame;  // the frame of the function at the preemption point
  uintptr_t point_object, tries;  // the lock or atomic that the step uses next, or only tries to take; 0 if unknown
  bool point_object_is_lock;
  struct ch_driver *_Nullable idle; // the threads that wait to drive it
  struct ch_thread *_Nullable threads;  // the threads that the program has made in this execution
  struct ch_run_loops *_Nullable run_loops;  // null before the execution uses one
  struct ch_cores *_Nullable cores;  // the cores that its threads run on; null until a second thread runs
  struct ch_weak_memory *_Nullable weak_memory;  // what loads of atomics may answer; null until an execution has weak memory
  struct ch_accesses *_Nullable accesses;  // the accesses to memory; null until they are followed
  struct ch_resumes *_Nullable resumes;  // the places where checked continuations were resumed; null before the first
} ch_simulation;

#define CH_PHASE_STEP 1
#define CH_PHASE_ACTION 3

#if CH_SUPPORTED

// `initial-exec`: one instruction to read it, and legal in executables and in libraries loaded at start.
extern _Thread_local ch_simulation *_Nullable ch_current __attribute__((tls_model("initial-exec")));

// Marks functions that an ending thread may call after the thread sanitizer has forgotten it.
#define CH_AT_THREAD_END __attribute__((disable_sanitizer_instrumentation))
static inline CH_AT_THREAD_END ch_simulation *_Nullable ch_get_current(void) { return ch_current; }
static inline CH_AT_THREAD_END void ch_set_current(ch_simulation *_Nullable simulation) { ch_current = simulation; }

// MARK: the runtime's own entry points

__attribute__((swiftcall)) extern void *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall)) extern ch_executor swift_task_getCurrentExecutor(void);
__attribute__((swiftcall)) extern void swift_task_cancel(void *_Nonnull task);
__attribute__((swiftcall)) extern uint64_t swift_task_getJobTaskId(void *_Nonnull task);
__attribute__((swiftcall)) extern size_t swift_task_currentPriority(void *_Nonnull task);
extern void *_Nullable swift_retain(void *_Nullable object);
extern void swift_release(void *_Nullable object);
extern size_t swift_retainCount(void *_Nullable object);

// The runtime's own function. The program's calls of it come to ours instead.
typedef __attribute__((swiftcall)) void ch_run_function(void *_Nonnull, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
extern ch_run_function *_Nonnull ch_run_on_executors;

static inline void ch_run_job(void *_Nonnull job, ch_executor executor) {
  ch_run_on_executors(job, executor.identity, executor.implementation, 0, 0);
}
// A default actor may be released by its own last step; it must not be freed while it is "running".
static inline void ch_run_job_on_actor(void *_Nonnull job, uintptr_t actor) {
  swift_retain((void *)actor);
  ch_run_on_executors(job, actor, 0, 0, 0);
  swift_release((void *)actor);
}
static inline void *_Nullable ch_current_task(void) { return swift_task_getCurrent(); }
static inline ch_executor ch_current_executor(void) { return swift_task_getCurrentExecutor(); }
static inline void ch_cancel(void *_Nonnull task) { swift_task_cancel(task); }
// Returns true if the task is cancelled, without notifying the simulation of the question.
bool ch_is_cancelled(void *_Nonnull task);
// Notifies the simulation that this task is about to be cancelled, if it wants to know.
void ch_cancels(void *_Nonnull task);
static inline uint64_t ch_task_id(void *_Nonnull task) { return swift_task_getJobTaskId(task); }

// MARK: layout of a job and a task (Swift 6.3, 64 bit); the self-test checks each at the first simulation

#define CH_JOB_FLAGS 0x20
#define CH_JOB_RECORD 0x30
#define CH_JOB_RESUME 0x38
#define CH_TASK_CONTEXT 0x40
#define CH_TASK_DEPENDENCY 0xa0
#define CH_WAIT_OBJECT 0x10    // in the record of a task's wait: the task or group that it waits for
#define CH_WAIT_KIND 0x20
#define CH_WAIT_FOR_GROUP 3
#define CH_CHILD (1u << 24)        // a flag of a task that is part of another: an `async let`, a child of a group
#define CH_GROUP_CHILD (1u << 26)  // a flag of a task
#define CH_DRAIN_ACTOR 64
#define CH_KIND_TASK 0
#define CH_KIND_DRAIN 193
#define CH_KIND_YIELD 195      // resumes the continuation that its last word names, and does nothing else
#define CH_YIELD_TASK 72

static inline uint64_t ch_word(const void *_Nonnull object, size_t offset) {
  return *(const uint64_t *)((const char *)object + offset);
}
static inline uint64_t ch_job_record(const void *_Nonnull job) { return ch_word(job, CH_JOB_RECORD); }
static inline void ch_job_set_record(void *_Nonnull job, uint64_t record) {
  *(uint64_t *)((char *)job + CH_JOB_RECORD) = record;
}
static inline uint8_t ch_job_kind(const void *_Nonnull job) {
  return *(const uint8_t *)((const char *)job + CH_JOB_FLAGS);
}
static inline uint8_t ch_job_priority(const void *_Nonnull job) {
  return *((const uint8_t *)job + CH_JOB_FLAGS + 1);
}
static inline void ch_job_set_priority(void *_Nonnull job, uint8_t priority) {
  *((uint8_t *)job + CH_JOB_FLAGS + 1) = priority;
}
static inline bool ch_is_group_child(const void *_Nonnull task) {
  return (ch_word(task, CH_JOB_FLAGS) & CH_GROUP_CHILD) != 0;
}
static inline bool ch_is_child(const void *_Nonnull task) {
  return (ch_word(task, CH_JOB_FLAGS) & CH_CHILD) != 0;
}
static inline uintptr_t ch_job_resume(const void *_Nonnull job) { return ch_word(job, CH_JOB_RESUME); }

// A record word: 16 bits of magic, 8 bits of simulation, 16 bits of execution, 24 bits of task.
#define CH_RECORD_MAGIC 0x5AC1ull
static inline bool ch_record_is_ours(uint64_t record) { return record >> 48 == CH_RECORD_MAGIC; }
static inline uint64_t ch_make_tag(uint8_t slot, uint16_t execution) {
  return CH_RECORD_MAGIC << 48 | (uint64_t)slot << 40 | (uint64_t)execution << 24;
}
static inline uint64_t ch_tag_of(uint64_t record) { return record & ~0xffffffull; }
static inline uint32_t ch_index_of(uint64_t record) { return (uint32_t)(record & 0xffffff); }
static inline uint8_t ch_slot_of(uint64_t record) { return (uint8_t)(record >> 40); }

// Returns true if a job that is enqueued on this thread belongs to the simulation. Tasks that existed before the execution
// belong to others, even if simulated code resumes them.
static inline bool ch_belongs(const ch_simulation *_Nonnull s, void *_Nonnull job) {
  uint64_t record = ch_job_record(job);
  if (ch_record_is_ours(record)) return ch_tag_of(record) == s->execution.tag;
  return ch_job_kind(job) != CH_KIND_TASK || swift_task_getJobTaskId(job) >= s->execution.first_task_id;
}

// Returns the group if the suspended task waits for all of a group's children, one after another, inside the library; else
// returns 0.
uintptr_t ch_group_awaited(const void *_Nonnull task);
// Learns from a task that waits for all children how to tell this wait from a wait for one child.
void ch_learn_group_awaited(const void *_Nonnull task);

// MARK: installed hooks, for the self-test

typedef struct {
  bool hooks_found, originals_found;  // every hook variable, and the original of every replaced function, was found
  bool clock_interposed;    // libswift_Concurrency's clock reads come here
  bool prepared;            // the default executor was installed before main
  uint32_t hash_seed; bool hash_seed_is_bad;  // the seed of hashing, from the environment
  const char *_Nonnull missing;  // the first name that was not found, or ""
} ch_installation;
ch_installation ch_get_installation(void);

// Returns true if atomics and memory accesses are reported: the program was compiled with `-Xfrontend -sanitize=thread`.
bool ch_is_instrumented(void);
// Returns true if a step can be preempted before it takes a free `Mutex`.
bool ch_follows_mutexes(void);

// MARK: escapes

// Runs `body`. Returns false if a step in it ended early, for example because it would wait forever for another thread.
bool ch_run_until_left(ch_simulation *_Nonnull s, void (*_Nonnull body)(void *_Nonnull), void *_Nonnull argument);

// Returns true if the program's calls of this function come here.
bool ch_is_answered(const char *_Nonnull name);

// MARK: continuations

// Reports from now on when a checked continuation is dropped without being resumed. `checked` is an example, of this task.
// Returns false if it has another shape.
bool ch_watch_checked(void *_Nonnull checked, void *_Nonnull task);

// Frees the records of where continuations were resumed.
void ch_forget_resumes(ch_simulation *_Nonnull s);

// MARK: threads and sources beside the simulations

// Returns true if there are event sources, or threads that neither the simulator nor a system library has started.
bool ch_others_live(void);

// One of those threads, an event source, or a block that runs on a thread of Dispatch.
enum { CH_MOST_MAKERS = 32, CH_BESIDE_THREAD = 0, CH_BESIDE_SOURCE, CH_BESIDE_BLOCK };
typedef struct {
  uint8_t kind;
  char name[16];
  const char *_Nullable waits_in;  // what it waits in, worded for the middle of a sentence; null if unknown
  int32_t maker_count;
  uintptr_t makers[CH_MOST_MAKERS];  // return addresses, from the code that made it outwards
} ch_thread_beside;

// Returns the number of them that only the original of this process has, and not this copy. Writes the first `most`.
int ch_lost_threads(ch_thread_beside *_Nullable to, int most);
// Returns true if the calling thread is one of them, and describes it.
bool ch_this_thread(ch_thread_beside *_Nonnull to);
// Sets whether the threads that this one starts from now on belong to the simulator.
void ch_starts_own_thread(bool own);

// MARK: the simulator's own locks, which a thread sanitizer sees but no simulation does

void *_Nonnull ch_make_lock(void);
void ch_free_lock(void *_Nonnull lock);
void ch_lock(void *_Nonnull lock);
void ch_unlock(void *_Nonnull lock);

// MARK: streams and memory

// Learns how to tell a stream's lock from others, by observing `use_a_stream`, which uses a stream on this thread. Returns
// false if that shows nothing.
bool ch_learn_stream_lock(void (*_Nonnull use_a_stream)(void));

// MARK: real time, independent of the simulation

int64_t ch_real_nanoseconds(void);
// Lets other threads run for a fifth of a millisecond.
void ch_pause(void);

// Advances a random generator by one step (SplitMix64). Shared by the libc stand-ins and the scheduler's reseeding.
static inline uint64_t ch_next_random(uint64_t *_Nonnull state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

#endif
#include "CAccesses.h"
#include "CCode.h"
#include "CEngine.h"
#include "CPrefetch.h"
#include "CSessions.h"
#endif
