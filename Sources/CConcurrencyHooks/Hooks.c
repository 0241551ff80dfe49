// Takes hold of the Swift runtime: jobs, hops, task creation and completion, isolation questions.
//
// Two means: hook variables, which the runtime offers and which are found by name (the symbols are protected: a
// copy relocation would write where the runtime never reads), and functions that user code calls through the
// PLT, which we define ourselves and forward.
#define _GNU_SOURCE
#include "CConcurrencyHooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>

_Thread_local ch_simulation *ch_current __attribute__((tls_model("initial-exec"))) = NULL;

// What Swift does with what is found here; defined in Simulator/Runtime/HookCallbacks.swift.
extern void simulator_prepare(void) __attribute__((weak));
extern void simulator_hopped(void *scheduler, void *job, uintptr_t identity, uintptr_t implementation);
extern void simulator_enqueued_global(void *scheduler, void *job);
extern void simulator_enqueued_main(void *scheduler, void *job);
extern void simulator_enqueued_later(void *scheduler, void *job, int64_t delay);
extern uint64_t simulator_task_created(void *scheduler, void *task, void *parent, uintptr_t discarding_group);
extern void simulator_task_started(void *scheduler, void *task, uintptr_t identity, uintptr_t implementation);
extern void simulator_task_finished(void *scheduler, uint64_t record, bool threw);
extern void simulator_continuation_began(void *scheduler, void *task);
extern bool simulator_continuation_resumed(void *scheduler, void *task);
extern void simulator_task_named(void *scheduler, uint64_t record, const char *name);
extern void simulator_actor_initialized(void *scheduler, uintptr_t actor);
extern void simulator_foreign_enqueue(uint64_t record, void *job);

static ch_installation installation = {.missing = ""};
ch_installation ch_get_installation(void) { return installation; }

static void *behind_us(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) {
    installation.originals_found = false;
    if (!*installation.missing) installation.missing = name;
  }
  return found;
}

// MARK: jobs

#define SWIFTCC __attribute__((swiftcall))
typedef SWIFTCC void enqueue_original(void *job);
typedef SWIFTCC void delay_original(unsigned long long delay, void *job);
typedef SWIFTCC void deadline_original(long long, long long, long long, long long, int, void *job);
typedef SWIFTCC ch_executor main_original(void);
typedef SWIFTCC bool is_main_original(uintptr_t identity, uintptr_t implementation);
typedef SWIFTCC void check_original(uintptr_t identity, uintptr_t implementation);
typedef SWIFTCC int8_t isolating_original(uintptr_t identity, uintptr_t implementation);

SWIFTCC static void enqueue_global(void *job, enqueue_original *original) {
  ch_simulation *s = ch_current;
  if (s) {
    if (s->creating) { s->adopted = job; return; }
    if (ch_belongs(s, job)) { simulator_enqueued_global(s->scheduler, job); return; }
  }
  uint64_t record = ch_job_record(job);
  if (ch_job_kind(job) == CH_KIND_TASK && ch_record_is_ours(record)) {
    simulator_foreign_enqueue(record, job);
    return;
  }
  original(job);
}

SWIFTCC static void enqueue_global_with_delay(unsigned long long delay, void *job, delay_original *original) {
  ch_simulation *s = ch_current;
  if (s) simulator_enqueued_later(s->scheduler, job, (int64_t)delay);
  else original(delay, job);
}

SWIFTCC static void enqueue_global_with_deadline(long long sec, long long nsec, long long tsec, long long tnsec,
                                                 int clock, void *job, deadline_original *original) {
  ch_simulation *s = ch_current;
  if (!s) { original(sec, nsec, tsec, tnsec, clock, job); return; }
  int64_t deadline = (int64_t)sec * 1000000000 + nsec;
  int64_t base = (int64_t)86400 * 1000000000;  // both monotonic clocks start here, see Clocks.c
  simulator_enqueued_later(s->scheduler, job, deadline - base - s->now);
}

SWIFTCC static void enqueue_main(void *job, enqueue_original *original) {
  ch_simulation *s = ch_current;
  if (s && ch_belongs(s, job)) { simulator_enqueued_main(s->scheduler, job); return; }
  uint64_t record = ch_job_record(job);
  if (ch_job_kind(job) == CH_KIND_TASK && ch_record_is_ours(record)) {
    simulator_foreign_enqueue(record, job);
    return;
  }
  original(job);
}

// MARK: the main actor and isolation

SWIFTCC static ch_executor get_main_executor(main_original *original) {
  ch_simulation *s = ch_current;
  return s ? s->main : original();
}

SWIFTCC static bool is_main_executor(uintptr_t identity, uintptr_t implementation, is_main_original *original) {
  ch_simulation *s = ch_current;
  return s ? identity == s->main.identity : original(identity, implementation);
}

