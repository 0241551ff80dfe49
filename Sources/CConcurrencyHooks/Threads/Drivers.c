// Threads that drive a simulation, and on whose stacks steps are parked.
//
// A step that is preempted or blocked stays on the stack of its thread. Another thread drives the simulation until the step
// goes on. Only one thread drives at any moment, so nothing that they share needs a lock: a driver touches nothing after it
// has woken the next one.
#define _GNU_SOURCE
#include "Drivers.h"

#if CH_SUPPORTED
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// A thread is counted in `made` once it runs, and in `ended` before it exits.
static _Atomic uint32_t made, ended;
uint32_t ch_threads_made(void) { return made; }
uint32_t ch_threads_ended(void) { return ended; }

static _Thread_local ch_driver *own __attribute__((tls_model("initial-exec")));

// After `fork` a child has only the thread that called it, with a new number. The standard library's `Mutex` keeps using the
// number that it has read before.
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

bool ch_is_thread(const ch_driver *driver, uint32_t number) {
  if (driver->thread == number) return true;
  for (unsigned n = 0; driver->survives && n < former_count; n++)
    if (former_numbers[n] == number) return true;
  return false;
}

CH_BEHIND(sem_init);
CH_BEHIND(sem_wait);
CH_BEHIND(sem_post);
CH_BEHIND(pthread_create);

ch_driver *ch_new_driver(ch_simulation *s) {
  ch_driver *driver = calloc(1, sizeof *driver);
  // The system's own function: the hook would count the semaphore among what the running task makes, but only in the
  // execution that needs one more thread.
  if (!driver || CH_REAL(sem_init)(&driver->given, 0, 0)) abort();
  driver->process = process;
  driver->simulation = s;
  return driver;
}

void ch_become_driver(ch_driver *driver) {
  own = driver;
  own->thread = (uint32_t)gettid();
}

void ch_count_thread(bool ends) { ends ? ended++ : made++; }

void ch_unlock_what_it_holds(ch_simulation *s) { simulator_abandoned(s->scheduler); }

bool ch_is_on_program_thread(void) { return own && own->carrier; }

ch_driver *ch_own_driver(void) {
  if (!own) {
    own = ch_new_driver(NULL);
    own->survives = survives;
  }
  if (own->numbered != process + 1) {
    own->thread = (uint32_t)gettid();
    own->numbered = process + 1;
  }
  return own;
}

void ch_wake_driver(ch_driver *to, ch_order order) {
  to->order = order;
  // The system's own function: the hook would look at the simulation afterwards, which the other thread owns by then.
  CH_REAL(sem_post)(&to->given);
}

ch_order ch_await_turn(ch_driver *driver) {
  while (CH_REAL(sem_wait)(&driver->given)) {}
  return driver->order;
}

void ch_hand_over(ch_driver *to, bool leaves_step) {
  own->next_driver = to;
  own->next_order = leaves_step ? CH_ABANDON : CH_GO_ON;
}

static void *work(void *argument) {
  ch_become_driver(argument);
  while (ch_await_turn(own) != CH_QUIT) {
    ch_simulation *s = own->simulation;
    ch_gather(s, false);
    ch_set_current(s);
    own->next_driver = NULL;
    bool left = !ch_run_until_left(s, simulator_drive, s->scheduler);
    if (left) simulator_abandoned(s->scheduler);
    if (left && !own->next_driver) simulator_driver_left(s->scheduler);
    ch_set_current(NULL);
    own->next = s->idle;
    s->idle = own;
    ch_wake_driver(own->next_driver, own->next_order);
  }
  return NULL;
}

static ch_driver *idle_thread(ch_simulation *s) {
  while (s->idle && s->idle->process != process) s->idle = s->idle->next;
  ch_driver *found = s->idle;
  if (found) {
    s->idle = found->next;
    return found;
  }
  found = ch_new_driver(s);
  if (!CH_REAL(pthread_create)(&found->handle, NULL, work, found)) {
    ch_count_thread(false);
    return found;
  }
  sem_destroy(&found->given);
  free(found);
  return NULL;
}

// A step can be parked only in its middle: not while the library makes a task, and not after the task has suspended.
void ch_preemption_point(ch_simulation *s, void *const *frame) {
  const ch_execution *e = &s->execution;
  s->point_frame = frame;
  s->execution.of_step.has_acted = false;
  if (!ch_in_step(s) || ch_untold_locks > ch_makes_once || e->creating || e->deinitializing) return;
  if (!ch_running_task()) return;
  ch_makes_once ? simulator_may_spin(s->scheduler) : simulator_preemption_point(s->scheduler);
}

// Foundation spins on locks of its own, for example while its queue still holds an operation that has finished. These locks
// are no preemption points, so the step that removes the operation would never run, or never get the lock. But the program's
// next statement comes after the last of them, so what Foundation has made runnable on its way may run there.
void ch_has_opened(ch_simulation *s, bool is_of_program, void *const *frame) {
  const ch_execution *e = &s->execution;
  bool gives_way = e->gives_way;
  if (!gives_way && (e->of_step.locks_held || is_of_program || e->of_step.has_freed)) return ch_preemption_point_without_locks(s, frame);
  if (!ch_in_step(s) || ch_untold_locks || e->creating || e->deinitializing || !ch_running_task()) return;
  s->point_frame = frame;
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
  return callers_of(s->point_frame, found, room);
}
size_t ch_callers_of_here(uintptr_t *found, size_t room) { return callers_of(CH_FRAME, found, room); }

bool ch_can_park(ch_simulation *s) {
  ch_driver *thread = idle_thread(s);
  if (!thread) return false;
  thread->next = s->idle;
  s->idle = thread;
  return true;
}

void ch_park(ch_simulation *s) {
  ch_driver *here = ch_own_driver(), *other = idle_thread(s);
  if (!other) abort();  // `ch_can_park` has made sure of one
  bool is_first = !here->simulation;
  ch_gather(s, is_first);
  ch_wake_driver(other, CH_DRIVE);
  ch_order order = ch_await_turn(here);
  ch_gather(s, is_first);
  if (order == CH_ABANDON) ch_leave_step(s);
}

void ch_pass(ch_driver *to) {
  ch_driver *here = ch_own_driver();
  ch_wake_driver(to, CH_GO_ON);
  ch_await_turn(here);
}

void ch_abandon_parked(ch_driver *parked) {
  ch_driver *here = ch_own_driver();
  parked->next_driver = here;
  parked->next_order = CH_GO_ON;
  ch_wake_driver(parked, CH_ABANDON);
  ch_await_turn(here);
}

void ch_end_threads(ch_simulation *s) {
  ch_scatter(s);
  while (s->idle) {
    ch_driver *thread = s->idle;
    s->idle = thread->next;
    if (thread->process != process) continue;
    ch_count_thread(true);
    ch_wake_driver(thread, CH_QUIT);
    pthread_join(thread->handle, NULL);
    // The system counts a thread for a moment longer, which would mislead code that counts the remaining threads.
    while (!ch_system_call(SYS_tgkill, ch_own_pid(), thread->thread, 0)) ch_yield_for_real();
    sem_destroy(&thread->given);
    free(thread);
  }
}
#endif
