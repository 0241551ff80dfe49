// How a child has ended is kept for its parent, unless that wants no such thing: it ignores SIGCHLD. A program may say so for
// children of its own. It is heard again when ours are gone.
//
// Another thread may take how a child of ours has ended, by a wait for any child. What its recorder tells of that has to do.
#define _GNU_SOURCE
#include "Private.h"

#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int children;
static struct sigaction of_program, of_ours;
static bool is_changed;

// Unless the program has said something else meanwhile.
static void restore(void) {
  struct sigaction now;
  bool is_ours = is_changed && sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == of_ours.sa_handler;
  if (is_ours) sigaction(SIGCHLD, &of_program, NULL);
  is_changed = false;
}

void cp_child_begins(void) {
  pthread_mutex_lock(&lock);
  children++;
  struct sigaction now;
  if (sigaction(SIGCHLD, NULL, &now) == 0) {
    bool is_ignored = now.sa_handler == SIG_IGN;
    if (is_ignored || now.sa_flags & SA_NOCLDWAIT) {
      of_program = now;
      is_changed = true;
      if (is_ignored) now.sa_handler = SIG_DFL;
      now.sa_flags &= ~SA_NOCLDWAIT;
      of_ours = now;
      sigaction(SIGCHLD, &now, NULL);
    }
  }
  pthread_mutex_unlock(&lock);
}

void cp_child_is_gone(void) {
  pthread_mutex_lock(&lock);
  if (children > 0 && --children == 0) restore();
  pthread_mutex_unlock(&lock);
}

void cp_forget_children(void) {
  // Another thread may have had it.
  pthread_mutex_init(&lock, NULL);
  children = 0;
  restore();
}