static bool runs_on(uintptr_t identity) { return swift_task_getCurrentExecutor().identity == identity; }

SWIFTCC static void check_isolated(uintptr_t identity, uintptr_t implementation, check_original *original) {
  ch_simulation *s = ch_current;
  if (s && (s->between_steps || runs_on(identity))) return;
  original(identity, implementation);
}

SWIFTCC static int8_t is_isolating(uintptr_t identity, uintptr_t implementation, isolating_original *original) {
  ch_simulation *s = ch_current;
  if (s) return s->between_steps || runs_on(identity) ? 1 : 0;
  return original(identity, implementation);
}

// MARK: hops

typedef __attribute__((swiftasynccall)) void resume_function(__attribute__((swift_async_context)) void *);
typedef __attribute__((swiftasynccall)) void switch_function(__attribute__((swift_async_context)) void *,
                                                             resume_function *, uintptr_t, uintptr_t);
static switch_function *original_switch;

// Every `await` that changes the executor comes through here. A hop to where we already are is none: the
// original sees that and goes on at once. Any other is sent to our hop executor, whose `enqueue` is called on
// the spot, so that the target remembered here belongs to the job that arrives there.
__attribute__((swiftasynccall)) void swift_task_switch(__attribute__((swift_async_context)) void *context,
                                                       resume_function *resume, uintptr_t identity,
                                                       uintptr_t implementation) {
  ch_simulation *s = ch_current;
  if (s && swift_task_getCurrentExecutor().identity != identity) {
    s->hop_target = (ch_executor){identity, implementation};
    identity = s->hop.identity;
    implementation = s->hop.implementation;
  }
  __attribute__((musttail)) return original_switch(context, resume, identity, implementation);
}

// MARK: the end of a task
//
// The function that a task's first context returns to is replaced by one of ours, which reports the end and goes
// on to the original. The original must be remembered without touching the task, so each distinct original has a
// stand-in of its own; the runtime has three (with a closure, without, and inline), and we have room for four.

typedef __attribute__((swiftasynccall)) void completion(__attribute__((swift_async_context)) void *,
                                                        __attribute__((swift_context)) void *);
static completion *completions[4];

static void report_finished(bool threw) {
  ch_simulation *s = ch_current;
  void *task = swift_task_getCurrent();
  if (s && task && ch_tag_of(ch_job_record(task)) == s->tag)
    simulator_task_finished(s->scheduler, ch_job_record(task), threw);
}
#define COMPLETION(n)                                                                          \
  __attribute__((swiftasynccall)) static void completed_##n(                                   \
      __attribute__((swift_async_context)) void *context, __attribute__((swift_context)) void *error) { \
    report_finished(error != NULL);                                                                      \
    __attribute__((musttail)) return completions[n](context, error);                           \
  }
COMPLETION(0) COMPLETION(1) COMPLETION(2) COMPLETION(3)
static completion *const stand_ins[4] = {completed_0, completed_1, completed_2, completed_3};

