// Signals that a program sends itself, and other ways in which it ends its own process.
//
// The system decides what a signal does, because it knows what the program has set. The place that sends the signal is noted
// first: if the signal ends the process, the report says where it came from.
//
// Dispatch blocks most signals on its own threads, and threads that these start inherit that. The simulator chooses which
// thread runs a step, so only signals that the program itself has blocked count as blocked.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// The values that `cp_recorder` uses.
enum { sends = 1, aborts = 2, exits = 3 };

static void note(ch_simulation *s, int way, int number, void *const *frame) {
  ch_callers found = {.count = 0};
  ch_find_callers(frame, &found);
  simulator_may_end(s->scheduler, way, number, found.addresses, found.count);
}

// MARK: blocked signals

// The signals that the program itself has blocked, one bit each.
static _Atomic uint64_t blocked;

static uint64_t bits(const sigset_t *set) {
  uint64_t all = 0;
  for (int n = 1; n < 64; n++)
    if (sigismember(set, n) == 1) all |= (uint64_t)1 << n;
  return all;
}

// Returns true if the mask includes the signals that Dispatch blocks.
static bool is_of_dispatch(const sigset_t *mask) {
  static const int some[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD, SIGWINCH, SIGTSTP};
  for (size_t n = 0; n < sizeof some / sizeof *some; n++)
    if (sigismember(mask, some[n]) != 1) return false;
  return true;
}

static void note_mask(int how, const sigset_t *set) {
  if (how == SIG_BLOCK) blocked |= bits(set);
  else if (how == SIG_UNBLOCK) blocked &= ~bits(set);
  else blocked = is_of_dispatch(set) ? 0 : bits(set);
}

CH_BEHIND(pthread_sigmask);

// Delivers the pending signals that only Dispatch has blocked.
static void let_come(void) {
  sigset_t mask, waiting;
  if (CH_REAL(pthread_sigmask)(SIG_BLOCK, NULL, &mask) || !is_of_dispatch(&mask) || sigpending(&waiting)) return;
  sigset_t wanted;
  sigemptyset(&wanted);
  bool is_any = false;
  for (int n = 1; n < 64; n++) {
    if (sigismember(&waiting, n) != 1 || blocked & (uint64_t)1 << n) continue;
    sigaddset(&wanted, n);
    is_any = true;
  }
  if (!is_any) return;
  CH_REAL(pthread_sigmask)(SIG_UNBLOCK, &wanted, NULL);
  CH_REAL(pthread_sigmask)(SIG_BLOCK, &wanted, NULL);
}

static void masked(int how, const sigset_t *set, const void *caller) {
  if (!set || ch_is_runtime(caller)) return;
  int error = errno;
  note_mask(how, set);
  if (ch_in_program()) let_come();
  errno = error;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  int error = CH_REAL(pthread_sigmask)(how, set, old);
  if (!error) masked(how, set, CH_FRAME[1]);
  return error;
}

CH_BEHIND(sigprocmask);
int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = CH_REAL(sigprocmask)(how, set, old);
  if (!error) masked(how, set, CH_FRAME[1]);
  return error;
}

// MARK: sent signals

// Returns the simulation whose program sends the signal `number`; null if none does.
static ch_simulation *sender(int number, void *const *frame) {
  ch_simulation *s = number > 0 ? ch_in_program() : NULL;
  return s && !ch_is_runtime(frame[1]) ? s : NULL;
}

void ch_has_sent(void) {
  int error = errno;
  let_come();
  errno = error;
}

#define SENDS_ITSELF(s, number, call)        \
  do {                                       \
    note(s, sends, number, CH_FRAME);        \
    __typeof__(call) sent_answer = (call);   \
    ch_has_sent();                           \
    return sent_answer;                      \
  } while (0)

CH_BEHIND(raise);
int raise(int number) {
  ch_simulation *s = sender(number, CH_FRAME);
  if (!s) return CH_REAL(raise)(number);
  SENDS_ITSELF(s, number, CH_REAL(raise)(number));
}

// The receiver of a signal: the program's own process, or other processes. Its group counts as itself, because the group's
// other processes belong to the machine.
enum { itself, others };
static int whom(pid_t process) {
  bool is_own = process == ch_pid_of_program || process == -ch_pid_of_program || process == 0
    || process == ch_own_pid() || process == -ch_own_group();
  return is_own ? itself : others;
}

CH_BEHIND(kill);
int kill(pid_t process, int number) {
  ch_simulation *s = sender(number, CH_FRAME);
  if (!s) return CH_REAL(kill)(process == ch_pid_of_program ? ch_own_pid() : process, number);
  if (whom(process) == itself) SENDS_ITSELF(s, number, CH_REAL(kill)(ch_own_pid(), number));
  return ch_leaves(s, "kill", CH_FRAME) ? 0 : CH_REAL(kill)(process, number);
}

