// What the files about run loops share, and no other file sees.
#ifndef CH_RUN_LOOPS_H
#define CH_RUN_LOOPS_H

#include "Queues.h"

#if CH_SUPPORTED
// Both are retained. A timer does not retain the loop that it is on, and Foundation takes no lock as it frees a loop: who
// invalidated the timer meanwhile, on another thread, would reach what is freed. So a loop outlives the timers on it.
typedef struct ch_kept_timer {
  void *timer, *loop;
  struct ch_kept_timer *next;
} ch_kept_timer;

// A descriptor of a timer's, and the loop that waits for it.
typedef struct {
  int descriptor;
  void *loop;
  int64_t due;  // virtual; 0 where nothing is
} ch_alarm;

enum { CH_MOST_ALARMS = 64 };

// The loop of a thread of Dispatch's or of the pool.
typedef struct ch_own_loop {
  void *loop;
  uint32_t thread;  // 0 where it is no thread's
  struct ch_own_loop *next;
} ch_own_loop;

// What is kept of a thread.
typedef struct ch_thread_values ch_thread_values;

struct ch_run_loops {
  void *main;           // stands in for the main run loop
  void *adds;           // the loop to which a timer is being added
  ch_kept_timer *timers;   // what has been added to any
  ch_alarm alarms[CH_MOST_ALARMS];
  ch_own_loop *own;
  struct ch_loop_block *blocks;  // that wait on those
  ch_thread_values **values;  // by the number of the thread
  uint32_t thread_count;
  struct ch_run_loops *next;  // of those that no simulation uses
};

// Those of the simulation, made at the first use; null where there is no room.
struct ch_run_loops *ch_loops_of(ch_simulation *s);
void ch_return_loops(struct ch_run_loops *loops);
// That of the process, which the program names.
void *ch_main_run_loop(void);
// Forgets what threads have kept, and whose the loops of their own are.
void ch_forget_thread_values(struct ch_run_loops *loops);
// What stands for `block` on `loop`: a reference that the caller releases.
void *ch_block_for_loop(struct ch_run_loops *loops, const void *loop, void *block);
// Ends the blocks that have not run.
void ch_forget_loop_blocks(struct ch_run_loops *loops);
// The loop that a call is really about: inside a simulation another one where it names the main run loop.
void *ch_meant_loop(void *loop);
// Runs what is due in the one that stands in for the main run loop.
void ch_run_main_loop(struct ch_run_loops *loops);
// The main queue does this, not before `delay`, and in any order with what else comes to it meanwhile: a run loop learns of
// nothing by a queue.
void ch_main_queue_does(ch_simulation *s, ch_work work, int64_t delay);
#endif
#endif
