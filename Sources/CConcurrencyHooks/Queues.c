// Queues of Dispatch inside a simulation: what the program hands to one becomes a job of the scheduler's, which keeps the
// order that the queue would keep (`DispatchQueues.swift`). The queue itself gets nothing.
//
// On a thread that simulates nothing every call goes on unchanged.
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

extern void simulator_handed_over(void *scheduler, ch_work work, int64_t delay);
extern bool simulator_notifies(void *scheduler, ch_work work);
extern void simulator_uses_work_item(void *scheduler, void *group);
extern void simulator_enters_group(void *scheduler, void *group);
extern void simulator_left_group(void *scheduler, void *group);
extern int simulator_enters_queue(void *scheduler, void *queue, bool is_barrier);
extern void simulator_leaves_queue(void *scheduler, int turn);
extern void simulator_applies(void *scheduler, void *queue, size_t count, void *context, void (*one)(void *));
extern void simulator_suspends(void *scheduler, void *queue, bool resumes);
extern void simulator_retargets(void *scheduler, void *queue, void *target);

CH_BEHIND(_Block_copy);
CH_BEHIND(_Block_release);
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

// MARK: blocks

// A block made by `dispatch_block_create` has its data where others have what they capture.
typedef struct {
  ch_block_layout layout;
  unsigned long magic, flags;
  unsigned atomic_flags, performed;
  unsigned long priority;
  void *voucher;
  ch_block_layout *made_from;
  void *group;
} made_block;
enum { block_magic = 0xD159B10C, barrier_flag = 1 };

static const made_block *as_made(const void *block) {
  static void **_Atomic special;
  if (!special) special = dlsym(RTLD_DEFAULT, "_dispatch_block_special_invoke");
  const made_block *made = block;
  return made && special && made->layout.invoke == *special && made->magic == block_magic ? made : NULL;
}

static bool asks_for_barrier(const void *block) {
  const made_block *made = as_made(block);
  return made && made->flags & barrier_flag;
}

void ch_invoke_block(void *block) { ((ch_function *)((ch_block_layout *)block)->invoke)(block); }

// A closure of Swift's is what its block captures first.
uintptr_t ch_code_of_work(ch_work work) {
  if (!work.block) return (uintptr_t)work.function;
  const ch_block_layout *block = work.block;
  const made_block *made = as_made(block);
  if (made) block = made->made_from;
  uintptr_t captured = ((const uintptr_t *)(block + 1))[0];
  return captured && ch_image_name(captured) ? captured : (uintptr_t)block->invoke;
}

ch_work ch_work_again(ch_work work) {
  if (work.block) work.block = CH_REAL(_Block_copy)(work.block);
  return work;
}

void ch_forget_work(ch_work work) {
  if (work.block) CH_REAL(_Block_release)(work.block);
}

// MARK: on which queue the code on this thread runs

typedef struct frame {
  void *queue;
  bool is_barrier;
  struct frame *outer;
} frame;
static _Thread_local frame *innermost __attribute__((tls_model("initial-exec")));
static _Thread_local void *task_of_block __attribute__((tls_model("initial-exec")));

void *ch_running_task(void) {
  void *task = swift_task_getCurrent();
  return task ? task : task_of_block;
}

void ch_forget_queues(void) {
  innermost = NULL;
  task_of_block = NULL;
}

void ch_call_work(ch_work work) {
  if (work.block) {
    ch_invoke_block(work.block);
    CH_REAL(_Block_release)(work.block);
  } else {
    work.function(work.context);
  }
}

void ch_do_work(ch_work work) {
  frame here = {work.queue, work.is_barrier, innermost};
  void *task = swift_task_getCurrent(), **word = ch_word_of_current_task(task);
  innermost = &here;
  task_of_block = task;
  if (word) *word = NULL;
  ch_call_work(work);
  if (word) *word = task;
  task_of_block = NULL;
  innermost = here.outer;
}

