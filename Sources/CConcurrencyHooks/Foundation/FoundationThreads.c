// The values that Foundation keeps for a thread, and whether it is the main one. The threads of a simulation are not those of
// the process. They are the main queue's thread, which is also the main actor's; one for each task or block elsewhere; and
// those that the program makes, which are threads of the system.
#define _GNU_SOURCE
#include "RunLoops.h"

#if CH_SUPPORTED
#include <stdlib.h>
#include <string.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { main_thread, first_task, run_loop_slot = 10, few_loops = 16 };

bool ch_is_on_main_thread(const ch_simulation *s) {
  return ch_is_on_main_queue() || swift_task_getCurrentExecutor().identity == s->main.identity;
}

// Finds the simulated thread on which the code here runs, unless that is a thread of the system. An action has none.
static bool find_thread(const ch_simulation *s, uint32_t *number) {
  if (ch_is_on_main_thread(s)) {
    *number = main_thread;
    return true;
  }
  const void *task = ch_is_on_program_thread() ? NULL : ch_running_task();
  if (!task || !ch_record_is_ours(ch_job_record(task))) return false;
  *number = first_task + ch_index_of(ch_job_record(task));
  return true;
}

bool _CFIsMainThread(void);
CH_BEHIND(_CFIsMainThread);
bool _CFIsMainThread(void) {
  ch_simulation *s = ch_in_program();
  return s ? ch_is_on_main_thread(s) : CH_REAL(_CFIsMainThread)();
}

// MARK: values
//
// The values are Swift objects, such as the `Thread` itself and the operation queue whose operation is running.

struct ch_thread_values {
  uint32_t key;
  void *value;  // retained
  struct ch_thread_values *next;
};

static ch_thread_values **find_value(struct ch_run_loops *loops, uint32_t thread, uint32_t key) {
  if (thread >= loops->thread_count) {
    uint32_t count = thread + 64;
    ch_thread_values **grown = realloc(loops->values, count * sizeof *grown);
    if (!grown) abort();
    memset(grown + loops->thread_count, 0, (count - loops->thread_count) * sizeof *grown);
    loops->values = grown;
    loops->thread_count = count;
  }
  ch_thread_values **found = &loops->values[thread];
  while (*found && (*found)->key != key) found = &(*found)->next;
  return found;
}

void *_CFThreadSpecificGet(uint32_t key);
CH_BEHIND(_CFThreadSpecificGet);
void *_CFThreadSpecificGet(uint32_t key) {
  ch_simulation *s = ch_in_program();
  uint32_t thread;
  if (!s || !find_thread(s, &thread)) return CH_REAL(_CFThreadSpecificGet)(key);
  struct ch_run_loops *loops = s->run_loops;
  if (!loops || thread >= loops->thread_count) return NULL;
  ch_thread_values *found = *find_value(loops, thread, key);
  return found ? found->value : NULL;
}

void _CFThreadSpecificSet(uint32_t key, void *value);
CH_BEHIND(_CFThreadSpecificSet);
void _CFThreadSpecificSet(uint32_t key, void *value) {
  ch_simulation *s = ch_in_program();
  uint32_t thread;
  struct ch_run_loops *loops = s && find_thread(s, &thread) ? ch_loops_of(s) : NULL;
  if (!loops) { CH_REAL(_CFThreadSpecificSet)(key, value); return; }
  ch_thread_values **place = find_value(loops, thread, key), *found = *place;
  if (!found) {
    if (!value) return;
    found = *place = calloc(1, sizeof *found);
    if (!found) abort();
    found->key = key;
  }
  // The previous value is not released, as on a thread of the system.
  found->value = value ? swift_retain(value) : NULL;
}

void ch_forget_thread_values(struct ch_run_loops *loops) {
  for (uint32_t n = 0; n < loops->thread_count; n++)
    while (loops->values[n]) {
      ch_thread_values *first = loops->values[n];
      loops->values[n] = first->next;
      if (first->value) swift_release(first->value);
      free(first);
    }
  for (ch_own_loop *own = loops->own; own; own = own->next) own->thread = main_thread;
}

// MARK: run loops

CH_BEHIND(_CFRunLoopGet0);

// Returns the run loop of a thread of Dispatch or of the pool. If many threads have asked for one, a thread reuses the loop
// of one that has done its work.
static void *own_loop(ch_simulation *s, uint32_t thread) {
  struct ch_run_loops *loops = ch_loops_of(s);
  if (!loops) return NULL;
  ch_own_loop *unused = NULL, *left = NULL;
  int count = 0;
  for (ch_own_loop *own = loops->own; own; own = own->next, count++) {
    if (own->thread == thread) return own->loop;
    if (own->thread == main_thread) unused = own;
    else if (!simulator_is_alive(s->scheduler, own->thread - first_task)) left = own;
  }
  ch_own_loop *found = unused ? unused : count >= few_loops ? left : NULL;
  if (!found) {
    found = calloc(1, sizeof *found);
    if (!found) abort();
    ch_set_current(NULL);
    // A loop is identified by its thread. No thread has this address.
    found->loop = CH_REAL(_CFRunLoopGet0)(found);
    ch_set_current(s);
    found->next = loops->own;
    loops->own = found;
  }
  found->thread = thread;
  return found->loop;
}

void *_CFGetTSD(uint32_t slot);
CH_BEHIND(_CFGetTSD);
void *_CFGetTSD(uint32_t slot) {
  ch_simulation *s = slot == run_loop_slot ? ch_in_program() : NULL;
  uint32_t thread;
  void *loop = !s || !find_thread(s, &thread) ? NULL
               : thread == main_thread        ? ch_main_run_loop()
                                              : own_loop(s, thread);
  return loop ? loop : CH_REAL(_CFGetTSD)(slot);
}
#pragma clang attribute pop
#endif
