// Where jobs go: to the scheduler, instead of the pool, the main queue or a timer of the system's; and hops, which
// every `await` that changes the executor makes.
#define _GNU_SOURCE
#include "Visitors.h"

#if CH_SUPPORTED
extern void simulator_enqueued_global(void *scheduler, void *job);
extern void simulator_enqueued_main(void *scheduler, void *job);
extern void simulator_enqueued_later(void *scheduler, void *job, int64_t delay);
extern void simulator_foreign_enqueue(uint64_t record, void *job);

typedef SWIFTCC void enqueue_original(void *job);
typedef SWIFTCC void delay_original(unsigned long long delay, void *job);
typedef SWIFTCC void deadline_original(long long, long long, long long, long long, int, void *job);

SWIFTCC static void enqueue_global(void *job, enqueue_original *original) {
  ch_simulation *s = ch_current;
  if (s) {
    if (s->execution.creating) { s->execution.adopted = job; return; }
    if (ch_belongs(s, job)) {
      simulator_enqueued_global(s->scheduler, job);
      if (job != ch_running_task() && ch_job_kind(job) != CH_KIND_YIELD) ch_set_free(s);
      return;
    }
  }
  uint64_t record = ch_job_record(job);
  if (ch_job_kind(job) == CH_KIND_TASK && ch_record_is_ours(record)) {
    simulator_foreign_enqueue(record, job);
    return;
  }
  original(job);
}

SWIFTCC static void enqueue_global_with_delay(unsigned long long delay, void *job, delay_original *original) {
  ch_simulation *s = ch_current;
  if (s) simulator_enqueued_later(s->scheduler, job, (int64_t)delay);
  else original(delay, job);
}

SWIFTCC static void enqueue_global_with_deadline(long long sec, long long nsec, long long tsec, long long tnsec,
                                                 int clock, void *job, deadline_original *original) {
  ch_simulation *s = ch_current;
  if (!s) { original(sec, nsec, tsec, tnsec, clock, job); return; }
  int64_t deadline = (int64_t)sec * 1000000000 + nsec;
  int64_t base = (int64_t)86400 * 1000000000;  // both monotonic clocks start here, see Clocks.c
  simulator_enqueued_later(s->scheduler, job, deadline - base - s->execution.now);
}

SWIFTCC static void enqueue_main(void *job, enqueue_original *original) {
  ch_simulation *s = ch_current;
  if (s && ch_belongs(s, job)) {
    simulator_enqueued_main(s->scheduler, job);
    if (job != ch_running_task()) ch_set_free(s);
    return;
  }
  uint64_t record = ch_job_record(job);
  if (ch_job_kind(job) == CH_KIND_TASK && ch_record_is_ours(record)) {
    simulator_foreign_enqueue(record, job);
    return;
  }
  original(job);
}

// MARK: hops

typedef __attribute__((swiftasynccall)) void resume_function(__attribute__((swift_async_context)) void *);
typedef __attribute__((swiftasynccall)) void switch_function(__attribute__((swift_async_context)) void *,
                                                             resume_function *, uintptr_t, uintptr_t);
static switch_function *original_switch;

// Every `await` that changes the executor comes through here. A hop to where we already are is none: the
// original sees that and goes on at once. Any other is sent to our hop executor, whose `enqueue` is called on
// the spot, so that the target remembered here belongs to the job that arrives there.
__attribute__((swiftasynccall)) void swift_task_switch(__attribute__((swift_async_context)) void *context,
                                                       resume_function *resume, uintptr_t identity,
                                                       uintptr_t implementation) {
  ch_simulation *s = ch_current;
  if (!s && ch_is_barred(identity, implementation)) return;
  if (s && swift_task_getCurrentExecutor().identity != identity) {
    s->execution.hop_target = (ch_executor){identity, implementation};
    identity = s->hop.identity;
    implementation = s->hop.implementation;
  }
  __attribute__((musttail)) return original_switch(context, resume, identity, implementation);
}

void ch_install_jobs(void) {
  original_switch = ch_behind_us("swift_task_switch");
  ch_set_hook("swift_task_enqueueGlobal_hook", enqueue_global);
  ch_set_hook("swift_task_enqueueGlobalWithDelay_hook", enqueue_global_with_delay);
  ch_set_hook("swift_task_enqueueGlobalWithDeadline_hook", enqueue_global_with_deadline);
  ch_set_hook("swift_task_enqueueMainExecutor_hook", enqueue_main);
}
#endif
