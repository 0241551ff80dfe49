// The system keeps how a child has ended for its parent, unless the parent ignores SIGCHLD. A program may do so for its
// own children. Its setting is suspended while we have children, and restored when they are gone.
//
// If another thread waits for any child, it may take the status of one of ours. Then what the child's recorder shows must do.
#define _GNU_SOURCE
#include "Private.h"

#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int children;
static struct sigaction of_program, of_ours;
static bool is_changed;

// Restores the program's setting, unless the program has changed it in the meantime.
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
  // Another thread may have held it.
  pthread_mutex_init(&lock, NULL);
  children = 0;
  restore();
}
