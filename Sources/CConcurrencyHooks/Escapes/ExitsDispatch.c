// Escapes by Dispatch: files, sources and waits.
//
// A block that is not run is copied and kept forever: releasing it could end the life of a group or a semaphore that is in
// use, which ends the process.
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

typedef void *block;

CH_BEHIND(_Block_copy);
static void keep(block b) {
  if (b) (void)CH_REAL(_Block_copy)(b);
}

// MARK: files

#define KEEPS(name, parameters, arguments, b)      \
  void name parameters;                            \
  CH_BEHIND(name);                                 \
  void name parameters {                           \
    ch_simulation *s;                              \
    if (CH_LEAVES(s, #name)) { keep(b); return; }  \
    CH_REAL(name) arguments;                       \
  }

KEEPS(dispatch_read, (int file, size_t length, void *queue, block b), (file, length, queue, b), b)
KEEPS(dispatch_write, (int file, void *data, void *queue, block b), (file, data, queue, b), b)
KEEPS(dispatch_io_read, (void *channel, int64_t offset, size_t length, void *queue, block b),
      (channel, offset, length, queue, b), b)
KEEPS(dispatch_io_write, (void *channel, int64_t offset, void *data, void *queue, block b),
      (channel, offset, data, queue, b), b)
KEEPS(dispatch_io_barrier, (void *channel, block b), (channel, b), b)

// MARK: waits

#define NOW 0
#define FOREVER (~(uint64_t)0)

// Dispatch waits for a work item by such a try, and then waits for real: between the two, nothing else may run.
static void has_missed(ch_simulation *s, void *object, void *const *frame) {
  if (ch_is_followed(s) && !ch_is_runtime(frame[1])) ch_has_missed(s, object, frame);
}

CH_BEHIND(dispatch_semaphore_wait);
CH_BEHIND(dispatch_semaphore_signal);
intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout);
intptr_t dispatch_semaphore_signal(void *semaphore);

// A semaphore that lets in more than one is no lock: others may come in at once.
static void took_one(ch_simulation *s, void *semaphore, void *const *frame) {
  ch_may_be_caught_with(s, (uintptr_t)semaphore, frame);
  if (!ch_is_followed(s) || CH_REAL(dispatch_semaphore_wait)(semaphore, NOW)) return;
  CH_REAL(dispatch_semaphore_signal)(semaphore);
  ch_preemption_point_without_locks(s, frame);
}

static void saw_empty(ch_simulation *s, void *group, void *const *frame) {
  ch_may_be_caught_with(s, (uintptr_t)group, frame);
}

// A call that need not wait is no escape, because a semaphore may be a lock. A wait with a timeout lasts until then. What the
// others did before they signaled or left happens before a wait that succeeds. Dispatch waits for a work item by waiting for
// the group of that item, here.
#define WAITS(name, subject, took)                                             \
  intptr_t name(void *object, uint64_t timeout) {                              \
    ch_simulation *s = ch_in_program();                                        \
    if (!s) return CH_REAL(name)(object, timeout);                             \
    int64_t left = timeout == FOREVER ? 1 : ch_nanoseconds_until(s, timeout);  \
    ch_takes_in_turn(s, object, left <= 0, CH_FRAME);                          \
    intptr_t missed = CH_REAL(name)(object, NOW);                              \
    if (missed && left <= 0) has_missed(s, object, CH_FRAME);                  \
    if (!missed) ch_acquires_object((uintptr_t)object);                        \
    if (!missed) took(s, object, CH_FRAME);                                    \
    if (!missed || timeout == NOW) return missed;                              \
    ch_is_shared();                                                            \
    if (left <= 0) return missed;                                              \
    if (ch_is_followed(s) && ch_can_park(s)) {                                 \
      int64_t end = timeout == FOREVER ? INT64_MAX : s->execution.now + left;  \
      while ((missed = CH_REAL(name)(object, NOW)) && s->execution.now < end)  \
        ch_waits_for_dispatch(s, subject, object, end, CH_FRAME);              \
      if (!missed) ch_acquires_object((uintptr_t)object);                      \
      if (!missed) took(s, object, CH_FRAME);                                  \
      else ch_has_looked(s);                                                   \
      return missed;                                                           \
    }                                                                          \
    if (!ch_leaves(s, #name, CH_FRAME)) return CH_REAL(name)(object, timeout); \
    if (timeout == FOREVER) ch_leave_step(s);                                  \
    ch_waits_in_vain_for(s, left);                                             \
    return missed;                                                             \
  }
WAITS(dispatch_semaphore_wait, CH_WAITS_FOR_POST, took_one)
intptr_t dispatch_group_wait(void *group, uint64_t timeout);
CH_BEHIND(dispatch_group_wait);
WAITS(dispatch_group_wait, CH_WAITS_FOR_GROUP, saw_empty)
intptr_t dispatch_block_wait(void *block, uint64_t timeout);
CH_BEHIND(dispatch_block_wait);
WAITS(dispatch_block_wait, CH_WAITS_FOR_GROUP, saw_empty)

intptr_t dispatch_semaphore_signal(void *semaphore) {
  ch_before_a_visible_act();
  ch_releases_object((uintptr_t)semaphore);
  intptr_t woken = CH_REAL(dispatch_semaphore_signal)(semaphore);
  ch_frees(semaphore, CH_FRAME);
  return woken;
}

void dispatch_main(void) __attribute__((noreturn));
CH_BEHIND(dispatch_main);
void dispatch_main(void) {
  ch_simulation *s;
  if (CH_LEAVES(s, "dispatch_main")) ch_leave_step(s);
  ((void (*)(void))ch_real(&real_dispatch_main, "dispatch_main"))();
  abort();
}

// MARK: sources
//
// A source that waits for events from outside and is made in a simulation never begins. It is kept, because a source that has
// not begun must not be released.

CH_BEHIND(dispatch_retain);

typedef struct made_source { void *source; struct made_source *next; } made_source;
static _Thread_local made_source *made_sources __attribute__((tls_model("initial-exec")));

static bool is_made_here(void *object) {
  for (made_source *made = made_sources; made; made = made->next)
    if (made->source == object) return true;
  return false;
}

void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue);
CH_BEHIND(dispatch_source_create);
void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
  ch_simulation *s = ch_in_program();
  static const void *_Atomic timer;
  if (!timer) timer = dlsym(RTLD_DEFAULT, "_dispatch_source_type_timer");
  if (s && type == timer && !ch_is_runtime(CH_FRAME[1])) return ch_make_timer_source(s, queue);
  bool leaves = CH_LEAVES(s, "dispatch_source_create");
  void *source = CH_REAL(dispatch_source_create)(type, handle, mask, queue);
  if (!leaves && source) ch_source_created(source, CH_FRAME);
  made_source *made = leaves && source ? malloc(sizeof *made) : NULL;
  if (!made) return source;
  CH_REAL(dispatch_retain)(source);
  *made = (made_source){source, made_sources};
  made_sources = made;
  return source;
}

#define BEGINS(name, change)                                       \
  void name(void *object);                                         \
  CH_BEHIND(name);                                                 \
  void name(void *object) {                                        \
    if (ch_changes_source(object, change, CH_FRAME)) return;       \
    if (ch_changes_queue(object, change, CH_FRAME)) return;        \
    if (ch_current && is_made_here(object)) return;                \
    CH_REAL(name)(object);                                         \
  }
BEGINS(dispatch_resume, CH_RESUMES)
BEGINS(dispatch_activate, CH_ACTIVATES)

CH_BEHIND(dispatch_suspend);
void dispatch_suspend(void *object) {
  if (ch_changes_source(object, CH_SUSPENDS, CH_FRAME)) return;
  if (!ch_changes_queue(object, CH_SUSPENDS, CH_FRAME)) CH_REAL(dispatch_suspend)(object);
}
#pragma clang attribute pop
#endif
