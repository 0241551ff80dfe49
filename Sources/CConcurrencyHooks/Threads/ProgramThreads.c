// Threads that the program makes inside a simulation. Each is a thread of the system, so it has its own stack, thread-local
// variables and run loop. It does nothing until the scheduler comes to it. Its body is a step that runs on it, while the thread
// that drives the simulation (its *carrier*) waits.
#define _GNU_SOURCE
#include "Drivers.h"

#if CH_SUPPORTED
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Queues.h"

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// A program that keeps making threads would use up those of the whole machine. They are counted for all simulations together.
enum { most_threads = 4096 };
static _Atomic int alive;

static void refuse_one_more(void) {
  static const char text[] = "Fatal error: a simulation has at most 4096 threads at once\n";
  ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written;
  abort();
}

// The longest wait for a thread to end: what it frees as it ends may need a lock that a parked step holds.
static const int64_t ten_seconds = 10000000000;

struct ch_thread {
  pthread_t handle;
  ch_driver *driver;
  void *(*body)(void *);
  void *argument, *result, *task;
  bool is_left;      // its step is abandoned
  bool has_ended;
  bool is_gone;      // the system has forgotten it, so it frees nothing anymore
  bool is_released;  // joined or detached: the system forgets it by itself
  ch_thread *next;
};

CH_BEHIND(pthread_create);
CH_BEHIND(pthread_join);
CH_BEHIND(pthread_detach);

// MARK: on the thread itself

static void run_body(void *context) {
  ch_thread *t = context;
  t->is_left = true;
  t->result = t->body(t->argument);
  t->is_left = false;
}

// Wakes the carrier, or the next driver, however the thread ends: also by `pthread_exit`.
static void give_back(void *context) {
  ch_thread *t = context;
  ch_driver *own = t->driver, *carrier = own->carrier;
  ch_forget_queues();
  ch_set_current(NULL);
  if (!carrier) return ch_wake_driver(own->next_driver, own->next_order);
  carrier->next_driver = own->next_driver;
  carrier->next_order = own->next_order;
  ch_wake_driver(carrier, t->is_left ? CH_ABANDON : CH_GO_ON);
}

static void exits(void *context) {
  ((ch_thread *)context)->is_left = false;
  ch_forget_onces();
  give_back(context);
}

static void *begin(void *argument) {
  ch_thread *t = argument;
  ch_become_driver(t->driver);
  if (ch_await_turn(t->driver) == CH_QUIT) return NULL;
  ch_simulation *s = t->driver->simulation;
  ch_gather(s, false);
  ch_set_current(s);
  ch_begin_thread_of(t->task);
  pthread_cleanup_push(exits, t);
  if (!ch_run_until_left(s, run_body, t)) ch_unlock_what_it_holds(s);
  pthread_cleanup_pop(false);
  give_back(t);
  return t->result;
}

// MARK: on the thread that drives

// Waits until the system has forgotten the thread: on a thread that ends, Foundation frees what it has kept for it, including
// its run loop. The thread is gone when no signal can be sent to it anymore. The process number comes from the system itself,
// because `getpid` is ours in a step.
static void wait_until_gone(ch_thread *t, int64_t patience) {
  int64_t start = ch_real_nanoseconds();
  while (!t->is_gone) {
    // A thread has no number before it begins.
    uint32_t number = *(volatile uint32_t *)&t->driver->thread;
    t->is_gone = number && ch_system_call(SYS_tgkill, ch_own_pid(), number, 0) != 0;
    if (t->is_gone || ch_real_nanoseconds() - start > patience) return;
    ch_yield_for_real();
  }
}

void ch_run_thread(void *context) {
  ch_thread *t = context;
  ch_simulation *s = t->driver->simulation;
  ch_driver *here = ch_own_driver();
  t->task = ch_running_task();
  t->driver->carrier = here;
  ch_wake_driver(t->driver, CH_GO_ON);
  ch_order order = ch_await_turn(here);
  t->driver->carrier = NULL;
  ch_gather(s, !here->simulation);
  if (order == CH_ABANDON) ch_leave_step(s);
  wait_until_gone(t, ten_seconds);
  t->has_ended = true;
  alive--;
  ch_uses((uintptr_t)t, NULL);
  ch_releases_object((uintptr_t)t);
  simulator_frees(s->scheduler, (uintptr_t)t);
}

