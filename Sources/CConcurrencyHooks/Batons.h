// Who has the baton: what the files share that pass it on, and no other file sees.
#ifndef CH_BATONS_H
#define CH_BATONS_H

#include "Cores.h"

#if CH_SUPPORTED
typedef enum { CH_DRIVE, CH_GO_ON, CH_ABANDON, CH_QUIT } ch_order;

struct ch_baton {
  sem_t given;
  ch_order order;
  ch_simulation *simulation;
  ch_baton *next;        // of those that are idle
  ch_baton *heir;        // who has the baton when this thread has driven,
  ch_order heirs_order;  // and what for
  uint32_t thread;       // the system's number of it, as locks name it
  unsigned numbered;     // in which process, counted from one, it has that number
  pthread_t handle;      // where it was made for a simulation
  unsigned process;      // how often the process had been forked when the thread was made
  bool survives;         // it has gone from process to process
  ch_baton *carrier;     // the thread whose step this one does, and which waits for it meanwhile
};

ch_baton *ch_new_baton(ch_simulation *s);
// The calling thread is the one that this was made for.
void ch_take_up_baton(ch_baton *baton);
void ch_give_baton(ch_baton *to, ch_order order);
// Waits until the baton is given.
ch_order ch_await_baton(ch_baton *baton);
// A thread has been made for a simulation, or it is about to end.
void ch_count_thread(bool ends);
// Whether the calling thread is one that the program has made.
bool ch_is_on_program_thread(void);
// The step on the stack of the calling thread has been left for good.
void ch_open_what_it_holds(ch_simulation *s);
// The code on the calling thread is part of a step of this task, which it does not see: it is on a thread of its own.
void ch_begin_thread_of(void *task);
#endif
#endif
