// Queues of Dispatch inside a simulation.
#ifndef CH_QUEUES_H
#define CH_QUEUES_H

#include "CConcurrencyHooks.h"

#if CH_SUPPORTED

// What a program has handed to a queue: a block, of which this owns a copy, or a function.
typedef struct {
  void *_Nullable block;
  void (*_Nullable function)(void *_Nullable);
  void *_Nullable context;
  void *_Nullable queue;   // as the program named it
  void *_Nullable group;   // entered when it was handed over, and left when it is done
  bool is_barrier;
} ch_work;

// Does it, in a step: no task is current meanwhile, as on a thread of Dispatch's.
void ch_do_work(ch_work work);
// The same where that is so already.
void ch_call_work(ch_work work);
// Where the code of it begins.
uintptr_t ch_code_of_work(ch_work work);
// Leaves the group of `work`, and answers whether that has become empty; false where it has none.
bool ch_leaves_group_of_work(ch_work work);
// The group that a work item leaves when it has been done; null for any other block. Asked while the block is alive.
void *_Nullable ch_work_item_group(ch_work work);
// Whether nothing is in the group any more.
bool ch_is_group_empty(void *_Nonnull group);

// The running step does what only an overlap of steps may show.
void ch_is_shared(void);
// The body of a thread, which runs on that.
ch_work ch_work_of_thread(struct ch_thread *_Nonnull thread);
// Another reference to the block of `work`, if it has one.
ch_work ch_work_again(ch_work work);
void ch_forget_work(ch_work work);
// A group, of which the caller has the only reference.
void *_Nonnull ch_make_group(void);
void ch_end_group(void *_Nonnull group);
void ch_enter_group(void *_Nonnull group);

// Runs a job of this executor's, which runs its jobs on the queue.
void ch_run_job_on_queue(void *_Nonnull job, ch_executor executor, void *_Nonnull queue);
// The queue on which the code on this thread runs; null where it is on none.
void *_Nullable ch_innermost_queue(void);
void *_Nonnull ch_main_queue(void);
void *_Nonnull ch_global_queue(void);
// One of the simulator's own: the thread that hands over what has waited for time.
void *_Nonnull ch_timer_queue(void);
// The four kinds of queues.
enum { CH_MAIN_QUEUE, CH_SERIAL_QUEUE, CH_CONCURRENT_QUEUE, CH_GLOBAL_QUEUE };
int ch_kind_of_queue(const void *_Nonnull queue);
// The queue that it sends its work to; null where that is a global one.
void *_Nullable ch_target_of_queue(const void *_Nonnull queue);
const char *_Nonnull ch_label_of_queue(void *_Nonnull queue);
// Whether it has been made as one that begins later, and has not begun; and how often it was suspended outside of a
// simulation.
bool ch_is_inactive_queue(const void *_Nonnull queue);
int ch_suspensions_of_queue(const void *_Nonnull queue);
// What becomes of a queue or a source: it goes on, stops or begins.
enum { CH_RESUMES, CH_SUSPENDS, CH_ACTIVATES };
// Keeps a queue, a group or a source alive, or no more. The program's references are counted apart.
void ch_retain_dispatch(void *_Nonnull object);
void ch_release_dispatch(void *_Nonnull object);
// Whether the program has no reference to it any more.
bool ch_is_released(const void *_Nonnull object);
// Whether nothing but one reference of the execution's keeps it: no other queue sends its work there.
bool ch_is_kept_by_us_alone(const void *_Nonnull queue);
// A queue that has not begun begins, so that its life may end.
void ch_begin_queue(void *_Nonnull queue);

// What a queue keeps under a key, and what is done with that at the end.
typedef struct {
  const void *_Nonnull key;
  void *_Nonnull context;
  void (*_Nonnull destructor)(void *_Nullable);
} ch_specific;
// The queue outlives the execution, and does that itself from now on.
void ch_restore_specific(void *_Nonnull queue, ch_specific specific);
void ch_end_specific(ch_specific specific);

// What the running task has done so far happens before what another does that acquires the same object later.
void ch_queue_releases(uintptr_t object);
void ch_queue_acquires(uintptr_t object);

// Ends the timers that the execution has added to run loops.
void ch_forget_run_loops(ch_simulation *_Nonnull s);

// Whether the code on this thread runs on the main queue, as a block or within `sync`.
bool ch_is_on_main_queue(void);
// The task that runs on this thread, also while it is a block's, which sees none.
void *_Nullable ch_running_task(void);

#endif
#endif