CH_BEHIND(killpg);
int killpg(pid_t group, int number) {
  ch_simulation *s = sender(number, CH_FRAME);
  if (!s) return CH_REAL(killpg)(group, number);
  if (whom(-group) == itself) SENDS_ITSELF(s, number, CH_REAL(kill)(ch_own_pid(), number));
  return ch_leaves(s, "kill", CH_FRAME) ? 0 : CH_REAL(killpg)(group, number);
}

CH_BEHIND(sigqueue);
int sigqueue(pid_t process, int number, const union sigval value) {
  ch_simulation *s = sender(number, CH_FRAME);
  if (!s) return CH_REAL(sigqueue)(process == ch_pid_of_program ? ch_own_pid() : process, number, value);
  if (whom(process) == itself) SENDS_ITSELF(s, number, CH_REAL(sigqueue)(ch_own_pid(), number, value));
  return ch_leaves(s, "kill", CH_FRAME) ? 0 : CH_REAL(sigqueue)(process, number, value);
}

// Returns true if the signal has no handler, and ends or stops the whole process no matter which thread receives it.
static bool is_for_all(int number) {
  struct sigaction now;
  bool is_ignored = number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
  return !is_ignored && sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL;
}

CH_BEHIND(pthread_kill);
int pthread_kill(pthread_t thread, int number) {
  ch_simulation *s = sender(number, CH_FRAME);
  if (!s) return CH_REAL(pthread_kill)(thread, number);
  // Another thread of the program may have inherited the signals that Dispatch blocks from the thread that started it.
  pthread_t whose = is_for_all(number) ? pthread_self() : thread;
  SENDS_ITSELF(s, number, CH_REAL(pthread_kill)(whose, number));
}

CH_BEHIND(pthread_sigqueue);
int pthread_sigqueue(pthread_t thread, int number, const union sigval value) {
  ch_simulation *s = sender(number, CH_FRAME);
  if (!s) return CH_REAL(pthread_sigqueue)(thread, number, value);
  pthread_t whose = is_for_all(number) ? pthread_self() : thread;
  SENDS_ITSELF(s, number, CH_REAL(pthread_sigqueue)(whose, number, value));
}

CH_BEHIND(tgkill);
int tgkill(pid_t process, pid_t thread, int number) {
  ch_simulation *s = sender(number, CH_FRAME);
  pid_t real = process == ch_pid_of_program ? ch_own_pid() : process;
  if (!s) return CH_REAL(tgkill)(real, thread, number);
  if (real == ch_own_pid()) SENDS_ITSELF(s, number, CH_REAL(tgkill)(real, is_for_all(number) ? gettid() : thread, number));
  return ch_leaves(s, "kill", CH_FRAME) ? 0 : CH_REAL(tgkill)(process, thread, number);
}

// Handles a signal sent through `syscall`. `frame` is that of `syscall`; its arguments, `words`, may be changed.
ch_sending ch_sends(long call, long words[6], void *const *frame) {
  bool has_thread = call == SYS_tgkill || call == SYS_rt_tgsigqueueinfo;
  if (!has_thread && call != SYS_kill && call != SYS_tkill && call != SYS_rt_sigqueueinfo) return CH_SENDS_NOTHING;
  int number = (int)words[has_thread ? 2 : 1];
  ch_simulation *s = sender(number, frame);
  if (!s) return CH_SENDS_NOTHING;
  bool is_own = call == SYS_tkill || whom((pid_t)words[0]) == itself;
  if (!is_own) return ch_leaves(s, "kill", frame) ? CH_SENDS_OTHERS : CH_SENDS_NOTHING;
  if (call != SYS_tkill) words[0] = ch_own_pid();
  if (has_thread && is_for_all(number)) words[1] = gettid();
  note(s, sends, number, frame);
  return CH_SENDS_ITSELF;
}

// MARK: other ways to end the process

CH_BEHIND(abort);
void abort(void) {
  ch_simulation *s = ch_in_program();
  if (s) note(s, aborts, SIGABRT, CH_FRAME);
  CH_REAL(abort)();
  __builtin_unreachable();
}

#define EXITS(name)                                             \
  CH_BEHIND(name);                                              \
  void name(int status) {                                       \
    ch_simulation *s = ch_in_program();                         \
    if (s) note(s, exits, status, CH_FRAME);                    \
    CH_REAL(name)(status);                                      \
    __builtin_unreachable();                                    \
  }
EXITS(exit)
EXITS(_exit)
EXITS(_Exit)
EXITS(quick_exit)
#pragma clang attribute pop
#endif