// MARK: what a queue is

static void *main_queue(void) {
  static void *_Atomic queue;
  if (!queue) queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
  return queue;
}

// How many blocks it runs at once is the low half of a word in the queue, and its target is another word. Where these are,
// queues show of which that is known.
enum { serial_width = 1, concurrent_width = 0xffe, no_offset = -1, searched = 128 };
static int width_offset = no_offset, target_offset = no_offset;

static uint16_t half_at(const void *queue, int offset) {
  uint16_t half;
  memcpy(&half, (const char *)queue + offset, sizeof half);
  return half;
}

static void *word_at(const void *queue, int offset) {
  void *word;
  memcpy(&word, (const char *)queue + offset, sizeof word);
  return word;
}

static void find_offsets(void) {
  void *(*make)(const char *, void *, void *) =
      (void *(*)(const char *, void *, void *))dlsym(RTLD_DEFAULT, "dispatch_queue_create_with_target");
  void *concurrent_attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
  if (!make || !concurrent_attribute) return;
  void *serial = make("a serial queue", NULL, NULL);
  const void *concurrent = make("a concurrent queue", concurrent_attribute, serial);
  for (int offset = 0; offset < searched; offset += 4)
    if (half_at(serial, offset) == serial_width && half_at(concurrent, offset) == concurrent_width) {
      width_offset = offset;
      break;
    }
  for (int offset = 0; offset < searched; offset += 8)
    if (word_at(concurrent, offset) == serial) {
      target_offset = offset;
      break;
    }
}

static void know_queues(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ch_simulation *s = ch_current;
  ch_set_current(NULL);
  pthread_once(&once, find_offsets);
  ch_set_current(s);
}

// The global queues are part of the library, as the main queue is.
static bool is_global(const void *queue) {
  return queue != main_queue() && !strncmp(ch_library_of(queue), "libdispatch.so", 14);
}

int ch_kind_of_queue(const void *queue) {
  if (queue == main_queue()) return CH_MAIN_QUEUE;
  if (is_global(queue)) return CH_GLOBAL_QUEUE;
  know_queues();
  return width_offset == no_offset || half_at(queue, width_offset) == serial_width ? CH_SERIAL_QUEUE
                                                                                   : CH_CONCURRENT_QUEUE;
}

void *ch_target_of_queue(const void *queue) {
  know_queues();
  if (target_offset == no_offset || queue == main_queue() || is_global(queue)) return NULL;
  void *target = word_at(queue, target_offset);
  return target && !is_global(target) ? target : NULL;
}

void *ch_main_queue(void) { return main_queue(); }

static void *timers;
static void make_timers(void) {
  void *(*make)(const char *, void *) = (void *(*)(const char *, void *))dlsym(RTLD_DEFAULT, "dispatch_queue_create");
  timers = make("timers of Dispatch", NULL);
}
void *ch_timer_queue(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ch_simulation *s = ch_current;
  ch_set_current(NULL);
  pthread_once(&once, make_timers);
  ch_set_current(s);
  return timers;
}

const char *dispatch_queue_get_label(void *queue);
CH_BEHIND(dispatch_queue_get_label);
const char *ch_label_of_queue(void *queue) { return CH_REAL(dispatch_queue_get_label)(queue); }

extern void dispatch_retain(void *);
extern void dispatch_release(void *);
CH_BEHIND(dispatch_retain);
CH_BEHIND(dispatch_release);
void ch_retain_dispatch(void *object) { CH_REAL(dispatch_retain)(object); }
void ch_release_dispatch(void *object) { CH_REAL(dispatch_release)(object); }

// MARK: work for a queue

// The simulation that the call belongs to: a step's or an action's, and not the runtime's on behalf of others.
static ch_simulation *simulation_of(void *const *frame) {
  ch_simulation *s = ch_in_program();
  return s && !ch_is_runtime(frame[1]) ? s : NULL;
}

