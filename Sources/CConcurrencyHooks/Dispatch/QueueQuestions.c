// The program's questions about queues: on which queue does it run, and is that the right one?
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED
#include <stdio.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

const char *dispatch_queue_get_label(void *queue);
CH_BEHIND(dispatch_queue_get_label);
const char *ch_label_of_queue(void *queue) { return CH_REAL(dispatch_queue_get_label)(queue); }

static bool leads_to(const void *from, const void *queue) {
  for (int depth = 0; from && depth < 16; depth++) {
    if (from == queue) return true;
    from = ch_target_of_queue(from);
  }
  return false;
}

static bool is_on(const ch_simulation *s, const void *queue) {
  for (const ch_queue_frame *each = ch_innermost; each; each = each->outer)
    if (leads_to(each->queue, queue)) return true;
  return queue == ch_main_queue() && ch_runs_on(s->main.identity);
}

static bool is_on_as_barrier(const ch_simulation *s, const void *queue) {
  if (ch_kind_of_queue(queue) != CH_CONCURRENT_QUEUE) return is_on(s, queue);
  for (const ch_queue_frame *each = ch_innermost; each; each = each->outer)
    if (each->queue == queue && each->is_barrier) return true;
  return false;
}

void *ch_innermost_queue(void) { return ch_innermost ? ch_innermost->queue : NULL; }

bool ch_is_on_main_queue(void) {
  for (const ch_queue_frame *each = ch_innermost; each; each = each->outer)
    if (each->queue == ch_main_queue()) return true;
  return false;
}

// If the answer is no, Dispatch's own function says so and ends the process, because its thread is on no queue.
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
  void *queue = ch_innermost ? ch_innermost->queue : NULL;
  if (!queue && swift_task_getCurrentExecutor().identity == s->main.identity) queue = ch_main_queue();
  for (int depth = 0; queue && depth < 16; depth++) {
    void *value = ch_is_global_queue(queue) ? NULL : CH_REAL(dispatch_queue_get_specific)(queue, key);
    if (value) return value;
    queue = ch_target_of_queue(queue);
  }
  return NULL;
}

const char *dispatch_queue_get_label(void *queue) {
  if (!queue && ch_innermost && ch_in_program()) queue = ch_innermost->queue;
  return CH_REAL(dispatch_queue_get_label)(queue);
}

#pragma clang attribute pop
#endif
