#define _GNU_SOURCE
#include "CFloor.h"

#include <dlfcn.h>
#include <stddef.h>

#define SWIFTCC __attribute__((swiftcall))
typedef SWIFTCC void enqueue_original(void *);
typedef SWIFTCC void enqueue_hook(void *, enqueue_original *);
SWIFTCC extern void swift_job_run(void *, uintptr_t, uintptr_t);
SWIFTCC extern void swift_job_run_on_serial_and_task_executor(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

enum { capacity = 1 << 20 };
static _Thread_local int active;
static void *ring[capacity];
static unsigned head, tail;
static uint64_t count;
static enqueue_hook **variable, *before;

SWIFTCC static void enqueue(void *job, enqueue_original *original) {
  if (active) ring[tail++ % capacity] = job;
  else if (before) before(job, original);
  else original(job);
}

void floor_begin(void) {
  if (!variable) {
    variable = (enqueue_hook **)dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
    before = *variable;
    *variable = enqueue;
  }
  active = 1;
  head = tail = 0;
}

void floor_run(int hops_enqueue) {
  for (; head != tail; count++) {
    void *job = ring[head++ % capacity];
    if (hops_enqueue) swift_job_run_on_serial_and_task_executor(job, 0, 0, 0, 0);
    else swift_job_run(job, 0, 0);
  }
}

void floor_end(void) { active = 0; }

uint64_t floor_take_count(void) {
  uint64_t taken = count;
  count = 0;
  return taken;
}