static ch_work work_of(void *queue, void *block, ch_function *function, void *context, void *group, bool is_barrier) {
  if (block) block = CH_REAL(_Block_copy)(block);
  return (ch_work){block, function, context, queue, group, is_barrier || asks_for_barrier(block)};
}

static void hands_over(ch_simulation *s, ch_work work, int64_t delay, void *const *frame) {
  simulator_handed_over(s->scheduler, work, delay);
  // It may run before the next statement.
  if (delay <= 0) ch_may_stand_with_free_hands(s, frame);
}

#define HANDS_OVER(name, barrier)                                                                     \
  void name(void *queue, void *block);                                                                \
  CH_BEHIND(name);                                                                                    \
  void name(void *queue, void *block) {                                                               \
    ch_simulation *s = simulation_of(CH_FRAME);                                                       \
    if (!s) { CH_REAL(name)(queue, block); return; }                                                  \
    hands_over(s, work_of(queue, block, NULL, NULL, NULL, barrier), 0, CH_FRAME);                     \
  }                                                                                                   \
  void name##_f(void *queue, void *context, ch_function *function);                                   \
  CH_BEHIND(name##_f);                                                                                \
  void name##_f(void *queue, void *context, ch_function *function) {                                  \
    ch_simulation *s = simulation_of(CH_FRAME);                                                       \
    if (!s) { CH_REAL(name##_f)(queue, context, function); return; }                                  \
    hands_over(s, work_of(queue, NULL, function, context, NULL, barrier), 0, CH_FRAME);               \
  }
HANDS_OVER(dispatch_async, false)
HANDS_OVER(dispatch_barrier_async, true)

// How long it is until then. A time is a reading of the clock that starts when the machine does, or less than zero and
// then one of the calendar's.
int64_t ch_nanoseconds_until(const ch_simulation *s, uint64_t when) {
  int64_t instant = (int64_t)when;
  if (instant < 0) return -instant - ch_calendar_epoch - s->execution.now;
  return instant - ch_monotonic_epoch - s->execution.now;
}
static const uint64_t forever = ~(uint64_t)0;

void dispatch_after(uint64_t when, void *queue, void *block);
CH_BEHIND(dispatch_after);
void dispatch_after(uint64_t when, void *queue, void *block) {
  ch_simulation *s = simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_after)(when, queue, block); return; }
  if (when == forever) return;
  hands_over(s, work_of(queue, block, NULL, NULL, NULL, false), ch_nanoseconds_until(s, when), CH_FRAME);
}

void dispatch_after_f(uint64_t when, void *queue, void *context, ch_function *function);
CH_BEHIND(dispatch_after_f);
void dispatch_after_f(uint64_t when, void *queue, void *context, ch_function *function) {
  ch_simulation *s = simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_after_f)(when, queue, context, function); return; }
  if (when == forever) return;
  hands_over(s, work_of(queue, NULL, function, context, NULL, false), ch_nanoseconds_until(s, when), CH_FRAME);
}

// MARK: groups
//
// A group keeps its own count. Who is to be told when it is empty, the scheduler knows.

extern void dispatch_group_enter(void *group);
CH_BEHIND(dispatch_group_enter);
extern intptr_t dispatch_group_wait(void *group, uint64_t timeout);
CH_BEHIND(dispatch_group_wait);

extern void *dispatch_group_create(void);
CH_BEHIND(dispatch_group_create);
void *ch_make_group(void) { return CH_REAL(dispatch_group_create)(); }
void ch_enter_group(void *group) { CH_REAL(dispatch_group_enter)(group); }

bool ch_is_group_empty(void *group) { return !CH_REAL(dispatch_group_wait)(group, 0); }

static void enter_group(ch_simulation *s, void *group) {
  simulator_enters_group(s->scheduler, group);
  CH_REAL(dispatch_group_enter)(group);
}

