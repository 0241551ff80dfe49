// Dispatch queues inside a simulation.
#ifndef CH_QUEUES_H
#define CH_QUEUES_H

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED

// Work that a program has handed to a queue: a block, of which this owns a copy, or a function.
typedef struct {
  void *_Nullable block;
  void (*_Nullable function)(void *_Nullable);
  void *_Nullable context;
  void *_Nullable queue;   // as the program named it
  void *_Nullable group;   // entered when the work was handed over, left when it is done
  bool is_barrier;
} ch_work;

// Does the work, in a step. No task is current meanwhile, as on a thread of Dispatch.
// Does the work. If it is a work item that was cancelled, and `has_begun`, its block runs all the same.
void ch_do_work(ch_work work, bool has_begun);
// Returns true if the work is a work item that was cancelled.
bool ch_is_cancelled_item(ch_work work);
// Does the work if no task is current already.
void ch_call_work(ch_work work);
// Returns where the code of the work begins.
uintptr_t ch_code_of_work(ch_work work);
// Leaves the group of `work`, and returns true; returns false if it has none.
bool ch_leaves_group_of_work(ch_work work);
// Returns the group that a work item leaves when it is done; null for any other block. The block must be alive.
void *_Nullable ch_work_item_group(ch_work work);
// Returns true if the group is empty.
bool ch_is_group_empty(void *_Nonnull group);

// Notes that the running step does something whose effect only preemptible steps may show.
void ch_is_shared(void);
// Returns the body of a thread as work, which runs on that thread.
ch_work ch_work_of_thread(struct ch_thread *_Nonnull thread);
// Returns `work` with another reference to its block, if it has one. `ch_forget_work` releases a reference.
ch_work ch_work_again(ch_work work);
void ch_forget_work(ch_work work);
// Makes a group, to which the caller has the only reference.
void *_Nonnull ch_make_group(void);
void ch_end_group(void *_Nonnull group);
void ch_enter_group(void *_Nonnull group);

// Runs a job of this executor, which runs its jobs on the queue.
void ch_run_job_on_queue(void *_Nonnull job, ch_executor executor, void *_Nonnull queue);
// Returns the queue on which the code on this thread runs; null if it is on none.
void *_Nullable ch_innermost_queue(void);
void *_Nonnull ch_main_queue(void);
void *_Nonnull ch_global_queue(void);
// Returns a queue of the simulator's own. It represents the thread that hands over work whose time has come.
void *_Nonnull ch_timer_queue(void);
// The four kinds of queues.
enum { CH_MAIN_QUEUE, CH_SERIAL_QUEUE, CH_CONCURRENT_QUEUE, CH_GLOBAL_QUEUE };
int ch_kind_of_queue(const void *_Nonnull queue);
// Returns the queue that this queue sends its work to; null if that is a global one.
void *_Nullable ch_target_of_queue(const void *_Nonnull queue);
// Returns the quality of service of the threads that do this queue's work.
unsigned ch_quality_of_queue(const void *_Nonnull queue);
const char *_Nonnull ch_label_of_queue(void *_Nonnull queue);
// Returns true if the queue was created inactive and has not been activated. `ch_suspensions_of_queue` returns the number of
// its suspensions outside of a simulation.
bool ch_is_inactive_queue(const void *_Nonnull queue);
int ch_suspensions_of_queue(const void *_Nonnull queue);
// The changes to a queue or a source: it is resumed, suspended or activated.
enum { CH_RESUMES, CH_SUSPENDS, CH_ACTIVATES };
// Retains, or releases, a queue, a group or a source. The program's references are counted separately.
void ch_retain_dispatch(void *_Nonnull object);
void ch_release_dispatch(void *_Nonnull object);
// Returns true if the program has no reference to the object any more.
bool ch_is_released(const void *_Nonnull object);
// Returns true if only one reference of the execution keeps the queue alive: no other queue sends its work there.
bool ch_is_kept_by_us_alone(const void *_Nonnull queue);
// Activates a queue that is still inactive, so that it can be destroyed.
void ch_begin_queue(void *_Nonnull queue);

// A value that a queue keeps under a key, and the function that destroys the value at the end.
typedef struct {
  const void *_Nonnull key;
  void *_Nonnull context;
  void (*_Nonnull destructor)(void *_Nullable);
} ch_specific;
// `ch_restore_specific` gives the value back to a queue that outlives the execution and will destroy the value itself.
// `ch_end_specific` destroys it now.
void ch_restore_specific(void *_Nonnull queue, ch_specific specific);
void ch_end_specific(ch_specific specific);

// Notes that what the running task has done so far happens before what another task does after it acquires the same object.
void ch_queue_releases(uintptr_t object);
void ch_queue_acquires(uintptr_t object);

// Ends the timers that the execution has added to run loops.
void ch_forget_run_loops(ch_simulation *_Nonnull s);

// Returns true if the code on this thread runs on the main queue, as a block or within `sync`.
bool ch_is_on_main_queue(void);
// Returns the task that runs on this thread, even while it runs a block, for which no task is current.
void *_Nullable ch_running_task(void);

#endif
#endif
