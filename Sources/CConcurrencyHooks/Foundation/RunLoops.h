// Internal declarations, shared by the files about run loops.
#ifndef CH_RUN_LOOPS_H
#define CH_RUN_LOOPS_H

#include "Queues.h"

#if CH_SUPPORTED
// A timer and its loop, both retained. A timer does not retain its loop, and Foundation takes no lock while it frees a loop: a
// thread that invalidates the timer meanwhile would access freed memory. So a loop outlives the timers on it.
typedef struct ch_kept_timer {
  void *timer, *loop;
  struct ch_kept_timer *next;
  uint32_t turn;  // when it last fired among others that were due with it; 0 if it has not
} ch_kept_timer;

// A timer's descriptor, and the loop that waits for it.
typedef struct {
  int descriptor;
  void *loop;
  int64_t due;  // virtual time; 0 if nothing is due
} ch_alarm;

enum { CH_MOST_ALARMS = 64 };
// In nanoseconds: how far off a time is that Foundation has computed from a `Date`, which is a `double` of seconds.
enum { CH_PRECISION_OF_DATES = 256 };

// The loop of a Dispatch or pool thread.
typedef struct ch_own_loop {
  void *loop;
  uint32_t thread;  // 0 if no thread has it
  struct ch_own_loop *next;
} ch_own_loop;

// The values that Foundation keeps for a thread.
typedef struct ch_thread_values ch_thread_values;

struct ch_run_loops {
  void *main;           // stands in for the main run loop
  void *adds;           // the loop to which a timer is being added
  ch_kept_timer *timers;   // added to any loop
  uint32_t turns;          // the last turn of a timer
  ch_alarm alarms[CH_MOST_ALARMS];
  ch_own_loop *own;
  struct ch_loop_block *blocks;  // waiting on the loops in `own`
  ch_thread_values **values;  // by the thread's number
  uint32_t thread_count;
  struct ch_run_loops *next;  // in the list of those that no simulation uses
};

// Returns the simulation's run loops, made at the first use; null if memory runs out.
struct ch_run_loops *ch_loops_of(ch_simulation *s);
void ch_return_loops(struct ch_run_loops *loops);
// Returns the main run loop of the process, which is the one that the program names.
void *ch_main_run_loop(void);
// Forgets the values of all threads, and which thread has which loop in `own`.
void ch_forget_thread_values(struct ch_run_loops *loops);
// Returns a block that stands for `block` on `loop`. The caller releases it.
void *ch_block_for_loop(struct ch_run_loops *loops, const void *loop, void *block);
// Makes the blocks that have not run do nothing.
void ch_forget_loop_blocks(struct ch_run_loops *loops);
// Returns the loop that a call really means: inside a simulation, the stand-in if the call names the main run loop.
void *ch_meant_loop(void *loop);
// Runs what is due in the stand-in for the main run loop.
void ch_run_main_loop(struct ch_run_loops *loops);
// Decides in which order the timers of a loop fire that are due now.
void ch_order_timers(ch_simulation *s, const void *loop);
// Makes the main queue do the work, not before `delay`, and in any order with other work that comes to it meanwhile: a run loop
// learns of nothing by a queue.
void ch_main_queue_does(ch_simulation *s, ch_work work, int64_t delay);
#endif
#endif
