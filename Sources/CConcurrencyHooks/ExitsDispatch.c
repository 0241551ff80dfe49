// Ways out by Dispatch: work that is handed to a queue, sources, and waits.
//
// Blocks are pointers here, with their invocation at a fixed place. One that is not run is copied and kept for ever:
// releasing it could end the life of a group or a semaphore in use, which ends the process.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

typedef void *block;
typedef void work(void *);
typedef void repeated_work(void *, size_t);
typedef struct { void *isa; int32_t flags, reserved; void *invoke; } block_layout;

CH_BEHIND(_Block_copy);
extern void *_Block_copy(const void *);
static void keep(block b) {
  if (b) (void)CH_REAL(_Block_copy)(b);
}

// MARK: work for a queue

#define KEEPS(name, parameters, arguments, b)      \
  void name parameters;                            \
  CH_BEHIND(name);                                 \
  void name parameters {                           \
    ch_simulation *s;                              \
    if (CH_LEAVES(s, #name)) { keep(b); return; }  \
    CH_REAL(name) arguments;                       \
  }

KEEPS(dispatch_async, (void *queue, block b), (queue, b), b)
KEEPS(dispatch_async_f, (void *queue, void *context, work *f), (queue, context, f), NULL)
KEEPS(dispatch_after, (uint64_t when, void *queue, block b), (when, queue, b), b)
KEEPS(dispatch_after_f, (uint64_t when, void *queue, void *context, work *f), (when, queue, context, f), NULL)
KEEPS(dispatch_barrier_async, (void *queue, block b), (queue, b), b)
KEEPS(dispatch_barrier_async_f, (void *queue, void *context, work *f), (queue, context, f), NULL)
KEEPS(dispatch_group_async, (void *group, void *queue, block b), (group, queue, b), b)
KEEPS(dispatch_group_async_f, (void *group, void *queue, void *context, work *f), (group, queue, context, f), NULL)
KEEPS(dispatch_group_notify, (void *group, void *queue, block b), (group, queue, b), b)
KEEPS(dispatch_group_notify_f, (void *group, void *queue, void *context, work *f), (group, queue, context, f), NULL)
KEEPS(dispatch_block_notify, (block after, void *queue, block b), (after, queue, b), b)
KEEPS(dispatch_read, (int file, size_t length, void *queue, block b), (file, length, queue, b), b)
KEEPS(dispatch_write, (int file, void *data, void *queue, block b), (file, data, queue, b), b)
KEEPS(dispatch_io_read, (void *channel, int64_t offset, size_t length, void *queue, block b),
      (channel, offset, length, queue, b), b)
KEEPS(dispatch_io_write, (void *channel, int64_t offset, void *data, void *queue, block b),
      (channel, offset, data, queue, b), b)
KEEPS(dispatch_io_barrier, (void *channel, block b), (channel, b), b)

// MARK: work that the caller waits for

static void invoke(block b) { ((work *)((block_layout *)b)->invoke)(b); }

// In order, on the caller: one of the ways in which it may happen.
void dispatch_apply(size_t count, void *queue, block b);
CH_BEHIND(dispatch_apply);
void dispatch_apply(size_t count, void *queue, block b) {
  ch_simulation *s;
  if (!CH_LEAVES(s, "dispatch_apply")) { CH_REAL(dispatch_apply)(count, queue, b); return; }
  for (size_t n = 0; n < count; n++) ((repeated_work *)((block_layout *)b)->invoke)(b, n);
}

void dispatch_apply_f(size_t count, void *queue, void *context, repeated_work *f);
CH_BEHIND(dispatch_apply_f);
void dispatch_apply_f(size_t count, void *queue, void *context, repeated_work *f) {
  ch_simulation *s;
  if (!CH_LEAVES(s, "dispatch_apply_f")) { CH_REAL(dispatch_apply_f)(count, queue, context, f); return; }
  for (size_t n = 0; n < count; n++) f(context, n);
}

// A queue that is idle runs the block on the caller: no way out. The main queue belongs to the main thread, which is
// another one or the caller itself; there the block runs in its place.
static bool is_main_queue(void *queue) {
  static void *_Atomic main_queue;
  if (!main_queue) main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
  return queue && queue == main_queue;
}

#define RUNS_IN_PLACE(name, excludes)                                                        \
  void name(void *queue, block b);                                                           \
  CH_BEHIND(name);                                                                           \
  void name(void *queue, block b) {                                                          \
    ch_simulation *s;                                                                        \
    if (is_main_queue(queue) && CH_LEAVES(s, #name)) { invoke(b); return; }                  \
    bool is_lock = excludes(queue) && ch_enters_queue(queue, CH_FRAME);                      \
    CH_REAL(name)(queue, b);                                                                 \
    if (is_lock) ch_leaves_queue(queue, CH_FRAME);                                           \
  }                                                                                          \
  void name##_f(void *queue, void *context, work *f);                                        \
  CH_BEHIND(name##_f);                                                                       \
  void name##_f(void *queue, void *context, work *f) {                                       \
    ch_simulation *s;                                                                        \
    if (is_main_queue(queue) && CH_LEAVES(s, #name "_f")) { f(context); return; }            \
    bool is_lock = excludes(queue) && ch_enters_queue(queue, CH_FRAME);                      \
    CH_REAL(name##_f)(queue, context, f);                                                    \
    if (is_lock) ch_leaves_queue(queue, CH_FRAME);                                           \
  }
static bool always(void *queue) { return true; }
RUNS_IN_PLACE(dispatch_sync, ch_is_serial)
RUNS_IN_PLACE(dispatch_barrier_sync, always)

// MARK: waits

#define NOW 0
#define FOREVER (~(uint64_t)0)

// How long it is until then. A time is a reading of the clock that starts when the machine does, or less than zero and
// then one of the calendar's.
static int64_t nanoseconds_until(ch_simulation *s, uint64_t when) {
  int64_t instant = (int64_t)when;
  if (instant < 0) return -instant - ch_calendar_epoch - s->execution.now;
  return instant - ch_monotonic_epoch - s->execution.now;
}

// What need not wait does not leave: a semaphore may be a lock. A wait that has an end comes to it.
#define WAITS(name, hands_over)                                                    \
  intptr_t name(void *object, uint64_t timeout);                                   \
  CH_BEHIND(name);                                                                 \
  intptr_t name(void *object, uint64_t timeout) {                                  \
    ch_simulation *s = ch_in_program();                                            \
    if (!s || timeout == NOW) return CH_REAL(name)(object, timeout);               \
    if (hands_over) ch_takes_in_turn(s, object, CH_FRAME);                         \
    intptr_t missed = CH_REAL(name)(object, NOW);                                  \
    if (!missed) return 0;                                                         \
    int64_t left = timeout == FOREVER ? 1 : nanoseconds_until(s, timeout);         \
    if (left <= 0) return missed;                                                  \
    if (hands_over && ch_is_followed(s) && ch_can_stand(s)) {                      \
      int64_t end = timeout == FOREVER ? INT64_MAX : s->execution.now + left;      \
      while ((missed = CH_REAL(name)(object, NOW)) && s->execution.now < end)      \
        ch_waits_for_dispatch(s, object, end, CH_FRAME);                           \
      if (!missed) ch_acquires_object((uintptr_t)object);                          \
      return missed;                                                               \
    }                                                                              \
    if (!ch_leaves(s, #name, CH_FRAME)) return CH_REAL(name)(object, timeout);    \
    if (timeout == FOREVER) ch_leave_step(s);                                      \
    ch_waits_in_vain_for(s, left);                                                 \
    return missed;                                                                 \
  }
WAITS(dispatch_semaphore_wait, true)
WAITS(dispatch_group_wait, true)
WAITS(dispatch_block_wait, false)

intptr_t dispatch_semaphore_signal(void *semaphore);
CH_BEHIND(dispatch_semaphore_signal);
intptr_t dispatch_semaphore_signal(void *semaphore) {
  ch_releases_object((uintptr_t)semaphore);
  intptr_t woken = CH_REAL(dispatch_semaphore_signal)(semaphore);
  ch_frees(semaphore, CH_FRAME);
  return woken;
}

void dispatch_group_leave(void *group);
CH_BEHIND(dispatch_group_leave);
void dispatch_group_leave(void *group) {
  ch_releases_object((uintptr_t)group);
  CH_REAL(dispatch_group_leave)(group);
  ch_frees(group, CH_FRAME);
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
// One that is made in a simulation never begins. It is kept, because one that has not begun must not be released.

extern void dispatch_retain(void *);
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
  ch_simulation *s;
  bool leaves = CH_LEAVES(s, "dispatch_source_create");
  void *source = CH_REAL(dispatch_source_create)(type, handle, mask, queue);
  if (!leaves && source) ch_source_created(__builtin_return_address(0));
  made_source *made = leaves && source ? malloc(sizeof *made) : NULL;
  if (!made) return source;
  CH_REAL(dispatch_retain)(source);
  *made = (made_source){source, made_sources};
  made_sources = made;
  return source;
}

#define BEGINS(name)                                               \
  void name(void *object);                                         \
  CH_BEHIND(name);                                                 \
  void name(void *object) {                                        \
    if (ch_current && is_made_here(object)) return;                \
    CH_REAL(name)(object);                                         \
  }
BEGINS(dispatch_resume)
BEGINS(dispatch_activate)
#pragma clang attribute pop
#endif
