// Starts tasks: `Task { }`, children of groups, and `async let`. The scheduler queues them itself, unless an executor of the
// program does. Also handles preferences for task executors.
#define _GNU_SOURCE
#include "Exits.h"
#include "ForeignTasks.h"

#if CH_SUPPORTED

typedef struct { void *task; void *context; } task_and_context;
typedef SWIFTCC task_and_context create_function(size_t, void *, const void *, void *, void *);
static create_function *original_create;

enum { priority_mask = 0xff, medium_priority = 0x15 };
enum { enqueue_flag = 0x1000, discarding_flag = 0x4000, option_kind_mask = 0xff };
enum { option_serial_executor = 0, option_group = 1, option_task_executor = 6, option_name = 7 };
enum { child_of_let = 2 };

typedef struct option {
  uint64_t kind;
  struct option *next;
  uintptr_t value[2];
} option;

static option *find_option(option *options, int kind) {
  while (options && (options->kind & option_kind_mask) != (uint64_t)kind) options = options->next;
  return options;
}

// Returns the executor on which the new task starts: that of an isolated closure, or the pool.
static ch_executor start_of(option *options) {
  option *found = find_option(options, option_serial_executor);
  return found ? (ch_executor){found->value[0], found->value[1]} : (ch_executor){0, 0};
}

// Returns the group that the new task is a child of; its address is 0 if the task is in none.
static ch_group group_of(size_t flags, option *options) {
  option *found = find_option(options, option_group);
  return (ch_group){found ? found->value[0] : 0, (flags & discarding_flag) != 0};
}

// Removes a preference for the pool, because a task without a preference runs there anyway. Creating the task would have
// consumed the reference to the executor, so it is released here.
static option *without_pool(ch_simulation *s, option *options) {
  for (option **link = &options; *link; link = &(*link)->next) {
    if (((*link)->kind & option_kind_mask) != option_task_executor) continue;
    if (ch_is_preferred(s, (*link)->value[0])) break;
    swift_release((void *)(*link)->value[0]);
    *link = (*link)->next;
    break;
  }
  return options;
}

// Starts the task, or asks an executor of the program to take it. The runtime knows which executor the task prefers.
static void starts(ch_simulation *s, void *task, ch_executor start, bool prefers, void *const *frame) {
  void *outer = s->execution.starting;
  // If the task starts on a default actor, it is not known here which executor is to run it.
  if (start.identity && !start.implementation && (prefers || ch_prefers(s))) {
    ch_callers found = {.count = 0};
    ch_find_callers(frame, &found);
    ch_left(s, "TaskExecutor", &found);
    return;
  }
  bool may_prefer = s->execution.prefers && !start.identity && !s->execution.creating;
  s->execution.starting = may_prefer ? task : NULL;
  if (may_prefer || ch_is_users(s, start.identity, start.implementation))
    simulator_asks_executor(s->scheduler, task, start.identity, start.implementation);
  else simulator_task_started(s->scheduler, task, start.identity, start.implementation);
  s->execution.starting = outer;
}

static bool in_task_of(ch_simulation *s) {
  void *task = swift_task_getCurrent();
  return task && ch_tag_of(ch_job_record(task)) == s->execution.tag;
}

// The runtime's own enqueue would put an isolated start into the actor's mailbox, whose drain is atomic. So we clear
// the request and queue the task ourselves, with the retain that the runtime gives to an enqueued task. Between steps,
// the runtime would use the priority of the task or thread that runs the simulation, so we set it to medium.
SWIFTCC task_and_context swift_task_create(size_t flags, void *options, const void *type, void *function,
                                           void *closure) {
  ch_simulation *s = ch_current;
  if (!s) {
    if (flags & enqueue_flag && options) {
      ch_executor start = start_of(options);
      if (ch_is_barred(start.identity, start.implementation)) flags &= ~(size_t)enqueue_flag;
    }
    return original_create(flags, options, type, function, closure);
  }
  if (options) options = without_pool(s, options);
  if (!(flags & priority_mask) && !in_task_of(s)) flags |= medium_priority;
  task_and_context made = original_create(flags & ~(size_t)enqueue_flag, options, type, function, closure);
  uint64_t record = ch_adopt(s, made.task, made.context, group_of(flags, options));
  option *name = find_option(options, option_name);
  if (type && !ch_is_plain(type)) simulator_result_type(s->scheduler, record, type);
  if (name) simulator_task_named(s->scheduler, record, (const char *)name->value[0]);
  if (flags & enqueue_flag) {
    ch_executor start = start_of(options);
    swift_retain(made.task);
    bool prefers = find_option(options, option_task_executor);
    starts(s, made.task, start, prefers, (void *const *)__builtin_frame_address(0));
    ch_set_free(s);
  }
  return made;
}

typedef SWIFTCC void async_let_function(void *, void *, const void *, void *, void *, void *);
static async_let_function *original_async_let;

SWIFTCC void swift_asyncLet_begin(void *let, void *options, const void *type, void *function, void *closure,
                                  void *buffer) {
  ch_simulation *s = ch_current;
  if (!s) { original_async_let(let, options, type, function, closure, buffer); return; }
  // A child that inherits a preference goes to an executor of the program instead of the pool.
  bool is_preferred = ch_prefers(s);
  s->execution.creating = !is_preferred;
  s->execution.adopted = NULL;
  original_async_let(let, options, type, function, closure, buffer);
  s->execution.creating = false;
  void *task = is_preferred ? ((void **)let)[child_of_let] : s->execution.adopted;
  if (!task) return;
  ch_adopt(s, task, (void *)ch_word(task, CH_TASK_CONTEXT), (ch_group){0, false});
  if (!is_preferred) simulator_task_started(s->scheduler, task, 0, 0);
  ch_set_free(s);
}

// An immediate task runs in the middle of its creator's step until it first suspends. After that it can run in other steps.
typedef SWIFTCC void immediate_function(void *task, uintptr_t identity, uintptr_t implementation);
static immediate_function *original_immediate;

SWIFTCC void swift_task_immediate(void *task, uintptr_t identity, uintptr_t implementation) {
  original_immediate(task, identity, implementation);
  if (ch_current) ch_set_free(ch_current);
}

// Inside a simulation, `withTaskExecutorPreference(_:isolation:operation:)` ignores a preference for the pool unless the task
// already prefers another executor. The parameters: result, executor (two words), isolation (two), operation (two), the types
// of result and failure, the failure's conformance, error.
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
  if (ch_current) {
    if (!ch_is_preferred(ch_current, executor) && !ch_prefers(ch_current)) executor = executor_type = 0;
  }
  __attribute__((musttail)) return original_preference(context, result, executor, executor_type, isolation,
                                                       isolation_type, operation, closure, type, failure,
                                                       conformance, error);
}

void ch_install_tasks(void) {
  original_create = ch_behind_us("swift_task_create");
  original_immediate = ch_behind_us("swift_task_immediate");
  original_async_let = ch_behind_us("swift_asyncLet_begin");
  original_preference = ch_behind_us(PREFERENCE);
}
#endif