void dispatch_group_enter(void *group) {
  ch_simulation *s = simulation_of(CH_FRAME);
  if (s) enter_group(s, group);
  else CH_REAL(dispatch_group_enter)(group);
}

void dispatch_group_async(void *group, void *queue, void *block);
CH_BEHIND(dispatch_group_async);
void dispatch_group_async(void *group, void *queue, void *block) {
  ch_simulation *s = simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_async)(group, queue, block); return; }
  enter_group(s, group);
  hands_over(s, work_of(queue, block, NULL, NULL, group, false), 0, CH_FRAME);
}

void dispatch_group_async_f(void *group, void *queue, void *context, ch_function *function);
CH_BEHIND(dispatch_group_async_f);
void dispatch_group_async_f(void *group, void *queue, void *context, ch_function *function) {
  ch_simulation *s = simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_async_f)(group, queue, context, function); return; }
  enter_group(s, group);
  hands_over(s, work_of(queue, NULL, function, context, group, false), 0, CH_FRAME);
}

void dispatch_group_leave(void *group);
CH_BEHIND(dispatch_group_leave);
static void leave_group(ch_simulation *s, void *group) {
  ch_releases_object((uintptr_t)group);
  CH_REAL(dispatch_group_leave)(group);
  simulator_left_group(s->scheduler, group);
}
void dispatch_group_leave(void *group) {
  ch_simulation *s = simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_leave)(group); return; }
  leave_group(s, group);
  ch_may_stand_with_free_hands(s, CH_FRAME);
}

bool ch_leaves_group_of_work(ch_work work) {
  if (work.group) leave_group(ch_current, work.group);
  return work.group;
}

static void notifies(ch_simulation *s, ch_work work, void *const *frame) {
  if (simulator_notifies(s->scheduler, work)) ch_may_stand_with_free_hands(s, frame);
}

void dispatch_group_notify(void *group, void *queue, void *block);
CH_BEHIND(dispatch_group_notify);
void dispatch_group_notify(void *group, void *queue, void *block) {
  ch_simulation *s = simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_notify)(group, queue, block); return; }
  notifies(s, work_of(queue, block, NULL, NULL, group, false), CH_FRAME);
}

void dispatch_group_notify_f(void *group, void *queue, void *context, ch_function *function);
CH_BEHIND(dispatch_group_notify_f);
void dispatch_group_notify_f(void *group, void *queue, void *context, ch_function *function) {
  ch_simulation *s = simulation_of(CH_FRAME);
  if (!s) { CH_REAL(dispatch_group_notify_f)(group, queue, context, function); return; }
  notifies(s, work_of(queue, NULL, function, context, group, false), CH_FRAME);
}

void *ch_work_item_group(ch_work work) {
  const made_block *made = as_made(work.block);
  return made ? made->group : NULL;
}

// A work item has a group of its own, which it leaves when it has been done for the first time.
void dispatch_block_notify(void *after, void *queue, void *block);
CH_BEHIND(dispatch_block_notify);
void dispatch_block_notify(void *after, void *queue, void *block) {
  ch_simulation *s = simulation_of(CH_FRAME);
  const made_block *made = as_made(after);
  if (!s || !made) { CH_REAL(dispatch_block_notify)(after, queue, block); return; }
  notifies(s, work_of(queue, block, NULL, NULL, made->group, false), CH_FRAME);
}

void dispatch_block_cancel(void *block);
CH_BEHIND(dispatch_block_cancel);
void dispatch_block_cancel(void *block) {
  const made_block *made = as_made(block);
  // It may have been done before the next statement.
  if (made && simulation_of(CH_FRAME)) simulator_uses_work_item(ch_current->scheduler, made->group);
  CH_REAL(dispatch_block_cancel)(block);
}

// MARK: work that the caller waits for

