// Threads on whose stacks steps stand.
//
// A step that is left in its middle stays on the stack of its thread. Another thread then drives the simulation, until the
// step is to go on. One thread has the baton at any moment, so nothing that the threads share needs a lock; who passes it
// on has done with everything.
#define _GNU_SOURCE
#include "Batons.h"

#if CH_SUPPORTED
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// Each thread is counted when it is there, and again before it goes.
static _Atomic uint32_t made, ended;
uint32_t ch_threads_made(void) { return made; }
uint32_t ch_threads_ended(void) { return ended; }

static _Thread_local ch_baton *own __attribute__((tls_model("initial-exec")));

// A child of `fork` has no thread but the one that called it. The system gives that a new number; the standard library's
// `Mutex` goes on to use the one that it has read before.
enum { most_former = 16 };
static unsigned process;
static uint32_t former_numbers[most_former], forking;
static unsigned former_count;
static _Thread_local bool survives __attribute__((tls_model("initial-exec")));

static void forks(void) { forking = (uint32_t)gettid(); }
static void forked(void) {
  process++;
  made = ended = 0;
  survives = true;
  if (own) own->survives = true;
  if (former_count < most_former) former_numbers[former_count++] = forking;
}
__attribute__((constructor)) static void watch_forks(void) {
  if (pthread_atfork(forks, NULL, forked)) abort();
}

bool ch_is_thread(const ch_baton *baton, uint32_t number) {
  if (baton->thread == number) return true;
  for (unsigned n = 0; baton->survives && n < former_count; n++)
    if (former_numbers[n] == number) return true;
  return false;
}

CH_BEHIND(sem_init);
CH_BEHIND(sem_wait);
CH_BEHIND(sem_post);
CH_BEHIND(pthread_create);

ch_baton *ch_new_baton(ch_simulation *s) {
  ch_baton *baton = calloc(1, sizeof *baton);
  // Not ours: a thread that an execution finds made already must not count among what its tasks make.
  if (!baton || CH_REAL(sem_init)(&baton->given, 0, 0)) abort();
  baton->process = process;
  baton->simulation = s;
  return baton;
}

void ch_take_up_baton(ch_baton *baton) {
  own = baton;
  own->thread = (uint32_t)gettid();
}

void ch_count_thread(bool ends) { ends ? ended++ : made++; }

void ch_open_what_it_holds(ch_simulation *s) { simulator_abandoned(s->scheduler); }

bool ch_is_on_program_thread(void) { return own && own->carrier; }

ch_baton *ch_own_baton(void) {
  if (!own) {
    own = ch_new_baton(NULL);
    own->survives = survives;
  }
  if (own->numbered != process + 1) {
    own->thread = (uint32_t)gettid();
    own->numbered = process + 1;
  }
  return own;
}

void ch_give_baton(ch_baton *to, ch_order order) {
  to->order = order;
  // Not ours, which looks at the simulation afterwards: it is the other thread's from here on.
  CH_REAL(sem_post)(&to->given);
}

ch_order ch_await_baton(ch_baton *baton) {
  while (CH_REAL(sem_wait)(&baton->given)) {}
  return baton->order;
}

void ch_hand_over(ch_baton *to, bool leaves_step) {
  own->heir = to;
  own->heirs_order = leaves_step ? CH_ABANDON : CH_GO_ON;
}

static void *work(void *argument) {
  ch_take_up_baton(argument);
  while (ch_await_baton(own) != CH_QUIT) {
    ch_simulation *s = own->simulation;
    ch_gather(s, false);
    ch_set_current(s);
    own->heir = NULL;
    bool left = !ch_run_until_left(s, simulator_drive, s->scheduler);
    if (left) simulator_abandoned(s->scheduler);
    if (left && !own->heir) simulator_driver_left(s->scheduler);
    ch_set_current(NULL);
    own->next = s->idle;
    s->idle = own;
    ch_give_baton(own->heir, own->heirs_order);
  }
  return NULL;
}

