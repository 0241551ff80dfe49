// A simulation has a main run loop of its own. What the program does with the main run loop of the process goes to a stand-in,
// which lasts for one execution. No thread runs the stand-in, so the main queue does, whenever one of its timers is due or a
// call wakes it up.
#define _GNU_SOURCE
#include "RunLoops.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct ch_run_loops *unused;

// Forgets the loops in a child of `fork`, which would share their descriptors with its parent.
static void forked(void) { unused = NULL; }
__attribute__((constructor)) static void watch_forks(void) {
  if (pthread_atfork(NULL, NULL, forked)) abort();
}

CH_BEHIND(_CFRunLoopGet0);

void ch_return_loops(struct ch_run_loops *loops) {
  ch_lock_untold(&guard);
  loops->next = unused;
  unused = loops;
  ch_unlock_untold(&guard);
}

static struct ch_run_loops *take_unused(void) {
  ch_lock_untold(&guard);
  struct ch_run_loops *found = unused;
  if (found) unused = found->next;
  ch_unlock_untold(&guard);
  if (found) return found;
  found = calloc(1, sizeof *found);
  // A loop is identified by its thread, and no thread has this address.
  if (found) found->main = CH_REAL(_CFRunLoopGet0)(found);
  return found;
}

struct ch_run_loops *ch_loops_of(ch_simulation *s) {
  if (s->run_loops) return s->run_loops;
  ch_set_current(NULL);
  s->run_loops = take_unused();
  ch_set_current(s);
  return s->run_loops;
}

extern void *CFRunLoopGetMain(void);
CH_BEHIND(CFRunLoopGetMain);
void *ch_main_run_loop(void) {
  static void *_Atomic found;
  if (!found) {
    ch_simulation *s = ch_current;
    ch_set_current(NULL);
    found = CH_REAL(CFRunLoopGetMain)();
    ch_set_current(s);
  }
  return found;
}

// Returns the loop that a call really means.
void *ch_meant_loop(void *loop) {
  ch_simulation *s = ch_in_program();
  if (!s || loop != ch_main_run_loop()) return loop;
  struct ch_run_loops *loops = ch_loops_of(s);
  return loops ? loops->main : loop;
}

#define MEANT(type, name, parameters, ...)             \
  type name parameters;                                \
  CH_BEHIND(name);                                     \
  type name parameters { return CH_REAL(name)(ch_meant_loop(loop), ##__VA_ARGS__); }

MEANT(void, CFRunLoopRemoveTimer, (void *loop, void *timer, const void *mode), timer, mode)
MEANT(bool, CFRunLoopContainsTimer, (void *loop, void *timer, const void *mode), timer, mode)
MEANT(void, CFRunLoopAddSource, (void *loop, void *source, const void *mode), source, mode)
MEANT(void, CFRunLoopRemoveSource, (void *loop, void *source, const void *mode), source, mode)
MEANT(bool, CFRunLoopContainsSource, (void *loop, void *source, const void *mode), source, mode)
MEANT(void, CFRunLoopAddObserver, (void *loop, void *observer, const void *mode), observer, mode)
MEANT(void, CFRunLoopRemoveObserver, (void *loop, void *observer, const void *mode), observer, mode)
MEANT(bool, CFRunLoopContainsObserver, (void *loop, void *observer, const void *mode), observer, mode)
MEANT(void, CFRunLoopAddCommonMode, (void *loop, const void *mode), mode)
MEANT(void *, CFRunLoopCopyCurrentMode, (void *loop))
MEANT(void *, CFRunLoopCopyAllModes, (void *loop))
MEANT(double, CFRunLoopGetNextTimerFireDate, (void *loop, const void *mode), mode)
MEANT(bool, CFRunLoopIsWaiting, (void *loop))
MEANT(void, CFRunLoopStop, (void *loop))
MEANT(bool, _CFRunLoopFinished, (void *loop, const void *mode), mode)
MEANT(int32_t, CFRunLoopRunSpecific, (void *loop, const void *mode, double seconds, bool returns), mode, seconds, returns)

// MARK: what the main queue does

static const void *default_mode(void) {
  const void **mode = dlsym(RTLD_DEFAULT, "kCFRunLoopDefaultMode");
  return mode ? *mode : NULL;
}

void ch_run_main_loop(struct ch_run_loops *loops) {
  const void *mode = default_mode();
  if (mode) CH_REAL(CFRunLoopRunSpecific)(loops->main, mode, 0, false);
}

CH_BEHIND(dispatch_get_global_queue);

void ch_main_queue_does(ch_simulation *s, ch_work work, int64_t delay) {
  work.queue = ch_main_queue();
  simulator_handed_over_by(s->scheduler, work, CH_REAL(dispatch_get_global_queue)(0, 0), delay > 0 ? delay : 0);
}

// Hands a block for the main run loop to the main queue. The blocks of the loop keep their order.
CH_BEHIND(_Block_copy);
CH_BEHIND(_Block_release);
void CFRunLoopPerformBlock(void *loop, void *mode, void *block);
CH_BEHIND(CFRunLoopPerformBlock);
void CFRunLoopPerformBlock(void *loop, void *mode, void *block) {
  ch_simulation *s = ch_in_program();
  if (!s || loop != ch_main_run_loop()) {
    void *own = s ? ch_block_for_loop(s->run_loops, loop, block) : NULL;
    CH_REAL(CFRunLoopPerformBlock)(loop, mode, own ? own : block);
    if (own) CH_REAL(_Block_release)(own);
    return;
  }
  ch_work work = {.block = CH_REAL(_Block_copy)(block), .queue = ch_main_queue()};
  simulator_handed_over_by(s->scheduler, work, ch_run_loop_queue(), 0);
  ch_is_shared();
  ch_preemption_point_without_locks(s, CH_FRAME);
}
#pragma clang attribute pop
#endif
