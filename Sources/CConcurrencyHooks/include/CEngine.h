// The functions that `Simulator` implements, by which the hooks notify and ask the engine.
//
// The compiler compares each with its implementation (`@c @implementation`). They are called when a simulation runs on the
// calling thread, with that simulation's scheduler, which lives until they return.
#ifndef CENGINE_H
#define CENGINE_H

#include "CLocks.h"
#include "CQueues.h"
#include "CParkedSteps.h"
#include "CUserExecutors.h"

#if CH_SUPPORTED

// MARK: tasks, jobs and continuations

void simulator_actor_initialized(void *_Nonnull scheduler, uintptr_t actor);
void simulator_cancels(void *_Nonnull scheduler, void *_Nonnull task);
void simulator_asks_whether_cancelled(void *_Nonnull scheduler, void *_Nonnull task);
void simulator_cancels_group(void *_Nonnull scheduler);
void simulator_continuation_began(void *_Nonnull scheduler, void *_Nonnull task);
bool simulator_continuation_resumed(void *_Nonnull scheduler, void *_Nonnull task);
bool simulator_continuation_dropped(void *_Nonnull scheduler, void *_Nonnull task);
void simulator_enqueued_global(void *_Nonnull scheduler, void *_Nonnull job);
void simulator_enqueued_main(void *_Nonnull scheduler, void *_Nonnull job);
void simulator_enqueued_later(void *_Nonnull scheduler, void *_Nonnull job, int64_t delay);
void simulator_task_started(void *_Nonnull scheduler, void *_Nonnull task, uintptr_t identity,
                            uintptr_t implementation);
bool simulator_puts_off(void *_Nonnull scheduler, void *_Nonnull task);
void simulator_foreign_enqueue(uint64_t record, void *_Nonnull job);
void simulator_resumes(void *_Nonnull scheduler, void *_Nonnull task);
void simulator_completed_twice(void *_Nonnull scheduler, void *_Nullable const *_Nonnull callers, size_t count);
uint64_t simulator_task_created(void *_Nonnull scheduler, void *_Nonnull task, void *_Nullable parent, uintptr_t group,
                                bool discards);
// Says of what type the result of a new task will be. Not called for one that is only bits.
void simulator_result_type(void *_Nonnull scheduler, uint64_t record, const void *_Nonnull type);
// `error` is what the task has thrown; null if it has a result.
void simulator_task_finished(void *_Nonnull scheduler, uint64_t record, void *_Nullable error);
void simulator_asks_executor(void *_Nonnull scheduler, void *_Nonnull job, uintptr_t identity,
                             uintptr_t implementation);
void simulator_task_named(void *_Nonnull scheduler, uint64_t record, const char *_Nonnull name);
void simulator_runs_job(void *_Nonnull scheduler, ch_run *_Nonnull run);
bool simulator_runs_another(void *_Nonnull scheduler);
void simulator_consulted(void *_Nonnull scheduler, void *_Nonnull task);

// MARK: threads and parked steps

// Both name the next driver by calling `ch_hand_over`.
void simulator_drive(void *_Nonnull scheduler);
void simulator_driver_left(void *_Nonnull scheduler);
void simulator_preemption_point(void *_Nonnull scheduler);
void simulator_may_spin(void *_Nonnull scheduler);
void simulator_gives_way(void *_Nonnull scheduler);
// Notes that the step on this thread's stack was abandoned.
void simulator_abandoned(void *_Nonnull scheduler);
bool simulator_is_alive(void *_Nonnull scheduler, uint32_t task);
void simulator_handed_over_by(void *_Nonnull scheduler, ch_work work, void *_Nonnull helper, int64_t delay);
void simulator_thread_made(void *_Nonnull scheduler, struct ch_thread *_Nonnull thread);
void simulator_yields(void *_Nonnull scheduler);
uint64_t simulator_step(void *_Nonnull scheduler);
// Returns a number of the domain of the running step if steps of that domain never overlap, else one of its task.
uint64_t simulator_place_of_step(void *_Nonnull scheduler);
// Notes, with atomic steps, that the running step touches such an object. Returns true if only preemptible steps show what may
// come of it.
bool simulator_meets(void *_Nonnull scheduler, uintptr_t object, ch_side side);
// Does the same for the question whether the running task is canceled.
bool simulator_meets_cancel(void *_Nonnull scheduler, void *_Nonnull task);
// Notes, with atomic steps, that the running step changes something that is observed.
void simulator_changes_observed(void *_Nonnull scheduler);

// MARK: locks, conditions, and what tasks share

// Returns true if the access races with an access of a parked step. Then the caller ends the running step.
// Decides which store a load of an atomic answers, of so many; 0 is the newest one.
uint32_t simulator_loads(void *_Nonnull scheduler, uint32_t options);
void simulator_loaded_older(void *_Nonnull scheduler);
bool simulator_races(void *_Nonnull scheduler, uintptr_t address, uintptr_t size, bool writes, bool frees,
                     uintptr_t place);
void simulator_at_access(void *_Nonnull scheduler, uintptr_t address, uint32_t size, bool writes, uintptr_t place,
                         bool is_sought);
