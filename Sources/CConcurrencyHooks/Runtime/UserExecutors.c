// Executors that the program implements. Each is asked to take a job just as the runtime would ask it. It runs the job when it
// chooses, in the middle of a step, through `runSynchronously`.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <stdatomic.h>

ch_run_function *ch_run_on_executors;

// MARK: task executors

enum { most_pools = 4 };
static _Atomic uintptr_t pools[most_pools];

void ch_is_pool(uintptr_t executor) {
  for (int n = 0; n < most_pools; n++) {
    uintptr_t none = 0;
    if (atomic_load(&pools[n]) == executor || atomic_compare_exchange_strong(&pools[n], &none, executor)) return;
  }
}

bool ch_is_preferred(ch_simulation *s, uintptr_t executor) {
  if (!executor) return false;
  for (int n = 0; n < most_pools; n++)
    if (atomic_load(&pools[n]) == executor) return false;
  s->execution.prefers = true;
  return true;
}

extern SWIFTCC ch_executor swift_task_getPreferredTaskExecutor(void);

ch_executor ch_preference(void) { return swift_task_getCurrent() ? swift_task_getPreferredTaskExecutor() : (ch_executor){0, 0}; }

bool ch_prefers(const ch_simulation *s) {
  return s->execution.prefers && swift_task_getCurrent() && swift_task_getPreferredTaskExecutor().identity;
}

// MARK: which executor is asked

static _Thread_local ch_run *innermost __attribute__((tls_model("initial-exec")));

void ch_forget_runs(void) { innermost = NULL; }
bool ch_runs_within(void) { return innermost; }

bool ch_asks_program(const ch_simulation *s, uintptr_t identity, uintptr_t implementation) {
  if (ch_is_users(s, identity, implementation)) return !ch_runs_on(identity);
  if (!s->execution.prefers || implementation) return false;
  ch_executor preferred = swift_task_getPreferredTaskExecutor();
  bool is_here = !innermost || innermost->task.identity == preferred.identity;
  if (identity) return preferred.identity && !(ch_runs_on(identity) && is_here);
  return preferred.identity && !(ch_runs_on(0) && innermost && innermost->task.identity == preferred.identity);
}

extern SWIFTCC void swift_task_enqueue(void *job, uintptr_t identity, uintptr_t implementation);
void ch_enqueue(void *job, ch_executor executor) { swift_task_enqueue(job, executor.identity, executor.implementation); }

// MARK: jobs that the program runs

void ch_run_within(ch_run *run) {
  run->outer = innermost;
  innermost = run;
  ch_run_on_executors(run->job, run->serial.identity, run->serial.implementation, run->task.identity,
                      run->task.implementation);
  innermost = run->outer;
}

void ch_goes_on(void) {
  ch_is_shared();
  ch_preemption_point_without_locks(ch_current, CH_FRAME);
}

// Runs a job in its simulation. Returns false if the call does not belong to a simulation.
static bool runs(ch_run run, void *const *frame) {
  ch_simulation *s = ch_in_program();
  uint64_t record = ch_job_record(run.job);
  bool is_simulated = ch_job_kind(run.job) == CH_KIND_TASK && ch_record_is_ours(record);
  if (is_simulated && !ch_current) simulator_foreign_enqueue(record, run.job);
  // A job that another execution has left behind never runs.
  if (is_simulated && (!ch_current || ch_tag_of(record) != ch_current->execution.tag)) return true;
  if (!s || !ch_belongs(s, run.job)) return false;
  // Other steps may see the effects of the jobs that this step has already run, before it runs this one.
  if (simulator_runs_another(s->scheduler)) ch_goes_on();
  if (ch_job_kind(run.job) == CH_KIND_DRAIN) {
    ch_callers found = {.count = 0};
    ch_find_callers(frame, &found);
    ch_left(s, "TaskExecutor", &found);
    ch_leave_step(s);
  }
  simulator_runs_job(s->scheduler, &run);
  return true;
}

SWIFTCC void swift_job_run(void *job, uintptr_t identity, uintptr_t implementation) {
  static void *_Atomic real;
  if (runs((ch_run){job, {identity, implementation}}, CH_FRAME)) return;
  ((SWIFTCC void (*)(void *, uintptr_t, uintptr_t))ch_real(&real, "swift_job_run"))(job, identity, implementation);
}

SWIFTCC void swift_job_run_on_task_executor(void *job, uintptr_t identity, uintptr_t implementation) {
  if (!runs((ch_run){job, {0, 0}, {identity, implementation}}, CH_FRAME))
    ch_run_on_executors(job, 0, 0, identity, implementation);
}

SWIFTCC void swift_job_run_on_serial_and_task_executor(void *job, uintptr_t identity, uintptr_t implementation,
                                                       uintptr_t task_identity, uintptr_t task_implementation) {
  if (!runs((ch_run){job, {identity, implementation}, {task_identity, task_implementation}}, CH_FRAME))
    ch_run_on_executors(job, identity, implementation, task_identity, task_implementation);
}

void ch_install_executors(void) {
  ch_run_on_executors = ch_behind_us("swift_job_run_on_serial_and_task_executor");
}
#endif