static bool watch_end(void *context) {
  completion **slot = (completion **)((char *)context + 8);
  for (int n = 0; n < 4; n++) {
    completion *known = __atomic_load_n(&completions[n], __ATOMIC_ACQUIRE);
    if (!known) {
      completion *none = NULL;
      if (!__atomic_compare_exchange_n(&completions[n], &none, *slot, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        known = none;
      else
        known = *slot;
    }
    if (known == *slot) { *slot = stand_ins[n]; return true; }
  }
  return false;
}

static uint64_t adopt(ch_simulation *s, void *task, void *context, uintptr_t discarding_group) {
  // The runtime writes it when it enqueues a task, and we do that in its place.
  ch_job_set_priority(task, (uint8_t)swift_task_currentPriority(task));
  uint64_t record = simulator_task_created(s->scheduler, task, swift_task_getCurrent(), discarding_group);
  ch_job_set_record(task, record);
  if (!watch_end(context)) abort();  // a fourth kind of completion: a toolchain that the self-test refuses
  return record;
}

// MARK: the beginning of a task

typedef struct { void *task; void *context; } task_and_context;
typedef SWIFTCC task_and_context create_function(size_t, void *, const void *, void *, void *);
static create_function *original_create;

enum { priority_mask = 0xff, medium_priority = 0x15 };
enum { enqueue_flag = 0x1000, discarding_flag = 0x4000, option_kind_mask = 0xff };
enum { option_serial_executor = 0, option_group = 1, option_task_executor = 6, option_name = 7 };

typedef struct option {
  uint64_t kind;
  struct option *next;
  uintptr_t value[2];
} option;

static option *find_option(option *options, int kind) {
  while (options && (options->kind & option_kind_mask) != (uint64_t)kind) options = options->next;
  return options;
}

// Where the new task starts: the executor of an isolated closure, or the pool.
static ch_executor start_of(option *options) {
  option *found = find_option(options, option_serial_executor);
  return found ? (ch_executor){found->value[0], found->value[1]} : (ch_executor){0, 0};
}

// The group that the new task is a child of, if it discards what its children return; else 0.
static uintptr_t discarding_group(size_t flags, option *options) {
  option *found = flags & discarding_flag ? find_option(options, option_group) : NULL;
  return found ? found->value[0] : 0;
}

// A preferred task executor would run the task on threads of its own; inside a simulation the pool stands in for
// it. The creation would have owned the executor, so its reference is dropped here.
static option *without_task_executor(option *options) {
  for (option **link = &options; *link; link = &(*link)->next) {
    if (((*link)->kind & option_kind_mask) != option_task_executor) continue;
    swift_release((void *)(*link)->value[0]);
    *link = (*link)->next;
    break;
  }
  return options;
}

static bool in_task_of(ch_simulation *s) {
  void *task = swift_task_getCurrent();
  return task && ch_tag_of(ch_job_record(task)) == s->tag;
}

// The runtime's own enqueue would put an isolated start into the actor's mailbox, whose drain is atomic; we clear
// the request and queue the task ourselves, with the retain that the runtime gives to an enqueued task. Between steps
// the runtime would take the priority of whoever runs the simulation, a task or a thread: it is medium then.
SWIFTCC task_and_context swift_task_create(size_t flags, void *options, const void *type, void *function,
                                           void *closure) {
  ch_simulation *s = ch_current;
  if (!s) return original_create(flags, options, type, function, closure);
  if (options) options = without_task_executor(options);
  if (!(flags & priority_mask) && !in_task_of(s)) flags |= medium_priority;
  task_and_context made = original_create(flags & ~(size_t)enqueue_flag, options, type, function, closure);
  uint64_t record = adopt(s, made.task, made.context, discarding_group(flags, options));
  option *name = find_option(options, option_name);
  if (name) simulator_task_named(s->scheduler, record, (const char *)name->value[0]);
  if (flags & enqueue_flag) {
    ch_executor start = start_of(options);
    swift_retain(made.task);
    simulator_task_started(s->scheduler, made.task, start.identity, start.implementation);
  }
  return made;
}

typedef SWIFTCC void async_let_function(void *, void *, const void *, void *, void *, void *);
static async_let_function *original_async_let;

SWIFTCC void swift_asyncLet_begin(void *let, void *options, const void *type, void *function, void *closure,
                                  void *buffer) {
  ch_simulation *s = ch_current;
  if (!s) { original_async_let(let, options, type, function, closure, buffer); return; }
  s->creating = true;
  s->adopted = NULL;
  original_async_let(let, options, type, function, closure, buffer);
  s->creating = false;
  void *task = s->adopted;
  if (!task) return;
  adopt(s, task, (void *)ch_word(task, CH_TASK_CONTEXT), 0);
  simulator_task_started(s->scheduler, task, 0, 0);
}

// `withTaskExecutorPreference(_:isolation:operation:)` inside a simulation goes on without the preference, for the
// same reason. The parameters: result, executor (two words), isolation (two), operation (two), the types of result
// and failure, the failure's conformance, error.
typedef __attribute__((swiftasynccall)) void preference_function(
    __attribute__((swift_async_context)) void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
    uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
#define PREFERENCE "$ss26withTaskExecutorPreference_9isolation9operationxSch_pSg_ScA_pSgYixyYaq_YKXEtYaq_YKs5ErrorR_r0_lF"
static preference_function *original_preference;

__attribute__((swiftasynccall)) void ch_with_preference(
    __attribute__((swift_async_context)) void *context, uintptr_t result, uintptr_t executor,
    uintptr_t executor_type, uintptr_t isolation, uintptr_t isolation_type, uintptr_t operation, uintptr_t closure,
    uintptr_t type, uintptr_t failure, uintptr_t conformance, uintptr_t error) __asm__(PREFERENCE);
__attribute__((swiftasynccall)) void ch_with_preference(
    __attribute__((swift_async_context)) void *context, uintptr_t result, uintptr_t executor,
    uintptr_t executor_type, uintptr_t isolation, uintptr_t isolation_type, uintptr_t operation, uintptr_t closure,
    uintptr_t type, uintptr_t failure, uintptr_t conformance, uintptr_t error) {
  if (ch_current) executor = executor_type = 0;
  __attribute__((musttail)) return original_preference(context, result, executor, executor_type, isolation,
                                                       isolation_type, operation, closure, type, failure,
                                                       conformance, error);
}

// MARK: continuations

typedef SWIFTCC void resume_continuation(void *task);
typedef SWIFTCC void resume_throwing(void *task, void *error);
static resume_continuation *original_resume, *original_throwing_resume;
static resume_throwing *original_resume_with_error;

typedef SWIFTCC void *init_continuation(void *context, size_t flags);
static init_continuation *original_continuation_init;

SWIFTCC void *swift_continuation_init(void *context, size_t flags) {
  void *task = original_continuation_init(context, flags);
  ch_simulation *s = ch_current;
  if (s) simulator_continuation_began(s->scheduler, task);
  return task;
}

// A continuation that is resumed twice would run its task's memory over: the second call is reported and dropped. What
// it brings has been written by then, inline in the caller: for a continuation with a value into a context that may be
// another's by now, or be freed. So this is a help for those without a value, and no more than that for others.
static bool may_resume(void *task) {
  ch_simulation *s = ch_current;
  if (!s || ch_tag_of(ch_job_record(task)) != s->tag) return true;
  return simulator_continuation_resumed(s->scheduler, task);
}
SWIFTCC void swift_continuation_resume(void *task) {
  if (may_resume(task)) original_resume(task);
}
SWIFTCC void swift_continuation_throwingResume(void *task) {
  if (may_resume(task)) original_throwing_resume(task);
}
SWIFTCC void swift_continuation_throwingResumeWithError(void *task, void *error) {
  if (may_resume(task)) original_resume_with_error(task, error);
}

// MARK: actors

typedef SWIFTCC void actor_function(void *actor);
static actor_function *original_initialize;

// An address may be used again by another actor; this is how the scheduler learns that it is another one.
SWIFTCC void swift_defaultActor_initialize(void *actor) {
  ch_simulation *s = ch_current;
  if (s) simulator_actor_initialized(s->scheduler, (uintptr_t)actor);
  original_initialize(actor);
}

typedef SWIFTCC void deinit_function(void *object, void *work, uintptr_t identity, uintptr_t implementation,
                                     size_t flags);
static deinit_function *original_deinit;

SWIFTCC void swift_task_deinitOnExecutor(void *object, void *work, uintptr_t identity, uintptr_t implementation,
                                         size_t flags) {
  ch_simulation *s = ch_current;
  if (!s) { original_deinit(object, work, identity, implementation, flags); return; }
  // An executor of the user's would be asked to run it, on a thread of its own: it goes by ours, like a hop.
  if (implementation && identity != s->main.identity && !runs_on(identity)) {
    s->hop_target = (ch_executor){identity, implementation};
    identity = s->hop.identity;
    implementation = s->hop.implementation;
  }
  bool outer = s->deinitialising;
  s->deinitialising = true;
  original_deinit(object, work, identity, implementation, flags);
  s->deinitialising = outer;
}

// MARK: installation

static void set_hook(const char *name, void *hook) {
  void **variable = dlsym(RTLD_DEFAULT, name);
  if (variable) { *variable = hook; return; }
  installation.hooks_found = false;
  if (!*installation.missing) installation.missing = name;
}

// The order of `Set` and `Dictionary` would differ from process to process; it is read at the first hash.
static void fix_hashing(void) {
  struct { uint64_t seed0, seed1; bool deterministic; } *parameters =
      dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters");
  if (!parameters) {
    installation.hooks_found = false;
    if (!*installation.missing) installation.missing = "_swift_stdlib_Hashing_parameters";
    return;
  }
  parameters->seed0 = parameters->seed1 = 0;
  parameters->deterministic = true;
}

__attribute__((constructor)) static void install(void) {
  installation.hooks_found = installation.originals_found = true;
  original_switch = behind_us("swift_task_switch");
  original_create = behind_us("swift_task_create");
  original_async_let = behind_us("swift_asyncLet_begin");
  original_preference = behind_us(PREFERENCE);
  original_continuation_init = behind_us("swift_continuation_init");
  original_resume = behind_us("swift_continuation_resume");
  original_throwing_resume = behind_us("swift_continuation_throwingResume");
  original_resume_with_error = behind_us("swift_continuation_throwingResumeWithError");
  original_initialize = behind_us("swift_defaultActor_initialize");
  original_deinit = behind_us("swift_task_deinitOnExecutor");
  set_hook("swift_task_enqueueGlobal_hook", enqueue_global);
  set_hook("swift_task_enqueueGlobalWithDelay_hook", enqueue_global_with_delay);
  set_hook("swift_task_enqueueGlobalWithDeadline_hook", enqueue_global_with_deadline);
  set_hook("swift_task_enqueueMainExecutor_hook", enqueue_main);
  set_hook("swift_task_getMainExecutor_hook", get_main_executor);
  set_hook("swift_task_isMainExecutor_hook", is_main_executor);
  set_hook("swift_task_checkIsolated_hook", check_isolated);
  set_hook("swift_task_isIsolatingCurrentContext_hook", is_isolating);
  fix_hashing();
  if (simulator_prepare) {
    simulator_prepare();
    installation.prepared = true;
  }
}
#endif