static ch_baton *idle_thread(ch_simulation *s) {
  while (s->idle && s->idle->process != process) s->idle = s->idle->next;
  ch_baton *found = s->idle;
  if (found) {
    s->idle = found->next;
    return found;
  }
  found = ch_new_baton(s);
  if (!CH_REAL(pthread_create)(&found->handle, NULL, work, found)) {
    ch_count_thread(false);
    return found;
  }
  sem_destroy(&found->given);
  free(found);
  return NULL;
}

// Only in the middle of a task's step: not while the library makes a task, and not after the task has suspended.
void ch_may_stand(ch_simulation *s, void *const *frame) {
  const ch_execution *e = &s->execution;
  s->stands_at = frame;
  s->execution.has_acted = false;
  if (!ch_in_step(s) || ch_untold_locks > ch_makes_once || e->creating || e->deinitializing) return;
  if (!ch_running_task()) return;
  ch_makes_once ? simulator_may_spin(s->scheduler) : simulator_may_stand(s->scheduler);
}

// Foundation goes round with locks of its own that are no points, as where it waits for an operation that has finished and
// that its queue still has. Whoever is to take it out would never run, or never get the lock.
void ch_has_opened(ch_simulation *s, bool is_of_program, void *const *frame) {
  const ch_execution *e = &s->execution;
  bool gives_way = e->gives_way;
  if (!gives_way && (e->locks_held || is_of_program)) return ch_may_stand_with_free_hands(s, frame);
  if (!ch_in_step(s) || ch_untold_locks || e->creating || e->deinitializing || !ch_running_task()) return;
  s->stands_at = frame;
  gives_way ? simulator_gives_way(s->scheduler) : simulator_may_spin(s->scheduler);
}

static size_t callers_of(void *const *frame, uintptr_t *found, size_t room) {
  ch_callers callers = {.count = 0};
  if (frame) ch_find_callers(frame, &callers);
  size_t count = (size_t)callers.count < room ? (size_t)callers.count : room;
  for (size_t n = 0; n < count; n++) found[n] = (uintptr_t)callers.addresses[n] - 1;
  return count;
}

size_t ch_callers_of_step(const ch_simulation *s, uintptr_t *found, size_t room) {
  return callers_of(s->stands_at, found, room);
}
size_t ch_callers_of_here(uintptr_t *found, size_t room) { return callers_of(CH_FRAME, found, room); }

bool ch_can_stand(ch_simulation *s) {
  ch_baton *thread = idle_thread(s);
  if (!thread) return false;
  thread->next = s->idle;
  s->idle = thread;
  return true;
}

void ch_stand(ch_simulation *s) {
  ch_baton *here = ch_own_baton(), *driver = idle_thread(s);
  if (!driver) abort();  // `ch_can_stand` has made sure of one
  bool is_first = !here->simulation;
  ch_gather(s, is_first);
  ch_give_baton(driver, CH_DRIVE);
  ch_order order = ch_await_baton(here);
  ch_gather(s, is_first);
  if (order == CH_ABANDON) ch_leave_step(s);
}

void ch_pass(ch_baton *to) {
  ch_baton *here = ch_own_baton();
  ch_give_baton(to, CH_GO_ON);
  ch_await_baton(here);
}

void ch_leave_standing(ch_baton *standing) {
  ch_baton *here = ch_own_baton();
  standing->heir = here;
  standing->heirs_order = CH_GO_ON;
  ch_give_baton(standing, CH_ABANDON);
  ch_await_baton(here);
}

void ch_end_threads(ch_simulation *s) {
  ch_scatter(s);
  while (s->idle) {
    ch_baton *thread = s->idle;
    s->idle = thread->next;
    if (thread->process != process) continue;
    ch_count_thread(true);
    ch_give_baton(thread, CH_QUIT);
    pthread_join(thread->handle, NULL);
    // The system counts a thread for a moment longer, and who counts threads wants to know what is left.
    while (!ch_system_call(SYS_tgkill, ch_own_pid(), thread->thread, 0)) ch_yield_for_real();
    sem_destroy(&thread->given);
    free(thread);
  }
}
#endif