uintptr_t ch_code_of_thread(const ch_thread *t) { return (uintptr_t)t->body; }

bool ch_carries(const ch_driver *carrier, const ch_driver *thread) { return thread->carrier == carrier; }

void ch_await_ended_threads(ch_simulation *s) {
  for (ch_thread *t = s->threads; t; t = t->next)
    if (t->task) wait_until_gone(t, INT64_MAX);
}

void ch_end_program_threads(ch_simulation *s) {
  while (s->threads) {
    ch_thread *t = s->threads;
    s->threads = t->next;
    if (!t->has_ended) alive--;
    if (!t->task) ch_wake_driver(t->driver, CH_QUIT);
    if (!t->is_released) CH_REAL(pthread_join)(t->handle, NULL);
    else wait_until_gone(t, INT64_MAX);
    ch_count_thread(true);
    sem_destroy(&t->driver->given);
    free(t->driver);
    free(t);
  }
}

// MARK: what the program calls

static bool is_detached(const pthread_attr_t *attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  return attributes && !pthread_attr_getdetachstate(attributes, &state) && state == PTHREAD_CREATE_DETACHED;
}

static int make(ch_simulation *s, pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                void *argument) {
  if (alive >= most_threads) refuse_one_more();
  ch_thread *t = calloc(1, sizeof *t);
  if (!t) return EAGAIN;
  *t = (ch_thread){.driver = ch_new_driver(s), .body = body, .argument = argument,
                   .is_released = is_detached(attributes)};
  int error = CH_REAL(pthread_create)(&t->handle, attributes, begin, t);
  if (error) {
    free(t->driver);
    free(t);
    return error;
  }
  ch_count_thread(false);
  alive++;
  *thread = t->handle;
  t->next = s->threads;
  s->threads = t;
  simulator_thread_made(s->scheduler, t);
  return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (s && !ch_sets_up_process(CH_FRAME)) {
    int error = make(s, thread, attributes, body, argument);
    if (!error) ch_preemption_point_without_locks(s, CH_FRAME);
    return error;
  }
  ch_let_go();  // a thread inherits the cores on which its maker may run
  return ch_create_thread(CH_REAL(pthread_create), thread, attributes, body, argument, CH_FRAME);
}

static ch_thread *find(const ch_simulation *s, pthread_t handle) {
  ch_thread *t = s ? s->threads : NULL;
  while (t && (t->is_released || !pthread_equal(t->handle, handle))) t = t->next;
  return t;
}

int pthread_join(pthread_t thread, void **result) {
  ch_simulation *s = ch_in_program();
  ch_thread *t = find(s, thread);
  if (!t) return CH_REAL(pthread_join)(thread, result);
  s->point_frame = CH_FRAME;
  if (!t->has_ended) {
    ch_is_shared();
    bool waits = ch_is_followed(s) && ch_can_park(s);
    if (!waits && ch_leaves(s, "pthread_join", CH_FRAME)) ch_leave_step(s);
    while (!t->has_ended) simulator_waits(s->scheduler, CH_WAITS_FOR_THREAD, (uintptr_t)t, INT64_MAX);
  }
  ch_uses((uintptr_t)t, NULL);
  ch_acquires_object((uintptr_t)t);
  t->is_released = true;
  return CH_REAL(pthread_join)(thread, result);
}

CH_BEHIND(pthread_tryjoin_np);
int pthread_tryjoin_np(pthread_t thread, void **result) {
  ch_simulation *s = ch_in_program();
  ch_thread *t = find(s, thread);
  if (!t) return CH_REAL(pthread_tryjoin_np)(thread, result);
  // In another schedule, it may have ended by now.
  if (!t->has_ended) ch_is_shared();
  ch_uses((uintptr_t)t, NULL);
  if (!t->has_ended) return EBUSY;
  return pthread_join(thread, result);
}

int pthread_detach(pthread_t thread) {
  ch_thread *t = find(ch_in_program(), thread);
  if (t) t->is_released = true;
  return CH_REAL(pthread_detach)(thread);
}
#pragma clang attribute pop
#endif