// Decides which of so many timers of a run loop that are due together fires next, after `fired` of them.
uint32_t simulator_picks_timer(void *_Nonnull scheduler, uint32_t fired, uint32_t options);
// Returns true if another step ended the wait, false if its time ran out.
bool simulator_waits(void *_Nonnull scheduler, ch_wait_subject subject, uintptr_t object, int64_t until);
void simulator_frees(void *_Nonnull scheduler, uintptr_t object);
int simulator_waiting(void *_Nonnull scheduler, uintptr_t object);
bool simulator_signals(void *_Nonnull scheduler, uintptr_t condition);
bool simulator_is_held(void *_Nonnull scheduler, uintptr_t lock);
// Returns true if a parked step is about to try to take the lock.
bool simulator_is_tried(void *_Nonnull scheduler, uintptr_t lock);
void simulator_shares_unseen(void *_Nonnull scheduler, const char *_Nonnull name);
bool simulator_waits_for_lock(void *_Nonnull scheduler, uintptr_t lock);
void simulator_took_lock(void *_Nonnull scheduler, uintptr_t lock, ch_lock_kind kind);
// Returns the kind as which the lock was taken, or the library's if that is unknown.
ch_lock_kind simulator_unlocked(void *_Nonnull scheduler, uintptr_t lock);
bool simulator_holds_any(void *_Nonnull scheduler);
bool simulator_waits_for_thread(void *_Nonnull scheduler, uintptr_t lock, uint32_t thread);
void simulator_stream_made(void *_Nonnull scheduler, uintptr_t storage, size_t size);
void simulator_stream_reached(void *_Nonnull scheduler, uintptr_t lock);
// Decides which random numbers the program gets; 0 for the usual ones.
uint64_t simulator_draw(void *_Nonnull scheduler);
void simulator_uses(void *_Nonnull scheduler, uintptr_t object, bool only_reads);
// Called when the running step frees an object to which weak or unowned references refer.
void simulator_frees_seen_object(void *_Nonnull scheduler);
void simulator_made(void *_Nonnull scheduler, uintptr_t object);
void simulator_unmade(void *_Nonnull scheduler, uintptr_t object);

// MARK: queues, groups, sources

void simulator_handed_over(void *_Nonnull scheduler, ch_work work, int64_t delay, bool is_calendar_time);
bool simulator_notifies(void *_Nonnull scheduler, ch_work work);
bool simulator_uses_work_item(void *_Nonnull scheduler, void *_Nonnull group);
void simulator_enters_group(void *_Nonnull scheduler, void *_Nonnull group);
void simulator_left_group(void *_Nonnull scheduler, void *_Nonnull group);
bool simulator_releases_last(void *_Nonnull scheduler, void *_Nonnull object);
void simulator_released_last(void *_Nonnull scheduler, void *_Nonnull object);
bool simulator_sets_specific(void *_Nonnull scheduler, void *_Nonnull queue, const void *_Nonnull key,
                             void *_Nullable context, void (*_Nullable destructor)(void *_Nullable));
bool simulator_changes_queue(void *_Nonnull scheduler, void *_Nonnull queue, int change);
bool simulator_source_resumes(void *_Nonnull scheduler, void *_Nonnull source, int change);
int simulator_enters_queue(void *_Nonnull scheduler, void *_Nonnull queue, bool is_barrier);
void simulator_leaves_queue(void *_Nonnull scheduler, int turn);
void simulator_applies(void *_Nonnull scheduler, void *_Nonnull queue, size_t count, void *_Nonnull context,
                       void (*_Nonnull one)(void *_Nullable));
void simulator_retargets(void *_Nonnull scheduler, void *_Nonnull queue, void *_Nullable target);
void simulator_queue_made(void *_Nonnull scheduler, void *_Nonnull queue);
void simulator_source_made(void *_Nonnull scheduler, void *_Nonnull source, void *_Nonnull queue);
bool simulator_source_retargets(void *_Nonnull scheduler, void *_Nonnull source, void *_Nonnull queue);
void simulator_source_handles(void *_Nonnull scheduler, void *_Nonnull source, ch_work work, int which);
void simulator_source_set(void *_Nonnull scheduler, void *_Nonnull source, int64_t delay, int64_t interval,
                          bool has_calendar_time);
void simulator_source_cancels(void *_Nonnull scheduler, void *_Nonnull source);
// Returns how often the source had fired when its handler was last called.
uintptr_t simulator_source_data(void *_Nonnull scheduler, void *_Nonnull source);
bool simulator_source_is_cancelled(void *_Nonnull scheduler, void *_Nonnull source);

// MARK: escapes

void simulator_left(void *_Nonnull scheduler, const char *_Nonnull name, void *_Nullable const *_Nonnull frames,
                    int count);
// Called when all hooks are installed. Null if a program links the hooks without the engine.
void simulator_prepare(void) __attribute__((weak));
void simulator_may_end(void *_Nonnull scheduler, int way, int number, void *_Nullable const *_Nonnull frames,
                       int count);
bool simulator_visited(uint64_t tag);

#endif
#endif
