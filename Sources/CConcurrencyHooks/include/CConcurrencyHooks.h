// The only door between the simulator and the Swift runtime, and between simulated code and libc.
//
// Everything here is keyed on one thread-local, `ch_current`: null means "this thread runs no simulation", and
// then every function behaves as if this library were not there.
#ifndef CCONCURRENCYHOOKS_H
#define CCONCURRENCYHOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define CH_SUPPORTED 1
#else
#define CH_SUPPORTED 0
#endif

typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} ch_executor;

// A lock or an atomic, and the task that was seen to use it first.
typedef struct {
  uintptr_t object;
  uint64_t task;
} ch_touch;

// What is done again and again, and the step that did it when it was looked at.
typedef struct {
  uint32_t count;
  uint64_t step;
} ch_rounds;

// What the hooks must know about one execution: a fresh value for each.
typedef struct {
  uint64_t tag;                    // the upper 40 bits of every record word of this execution
  int64_t now;                     // virtual nanoseconds since the execution began
  uint64_t random;                 // state of the generator behind getrandom and its kin
  uint64_t seeded;                 // state of the one behind rand and its kin, which the program may seed
  char *_Nullable state_of_program; // the memory that it has given for such a state
  uint64_t clock_reads;            // how often simulated code asked for the time
  uint64_t random_reads;           // how often simulated code asked for randomness
  uint64_t first_task_id;          // tasks with a smaller id were there before this execution
  ch_executor hop_target;          // where the job that is being enqueued on `hop` wants to go
  bool hop_is_put_off;             // it goes on where it is, and asks the program's executor there
  bool hop_has_preference;         // it is for a default actor, to be run by a task executor of the program's
  ch_executor hop_preference;      // by this one
  bool prefers;                    // a task executor of the program's has been met
  void *_Nullable starting;        // the task that begins, and may prefer an executor of the program's
  void *_Nullable adopted;         // the job that a creation in progress has enqueued
  bool creating;                   // an async let is being created; its enqueue is not an arrival yet
  bool deinitializing;             // an isolated deinitializer is being sent to its executor
  bool between_steps;              // no user code runs: isolation questions are answered with yes
  bool follows_dependencies;       // what steps have in common is to be told
  bool overlaps;                   // a step may be left in its middle
  bool watches_sharing, shares;    // it is to be found out whether tasks share locks or atomics; they do
  bool follows_accesses;           // accesses to memory are told, and what orders them
  uint32_t touched_count;          // how many objects of that kind have been touched
  ch_touch touched[8];             // by whom each was first
  uint32_t locks_held;             // how many locks the running step has taken that are known
  uint32_t mutexes_held;           // how many of its `Mutex`es the running step has taken, where they are led here
  bool gives_way;                  // the running step has opened a lock for whom it has passed over too often
  bool has_acted;                  // since it could be left the running step has used an atomic, or found a lock taken
  uint32_t failed_tries;           // how often a lock was tried in vain since one was taken
  int64_t read_at, spins_since;    // when the clock was read last, and since when a step has read it all the time
  uint32_t reads_there;            // how often it has been read since it moved
  bool has_left;                   // work has left for a thread that runs no simulation
  ch_rounds yields, polls;         // where steps are whole: how often they have let others run, or used locks
  uint32_t waits;                  // how often a step has waited since for what does not come
} ch_execution;

static inline ch_execution ch_begin_execution(uint64_t tag, bool follows_dependencies, bool overlaps) {
  return (ch_execution){
      .tag = tag, .random = 0x5EED, .seeded = 1, .first_task_id = UINT64_MAX,
      .follows_dependencies = follows_dependencies, .overlaps = overlaps};
}

// What the hooks must know about the simulation that runs on this thread. One per simulation; owned by its
// scheduler, which outlives every moment in which `ch_current` points at it.
typedef struct {
  void *_Nullable scheduler;       // Unmanaged<Scheduler>, unretained
  ch_executor hop;                 // our executor that receives every hop
  ch_executor main;                // our executor that stands in for the main actor's
  ch_execution execution;          // the one in progress, or the last
  const uint32_t *_Nullable phase; // what runs: a step or an action of the program, or the engine
  void *const _Nullable *_Nullable stands_at;  // the frame of the function in which the step may be left
  uintptr_t stands_before;         // the lock or atomic that it uses next; 0 where that is not known
  bool stands_before_lock;
  struct ch_baton *_Nullable idle; // threads that wait to drive it
  struct ch_thread *_Nullable threads;  // what the program has made in this execution
  struct ch_run_loops *_Nullable run_loops;  // null before the execution uses one
  struct ch_cores *_Nullable cores;  // where its threads run; null before a second one has
  struct ch_accesses *_Nullable accesses;  // who has accessed which memory; null before any were followed
  struct ch_resumes *_Nullable resumes;  // where checked continuations were resumed; null before the first
} ch_simulation;

#define CH_PHASE_STEP 1
#define CH_PHASE_ACTION 3

#if CH_SUPPORTED

// `initial-exec`: one instruction to read it, and legal in executables and in libraries loaded at start.
extern _Thread_local ch_simulation *_Nullable ch_current __attribute__((tls_model("initial-exec")));

