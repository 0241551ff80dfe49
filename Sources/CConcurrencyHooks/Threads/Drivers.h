// The threads that drive a simulation, one at a time. Shared by the files that hand the simulation from one to another.
#ifndef CH_DRIVERS_H
#define CH_DRIVERS_H

#include "Cores.h"

#if CH_SUPPORTED
typedef enum { CH_DRIVE, CH_GO_ON, CH_ABANDON, CH_QUIT } ch_order;

struct ch_driver {
  sem_t given;
  ch_order order;
  ch_simulation *simulation;
  ch_driver *next;         // the next idle driver
  ch_driver *next_driver;  // the driver to wake when this one is done,
  ch_order next_order;     // and its order
  uint32_t thread;         // the thread's number in the system, which locks store
  unsigned numbered;       // the process, counted from one, in which the thread has that number
  pthread_t handle;        // set if the thread was made for a simulation
  unsigned process;        // the number of forks before the thread was made
  bool survives;           // the thread has called `fork` and goes on in the child
  ch_driver *carrier;      // the thread whose step this one runs; it waits meanwhile
};

ch_driver *ch_new_driver(ch_simulation *s);
// Makes the calling thread this driver.
void ch_become_driver(ch_driver *driver);
void ch_wake_driver(ch_driver *to, ch_order order);
// Waits until another thread wakes this driver, and returns its order.
ch_order ch_await_turn(ch_driver *driver);
// Counts a thread that was made for a simulation, or one that is about to end.
void ch_count_thread(bool ends);
// True on a thread that the program has made.
bool ch_is_on_program_thread(void);
// Unlocks what the step on this thread's stack holds, because the step never goes on.
void ch_unlock_what_it_holds(ch_simulation *s);
// Makes the code on the calling thread part of a step of `task`, which runs on another thread.
void ch_begin_thread_of(void *task);
#endif
#endif