static void runs_in_place(ch_simulation *s, void *queue, bool is_barrier, void *block, void *context,
                          ch_function *function, const char *name, void *const *at) {
  if (ch_kind_of_queue(queue) == CH_GLOBAL_QUEUE) is_barrier = false;
  else if (ch_in_step(s)) ch_is_touched((uintptr_t)queue);
  ch_takes_another(queue, at);
  s->stands_at = at;
  int turn = simulator_enters_queue(s->scheduler, queue, is_barrier);
  // The queue is not free, and no other step can run meanwhile.
  if (turn < 0) {
    ch_is_shared();
    if (ch_leaves(s, name, at)) ch_leave_step(s);
  }
  bool is_lock = turn > 0 && ch_is_followed(s);
  if (is_lock) ch_took(s, (uintptr_t)queue, false);
  frame here = {queue, is_barrier, innermost};
  innermost = &here;
  if (block) ch_invoke_block(block);
  else function(context);
  innermost = here.outer;
  if (is_lock) ch_opened(s, (uintptr_t)queue);
  if (turn > 0) simulator_leaves_queue(s->scheduler, turn);
  if (is_lock) ch_may_stand_with_free_hands(s, at);
}

#define RUNS_IN_PLACE(name, barrier)                                                                       \
  void name(void *queue, void *block);                                                                     \
  CH_BEHIND(name);                                                                                         \
  void name(void *queue, void *block) {                                                                    \
    ch_simulation *s = simulation_of(CH_FRAME);                                                            \
    if (s) runs_in_place(s, queue, barrier || asks_for_barrier(block), block, NULL, NULL, #name, CH_FRAME); \
    else CH_REAL(name)(queue, block);                                                                      \
  }                                                                                                        \
  void name##_f(void *queue, void *context, ch_function *function);                                        \
  CH_BEHIND(name##_f);                                                                                     \
  void name##_f(void *queue, void *context, ch_function *function) {                                       \
    ch_simulation *s = simulation_of(CH_FRAME);                                                            \
    if (s) runs_in_place(s, queue, barrier, NULL, context, function, #name "_f", CH_FRAME);                \
    else CH_REAL(name##_f)(queue, context, function);                                                      \
  }
RUNS_IN_PLACE(dispatch_sync, false)
RUNS_IN_PLACE(dispatch_barrier_sync, true)
RUNS_IN_PLACE(dispatch_async_and_wait, false)
RUNS_IN_PLACE(dispatch_barrier_async_and_wait, true)

extern void *dispatch_get_global_queue(intptr_t, uintptr_t);
CH_BEHIND(dispatch_get_global_queue);

// Some threads take the next iteration each, until none is left. Where steps are whole, the caller does all in order, which
// is one of the ways in which it may happen.
typedef void iteration(void *, size_t);
typedef struct {
  iteration *function;
  void *context;
  size_t next, count;
} iterations;

static void do_iterations(void *argument) {
  iterations *all = argument;
  while (all->next < all->count) {
    size_t n = all->next++;
    ch_simulation *s = ch_current;
    if (s && all->count > 1) ch_may_stand_with_free_hands(s, CH_FRAME);
    all->function(all->context, n);
  }
}

static bool applies(size_t count, void *queue, void *context, iteration *function, void *const *frame) {
  ch_simulation *s = simulation_of(frame);
  if (!s) return false;
  iterations all = {function, context, 0, count};
  if (count > 1) ch_is_shared();
  s->stands_at = frame;
  if (count > 1 && ch_is_followed(s) && ch_can_stand(s)) {
    if (!queue) queue = CH_REAL(dispatch_get_global_queue)(0, 0);
    // An iteration that has ended its loop uses `all` no more; the caller waits for all of them.
    simulator_applies(s->scheduler, queue, count, &all, do_iterations);
    return true;
  }
  do_iterations(&all);
  return true;
}

void dispatch_apply(size_t count, void *queue, void *block);
CH_BEHIND(dispatch_apply);
void dispatch_apply(size_t count, void *queue, void *block) {
  iteration *function = (iteration *)((ch_block_layout *)block)->invoke;
  if (!applies(count, queue, block, function, CH_FRAME)) CH_REAL(dispatch_apply)(count, queue, block);
}

void dispatch_apply_f(size_t count, void *queue, void *context, iteration *function);
CH_BEHIND(dispatch_apply_f);
void dispatch_apply_f(size_t count, void *queue, void *context, iteration *function) {
  if (!applies(count, queue, context, function, CH_FRAME)) CH_REAL(dispatch_apply_f)(count, queue, context, function);
}

void ch_queue_releases(uintptr_t object) { ch_releases_object(object); }
void ch_queue_acquires(uintptr_t object) { ch_acquires_object(object); }

// MARK: queues that are made, stop, go on and are redirected

extern void simulator_queue_made(void *scheduler, void *queue);
extern void simulator_source_made(void *scheduler, void *source, void *queue);

void *dispatch_queue_create(const char *label, void *attribute);
CH_BEHIND(dispatch_queue_create);
void *dispatch_queue_create(const char *label, void *attribute) {
  void *made = CH_REAL(dispatch_queue_create)(label, attribute);
  ch_simulation *s = ch_in_program();
  if (s) simulator_queue_made(s->scheduler, made);
  return made;
}

void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target);
CH_BEHIND(dispatch_queue_create_with_target);
void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target) {
  void *made = CH_REAL(dispatch_queue_create_with_target)(label, attribute, target);
  ch_simulation *s = ch_in_program();
  if (s) simulator_queue_made(s->scheduler, made);
  return made;
}

bool ch_suspends_queue(void *object, bool resumes, void *const *frame) {
  ch_simulation *s = simulation_of(frame);
  if (!s || !ch_is_queue(object)) return false;
  simulator_suspends(s->scheduler, object, resumes);
  return true;
}

void dispatch_set_target_queue(void *object, void *target);
CH_BEHIND(dispatch_set_target_queue);
void dispatch_set_target_queue(void *object, void *target) {
  if (ch_is_simulated_source(object)) {
    if (ch_in_program()) simulator_source_made(ch_current->scheduler, object, target);
    return;
  }
  CH_REAL(dispatch_set_target_queue)(object, target);
  ch_simulation *s = simulation_of(CH_FRAME);
  if (s && ch_is_queue(object)) simulator_retargets(s->scheduler, object, target && !is_global(target) ? target : NULL);
}

// The first word of each object of Dispatch's leads to what says of which kind it is: two queues show where.
bool ch_is_queue(const void *object) {
  if (object == main_queue() || is_global(object)) return true;
  static const void *_Atomic kinds[2];
  if (!kinds[0]) {
    void *(*make)(const char *, void *) = (void *(*)(const char *, void *))dlsym(RTLD_DEFAULT, "dispatch_queue_create");
    void *concurrent_attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
    ch_simulation *s = ch_current;
    ch_set_current(NULL);
    if (make && concurrent_attribute) {
      kinds[1] = *(const void **)make("a concurrent queue", concurrent_attribute);
      kinds[0] = *(const void **)make("a serial queue", NULL);
    }
    ch_set_current(s);
  }
  const void *kind = *(const void *const *)object;
  return kind == kinds[0] || kind == kinds[1];
}

// MARK: what a program asks

static bool leads_to(const void *from, const void *queue) {
  for (int depth = 0; from && depth < 16; depth++) {
    if (from == queue) return true;
    from = ch_target_of_queue(from);
  }
  return false;
}

// Whether the executor on which the running task is keeps its order with this queue.
static bool executor_keeps(const ch_simulation *s, const void *queue) {
  ch_executor executor = swift_task_getCurrentExecutor();
  if (executor.identity == s->main.identity) return queue == main_queue();
  if (!executor.implementation) return false;
  uintptr_t found[64];
  bool reaches_main = false;
  size_t count = ch_reach(executor.identity, found, 64, &reaches_main);
  for (size_t n = 0; n < count; n++)
    if (found[n] == (uintptr_t)queue) return true;
  return executor.identity == (uintptr_t)queue;
}

static bool is_on(const ch_simulation *s, const void *queue) {
  for (const frame *each = innermost; each; each = each->outer)
    if (leads_to(each->queue, queue)) return true;
  return executor_keeps(s, queue);
}

static bool is_on_as_barrier(const ch_simulation *s, const void *queue) {
  if (ch_kind_of_queue(queue) != CH_CONCURRENT_QUEUE) return is_on(s, queue);
  for (const frame *each = innermost; each; each = each->outer)
    if (each->queue == queue && each->is_barrier) return true;
  return false;
}

bool ch_is_on_main_queue(void) {
  for (const frame *each = innermost; each; each = each->outer)
    if (each->queue == main_queue()) return true;
  return false;
}

// Where the answer is no, Dispatch itself says so and ends the process: its thread is on no queue.
#define ASSERTS(name, holds)                                         \
  void name(void *queue);                                            \
  CH_BEHIND(name);                                                   \
  void name(void *queue) {                                           \
    ch_simulation *s = ch_in_program();                              \
    if (!s || !holds(s, queue)) CH_REAL(name)(queue);                \
  }
ASSERTS(dispatch_assert_queue, is_on)
ASSERTS(dispatch_assert_queue_barrier, is_on_as_barrier)

void dispatch_assert_queue_not(void *queue);
CH_BEHIND(dispatch_assert_queue_not);
void dispatch_assert_queue_not(void *queue) {
  ch_simulation *s = ch_in_program();
  if (!s) { CH_REAL(dispatch_assert_queue_not)(queue); return; }
  if (!is_on(s, queue)) return;
  fprintf(stderr, "BUG IN CLIENT OF LIBDISPATCH: Assertion failed: Block was expected not to execute on queue [%s]\n",
          ch_label_of_queue(queue));
  __builtin_trap();
}

extern void *dispatch_queue_get_specific(void *queue, const void *key);
CH_BEHIND(dispatch_queue_get_specific);
void *dispatch_get_specific(const void *key);
CH_BEHIND(dispatch_get_specific);
void *dispatch_get_specific(const void *key) {
  ch_simulation *s = ch_in_program();
  if (!s) return CH_REAL(dispatch_get_specific)(key);
  void *queue = innermost ? innermost->queue : NULL;
  if (!queue && swift_task_getCurrentExecutor().identity == s->main.identity) queue = main_queue();
  for (int depth = 0; queue && depth < 16; depth++) {
    void *value = is_global(queue) ? NULL : CH_REAL(dispatch_queue_get_specific)(queue, key);
    if (value) return value;
    queue = ch_target_of_queue(queue);
  }
  return NULL;
}

const char *dispatch_queue_get_label(void *queue) {
  if (!queue && innermost && ch_in_program()) queue = innermost->queue;
  return CH_REAL(dispatch_queue_get_label)(queue);
}

// Whether the thread is the main one, as Foundation's `Thread.isMainThread` says.
#define IS_MAIN_THREAD "$s10Foundation6ThreadC06isMainB0SbvgZ"
SWIFTCC bool ch_is_main_thread(__attribute__((swift_context)) void *type) __asm__(IS_MAIN_THREAD);
SWIFTCC bool ch_is_main_thread(__attribute__((swift_context)) void *type) {
  static void *_Atomic real;
  ch_simulation *s = ch_in_program();
  if (s) return ch_is_on_main_queue() || swift_task_getCurrentExecutor().identity == s->main.identity;
  return ((SWIFTCC bool (*)(__attribute__((swift_context)) void *))ch_real(&real, IS_MAIN_THREAD))(type);
}
#pragma clang attribute pop
#endif
