// Random delays at the seams of the runtime: what a busy machine does to threads, made frequent.
//
//   LD_PRELOAD=.build/release/libDelays.so .build/release/litmus-table --real 20000 --simulated 0
//
// A delay only holds a thread back between two of its instructions, as the kernel may at any time. So every outcome
// seen with delays is one that the real runtime has without them, if seldom. Delays come before each hop of user code,
// before and after each job is put on the pool, between a job's turn and its start, and now and then where memory is
// taken or given back. The pool is told of eight cores and so has eight threads of each priority, as on such a machine.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static _Thread_local uint64_t state;

static uint64_t next_random(void) {
  if (state == 0) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = ((uint64_t)now.tv_nsec << 20 ^ (uintptr_t)&state) | 1;
  }
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/// One time in `odds`: most often a short spin, sometimes a sleep that gives the core away.
static void delay(unsigned odds) {
  uint64_t random = next_random();
  if (random % odds != 0) return;
  random >>= 16;
  if (random % 8 == 0) {
    struct timespec pause = {0, 1000 + (long)(random % 100000)};
    nanosleep(&pause, NULL);
  } else {
    for (volatile unsigned turns = random % 20000; turns > 0; turns -= 1) {}
  }
}

typedef __attribute__((swiftasynccall)) void Resume(__attribute__((swift_async_context)) void *);
typedef __attribute__((swiftasynccall)) void Switch(
    __attribute__((swift_async_context)) void *, Resume *, void *, void *);
typedef __attribute__((swiftcall)) void Enqueue(void *job);
typedef __attribute__((swiftcall)) void EnqueueHook(void *job, Enqueue *original);

static Switch *original_switch;

__attribute__((swiftasynccall)) void swift_task_switch(
    __attribute__((swift_async_context)) void *context, Resume *resume, void *identity, void *implementation) {
  delay(4);
  __attribute__((musttail)) return original_switch(context, resume, identity, implementation);
}

static uint64_t (*dispatch_time)(uint64_t base, int64_t delta_ns);
static void *(*dispatch_get_global_queue)(intptr_t identifier, uintptr_t flags);
static void (*dispatch_after_f)(uint64_t when, void *queue, void *context, void (*work)(void *));
static Enqueue *_Atomic enqueue_now;

static void enqueue_postponed(void *job) { enqueue_now(job); }

/// A postponed job stands for one whose thread is held back between taking it and running it.
static __attribute__((swiftcall)) void enqueue_late(void *job, Enqueue *original) {
  delay(4);
  if (dispatch_after_f != NULL && next_random() % 8 == 0) {
    enqueue_now = original;
    uint64_t when = dispatch_time(0, (int64_t)(next_random() % 100000));
    dispatch_after_f(when, dispatch_get_global_queue(0, 0), job, enqueue_postponed);
  } else {
    original(job);
  }
  delay(4);
}

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  delay(64);
  return __libc_malloc(size);
}

void free(void *pointer) {
  __libc_free(pointer);
  delay(64);
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *cores) {
  CPU_ZERO_S(size, cores);
  for (int core = 0; core < 8; core += 1) CPU_SET_S(core, size, cores);
  return 0;
}

// libdispatch asks in both ways.
long sysconf(int name) {
  static long (*original)(int);
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return 8;
  if (original == NULL) original = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  return original(name);
}

__attribute__((constructor)) static void begin(void) {
  original_switch = (Switch *)dlsym(RTLD_NEXT, "swift_task_switch");
  *(void **)&dispatch_time = dlsym(RTLD_DEFAULT, "dispatch_time");
  *(void **)&dispatch_get_global_queue = dlsym(RTLD_DEFAULT, "dispatch_get_global_queue");
  *(void **)&dispatch_after_f = dlsym(RTLD_DEFAULT, "dispatch_after_f");
  EnqueueHook **hook = (EnqueueHook **)dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (hook != NULL) *hook = enqueue_late;
}
