// Jobs go to the scheduler, instead of to the pool, the main queue or a timer of the system. So do hops: each `await` that
// changes the executor makes one.
#define _GNU_SOURCE
#include "ForeignTasks.h"

#if CH_SUPPORTED

typedef SWIFTCC void enqueue_original(void *job);
typedef SWIFTCC void delay_original(unsigned long long delay, void *job);
typedef SWIFTCC void deadline_original(long long, long long, long long, long long, int, void *job);

SWIFTCC static void enqueue_global(void *job, enqueue_original *original) {
  ch_simulation *s = ch_current;
  if (s) {
    if (s->execution.creating) { s->execution.adopted = job; return; }
    if (job == s->execution.starting) { simulator_task_started(s->scheduler, job, 0, 0); return; }
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
extern SWIFTCC void *swift_task_alloc(size_t size);
extern SWIFTCC void swift_task_dealloc(void *memory);

// A task that goes to one of the program's executors first ends its step, and asks the executor only in the next one: other
// tasks may get there before. Until it asks, it keeps the domain that it leaves. `context` and `resume` are where an async
// context has its caller.
typedef struct {
  void *context;
  resume_function *resume;
  ch_executor target;
} put_off;

// Returns the executor to switch to. A default actor keeps its own order; the program's executor is asked only to run its
// jobs.
static ch_executor goes_to(ch_executor target) {
  ch_simulation *s = ch_current;
  if (!s || !target.identity || target.implementation) return target;
  s->execution.hop_target = target;
  s->execution.hop_has_preference = true;
  // Read now, because no task is current in the middle of the switch.
  s->execution.hop_preference = ch_preference();
  return s->hop;
}

// Called with the first argument alone. The others are there because `musttail` calls only a function of the same type.
static __attribute__((swiftasynccall)) void asks_now(__attribute__((swift_async_context)) void *argument,
                                                     resume_function *a, uintptr_t b, uintptr_t c) {
  put_off later = *(put_off *)argument;
  swift_task_dealloc(argument);
  ch_executor target = goes_to(later.target);
  __attribute__((musttail)) return original_switch(later.context, later.resume, target.identity, target.implementation);
}

// Every `await` that changes the executor comes through here. A switch to the current executor is not a hop: the original
// function sees that and goes on at once. Any other goes to our hop executor, whose `enqueue` is called immediately, so the
// target that is noted here belongs to the job that arrives there.
__attribute__((swiftasynccall)) void swift_task_switch(__attribute__((swift_async_context)) void *context,
                                                       resume_function *resume, uintptr_t identity,
                                                       uintptr_t implementation) {
  ch_simulation *s = ch_current;
  if (!s && ch_is_barred(identity, implementation)) return;
  if (s && ch_asks_program(s, identity, implementation)) {
    void *task = swift_task_getCurrent();
    if (simulator_puts_off(s->scheduler, task)) {
      put_off *later = swift_task_alloc(sizeof(put_off));
      *later = (put_off){context, resume, {identity, implementation}};
      s->execution.hop_is_put_off = true;
      __attribute__((musttail)) return original_switch(later, (resume_function *)asks_now, s->hop.identity, s->hop.implementation);
    }
    ch_is_shared();
    ch_set_free(s);
    ch_executor target = goes_to((ch_executor){identity, implementation});
    identity = target.identity;
    implementation = target.implementation;
  } else if (s && swift_task_getCurrentExecutor().identity != identity) {
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