// Of what is asked by a thread that ends, which the thread sanitizer may already have forgotten.
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

// The program calls it too: this is the runtime's.
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
// Without telling the simulation that it was asked.
bool ch_is_cancelled(void *_Nonnull task);
// Tells the simulation that this task is about to be cancelled, where it wants to know.
void ch_cancels(void *_Nonnull task);
static inline uint64_t ch_task_id(void *_Nonnull task) { return swift_task_getJobTaskId(task); }

// MARK: layout of a job and a task (Swift 6.3, 64 bit); the self-test checks each at the first simulation

#define CH_JOB_FLAGS 0x20
#define CH_JOB_RECORD 0x30
#define CH_JOB_RESUME 0x38
#define CH_TASK_CONTEXT 0x40
#define CH_TASK_DEPENDENCY 0xa0
#define CH_WAIT_OBJECT 0x10    // within the record of why a task waits: the task or group that it waits for
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

// Whether a job that is enqueued on this thread is the simulation's. Tasks that existed before the execution
// belong to others, even when simulated code resumes them.
static inline bool ch_belongs(const ch_simulation *_Nonnull s, void *_Nonnull job) {
  uint64_t record = ch_job_record(job);
  if (ch_record_is_ours(record)) return ch_tag_of(record) == s->execution.tag;
  return ch_job_kind(job) != CH_KIND_TASK || swift_task_getJobTaskId(job) >= s->execution.first_task_id;
}

// The group all of whose children the suspended task waits for, each in turn, inside the library; 0 where that is not
// what it waits for.
uintptr_t ch_group_awaited(const void *_Nonnull task);
// Learns from a task that waits so how that is told from waiting for one child.
void ch_learn_group_awaited(const void *_Nonnull task);

// MARK: what is installed, for the self-test

typedef struct {
  bool hooks_found;         // every hook variable was found and set
  bool originals_found;     // every function that is answered for here was found again behind us
  bool clock_interposed;    // libswift_Concurrency's clock reads come here
  bool prepared;            // the default executor was installed before main
  const char *_Nonnull missing;  // the first name that was not found, or ""
} ch_installation;
ch_installation ch_get_installation(void);

// Whether atomics and accesses to memory are told: the program was compiled with `-Xfrontend -sanitize=thread`.
bool ch_is_instrumented(void);
// Whether a step may be left before it takes a `Mutex` that is free.
bool ch_follows_mutexes(void);

// MARK: ways out

// Runs `body`. False if a step in it ended in its middle, because it waits for ever for what another thread does.
bool ch_run_until_left(ch_simulation *_Nonnull s, void (*_Nonnull body)(void *_Nonnull), void *_Nonnull argument);

// Whether the program's calls of this function come here.
bool ch_is_answered(const char *_Nonnull name);

// MARK: continuations

// Tells from now on when a checked continuation is dropped that nobody has resumed. `checked` is one, of this task. False
// where it has another shape.
bool ch_watch_checked(void *_Nonnull checked, void *_Nonnull task);

// Frees what is known of where continuations were resumed.
void ch_forget_resumes(ch_simulation *_Nonnull s);

// MARK: what lives beside the simulations

// Whether there are threads that neither the simulator nor a library of the system's own has started, or sources of events.
bool ch_others_live(void);

// One of those threads; or a source of events, or a block that runs on a thread of Dispatch.
enum { CH_MOST_MAKERS = 32, CH_BESIDE_THREAD = 0, CH_BESIDE_SOURCE, CH_BESIDE_BLOCK };
typedef struct {
  uint8_t kind;
  char name[16];
  const char *_Nullable waits_in;  // what it waits in, as a sentence goes on; null where that is not known
  int32_t maker_count;
  uintptr_t makers[CH_MOST_MAKERS];  // return addresses, from the code that made it outwards
} ch_thread_beside;

// How many of them the process has that this one is a copy of: the copy does not have them. Writes the first `most`.
int ch_lost_threads(ch_thread_beside *_Nullable to, int most);
// Whether the calling thread is one of them, and which.
bool ch_this_thread(ch_thread_beside *_Nonnull to);
// Whether the threads that this one starts from now on are the simulator's.
void ch_starts_own_thread(bool own);

// MARK: locks of the simulator's own, which a thread sanitizer sees, and of which no simulation is told

void *_Nonnull ch_make_lock(void);
void ch_free_lock(void *_Nonnull lock);
void ch_lock(void *_Nonnull lock);
void ch_unlock(void *_Nonnull lock);

// MARK: streams and memory

// Finds out how a stream's lock is told from others by looking on while `use_a_stream` uses one, on this thread. False
// where that shows nothing.
bool ch_learn_stream_lock(void (*_Nonnull use_a_stream)(void));

// MARK: real time, whatever the simulation says

int64_t ch_real_nanoseconds(void);
// Lets other threads run for a fifth of a millisecond.
void ch_pause(void);

// A generator step (SplitMix64), shared by the libc stand-ins and by the scheduler's reseeding.
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
#include "CQueues.h"
#include "CStandingSteps.h"
#include "CUserExecutors.h"
#endif
