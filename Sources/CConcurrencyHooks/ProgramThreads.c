// Threads that the program makes inside a simulation. Each is a thread of the system, so it has its own stack, its own
// variables and its own run loop. It does nothing before the scheduler comes to it: the step that is its body runs on it,
// while the thread that drives the simulation waits (its *carrier*).
#define _GNU_SOURCE
#include "Batons.h"

#if CH_SUPPORTED
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Queues.h"

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// A program that makes threads without end would take those of the whole machine. They are counted for all simulations.
enum { most_threads = 4096 };
static _Atomic int alive;

static void refuse_one_more(void) {
  static const char text[] = "Fatal error: a simulation has at most 4096 threads at once\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) abort();
  abort();
}

// What a thread frees as it ends may need a lock that a step holds which stands.
static const int64_t ten_seconds = 10000000000;

struct ch_thread {
  pthread_t handle;
  ch_baton *baton;
  void *(*body)(void *);
  void *argument, *result, *task;
  bool is_left;      // its step has been left for good
  bool has_ended;
  bool is_gone;      // the system has forgotten it, so it frees nothing any more
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

// However it ends: also by `pthread_exit`.
static void give_back(void *context) {
  ch_thread *t = context;
  ch_baton *own = t->baton, *carrier = own->carrier;
  ch_forget_queues();
  ch_set_current(NULL);
  if (!carrier) return ch_give_baton(own->heir, own->heirs_order);
  carrier->heir = own->heir;
  carrier->heirs_order = own->heirs_order;
  ch_give_baton(carrier, t->is_left ? CH_ABANDON : CH_GO_ON);
}

static void exits(void *context) {
  ((ch_thread *)context)->is_left = false;
  ch_forget_onces();
  give_back(context);
}

static void *begin(void *argument) {
  ch_thread *t = argument;
  ch_take_up_baton(t->baton);
  if (ch_await_baton(t->baton) == CH_QUIT) return NULL;
  ch_simulation *s = t->baton->simulation;
  ch_gather(s, false);
  ch_set_current(s);
  ch_begin_thread_of(t->task);
  pthread_cleanup_push(exits, t);
  if (!ch_run_until_left(s, run_body, t)) ch_open_what_it_holds(s);
  pthread_cleanup_pop(false);
  give_back(t);
  return t->result;
}

// MARK: on the thread that drives

// Foundation frees on a thread that ends what it has kept of it, its run loop too. The system has forgotten a thread when
// nothing can be sent to it any more. The number of the process is asked of the system itself: to a step `getpid` is ours.
static void wait_until_gone(ch_thread *t, int64_t patience) {
  int64_t start = ch_real_nanoseconds();
  while (!t->is_gone) {
    // It has no number before it begins.
    uint32_t number = *(volatile uint32_t *)&t->baton->thread;
    t->is_gone = number && ch_system_call(SYS_tgkill, ch_own_pid(), number, 0) != 0;
    if (t->is_gone || ch_real_nanoseconds() - start > patience) return;
    ch_yield_for_real();
  }
}

void ch_run_thread(void *context) {
  ch_thread *t = context;
  ch_simulation *s = t->baton->simulation;
  ch_baton *here = ch_own_baton();
  t->task = ch_running_task();
  t->baton->carrier = here;
  ch_give_baton(t->baton, CH_GO_ON);
  ch_order order = ch_await_baton(here);
  t->baton->carrier = NULL;
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

bool ch_carries(const ch_baton *carrier, const ch_baton *thread) { return thread->carrier == carrier; }

void ch_await_ended_threads(ch_simulation *s) {
  for (ch_thread *t = s->threads; t; t = t->next)
    if (t->task) wait_until_gone(t, INT64_MAX);
}

void ch_end_program_threads(ch_simulation *s) {
  while (s->threads) {
    ch_thread *t = s->threads;
    s->threads = t->next;
    if (!t->has_ended) alive--;
    if (!t->task) ch_give_baton(t->baton, CH_QUIT);
    if (!t->is_released) CH_REAL(pthread_join)(t->handle, NULL);
    else wait_until_gone(t, INT64_MAX);
    ch_count_thread(true);
    sem_destroy(&t->baton->given);
    free(t->baton);
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
  *t = (ch_thread){.baton = ch_new_baton(s), .body = body, .argument = argument,
                   .is_released = is_detached(attributes)};
  int error = CH_REAL(pthread_create)(&t->handle, attributes, begin, t);
  if (error) {
    free(t->baton);
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
    if (!error) ch_may_stand_with_free_hands(s, CH_FRAME);
    return error;
  }
  ch_let_go();  // a thread inherits where the one that makes it may run
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
  s->stands_at = CH_FRAME;
  if (!t->has_ended) {
    ch_is_shared();
    bool waits = ch_is_followed(s) && ch_can_stand(s);
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
  // It may have ended by now.
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
