// Crash reporter: when a signal ends the process, reports under which schedule that happened. The handler calls only
// what may be called in a signal handler.
#define _GNU_SOURCE
#include "Private.h"

#include <dirent.h>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

static _Thread_local const cp_recorder *volatile here __attribute__((tls_model("initial-exec")));
// The recorder with which an execution began last, on any thread; null once one has ended.
static const cp_recorder *_Atomic latest;
static const int fatal[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { fatal_count = sizeof fatal / sizeof *fatal };
static struct sigaction before[fatal_count];
static char build_name[16];
static int installed;

static int (*_Atomic real_raise)(int);

// Resolved ahead of time, because a signal handler may not do so.
static void resolve_raise(void) {
  if (!real_raise) real_raise = (int (*)(int))dlsym(RTLD_NEXT, "raise");
}

void cp_raise(int number) {
  resolve_raise();
  if (real_raise) real_raise(number);
}

void cp_record_here(const cp_recorder *recorder) { here = latest = recorder; }

typedef struct {
  char bytes[512];
  size_t length;
} line;

static void flush(line *l) {
  size_t sent = 0;
  while (sent < l->length) {
    ssize_t put = write(STDERR_FILENO, l->bytes + sent, l->length - sent);
    if (put <= 0) break;
    sent += (size_t)put;
  }
  l->length = 0;
}

static void add(line *l, const char *text) {
  while (*text) {
    if (l->length == sizeof l->bytes) flush(l);
    l->bytes[l->length++] = *text++;
  }
}

static void add_number(line *l, uint64_t number, unsigned base, int digits) {
  char text[32];
  int n = sizeof text;
  text[--n] = 0;
  do {
    text[--n] = "0123456789abcdef"[number % base];
    number /= base;
  } while ((number || --digits > 0) && n > 0);
  add(l, text + n);
}

static void speak(const cp_recorder *r) {
  const cp_choice *tape = (const cp_choice *)r->tape;
  line l = {.length = 0};
  add(&l, "simulator: the process ends under the schedule ");
  add(&l, build_name);
  add(&l, "/");
  bool first = true;
  for (uint64_t n = 0; tape && n < r->choices; n++) {
    if (tape[n].taken == 0) continue;
    if (!first) add(&l, ",");
    first = false;
    add_number(&l, n, 10, 1);
    add(&l, ":");
    add_number(&l, tape[n].taken, 10, 1);
    add(&l, "/");
    add_number(&l, tape[n].options, 10, 1);
  }
  add(&l, "#00000000, in step ");
  add_number(&l, r->steps, 10, 1);
  add(&l, r->tearing_down ? ", while what was left of it was being run out\n" : "; Explorer.replay shows it again\n");
  flush(&l);
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  const cp_recorder *recorder = here;
  here = NULL;
  if (recorder && recorder->phase != CP_IDLE) speak(recorder);
  // Restores the handlers that were installed before ours. They run now, because the signal occurs again.
  for (int n = 0; n < fatal_count; n++)
    if (fatal[n] == number) sigaction(number, &before[n], NULL);
  if (number == SIGABRT || (info && info->si_code <= 0)) cp_raise(number);
}

bool cp_crash_reporter(const char *build) {
  if (__atomic_exchange_n(&installed, 1, __ATOMIC_SEQ_CST)) return true;
  resolve_raise();
  strncpy(build_name, build, sizeof build_name - 1);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  bool all = true;
  for (int n = 0; n < fatal_count; n++) all = sigaction(fatal[n], &action, &before[n]) == 0 && all;
  return all;
}

// MARK: where it ended

static bool read_words(uintptr_t from, uintptr_t *to, size_t count) {
  struct iovec target = {to, count * sizeof *to}, there = {(void *)from, count * sizeof *to};
  return process_vm_readv(cp_self(), &target, 1, &there, 1, 0) ==
         (ssize_t)(count * sizeof *to);
}

// Follows the frame pointers, which Swift keeps. An asynchronous function marks its own with a bit.
static void find_callers(cp_callers *to, uintptr_t counter, uintptr_t frame) {
  static const uintptr_t is_async = (uintptr_t)1 << 60;
  to->count = 0;
  to->addresses[to->count++] = counter + 1;
  uintptr_t words[2];
  while (to->count < CP_MOST_CALLERS && frame && read_words(frame & ~is_async, words, 2) && words[1]) {
    to->addresses[to->count++] = words[1];
    if ((words[0] & ~is_async) <= (frame & ~is_async)) break;
    frame = words[0];
  }
}

// Returns the recorder of a process that was forked for one simulation, also on the threads that the program makes.
static cp_recorder *of_this_process(void) {
  // Safe because this process writes the page, and the process that reads it shares it.
  return (cp_recorder *)(here ? here : latest);
}

// Notes what the thread was doing when the signal interrupted it.
static void note_place(cp_recorder *recorder, const ucontext_t *now) {
#if defined(__x86_64__)
  uintptr_t counter = (uintptr_t)now->uc_mcontext.gregs[REG_RIP], frame = (uintptr_t)now->uc_mcontext.gregs[REG_RBP];
#else
  uintptr_t counter = now->uc_mcontext.pc, frame = now->uc_mcontext.regs[29];
#endif
  find_callers(&recorder->death, counter, frame);
}

static void note_death(int number, siginfo_t *info, void *context) {
  cp_recorder *recorder = of_this_process();
  signal(number, SIG_DFL);
  if (recorder && recorder->phase != CP_IDLE) {
    note_place(recorder, context);
    // If the program sent the signal itself, that has been noted already.
    bool is_sent = number == SIGABRT || (info && info->si_code <= 0);
    if (!is_sent || recorder->ending.number != number) recorder->ending = (cp_ending){.way = CP_DIES, .number = number};
  }
  // The signal occurs again: by itself if an instruction caused it, otherwise because it is raised here.
  if (number == SIGABRT || (info && info->si_code <= 0)) cp_raise(number);
}

// MARK: the place of a process that does not end

// A signal that does nothing in a program that does not handle it.
enum { asks_for_place = SIGURG };

static void answer_place(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  cp_recorder *recorder = of_this_process();
  if (!recorder) return;
  note_place(recorder, context);
  __atomic_store_n(&recorder->has_place, 1, __ATOMIC_RELEASE);
}

static bool is_at_work(int pid, int thread) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, thread);
  return cp_state_in(path) == 'R';
}

static int thread_at_work(int pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *threads = opendir(path);
  int found = 0;
  for (struct dirent *entry; threads && !found && (entry = readdir(threads));) {
    int thread = atoi(entry->d_name);
    if (thread > 0 && is_at_work(pid, thread)) found = thread;
  }
  if (threads) closedir(threads);
  return found ? found : pid;
}

void cp_ask_for_place(int pid, cp_recorder *recorder) {
  recorder->death.count = 0;
  recorder->has_place = 0;
  if (syscall(SYS_tgkill, pid, thread_at_work(pid), asks_for_place)) return;
  for (int n = 0; n < 100 && !__atomic_load_n(&recorder->has_place, __ATOMIC_ACQUIRE); n++) poll(NULL, 0, 1);
}

static void answer_if_asked(void) {
  struct sigaction action, now;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = answer_place;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigset_t asked;
  sigemptyset(&asked);
  sigaddset(&asked, asks_for_place);
  if (sigaction(asks_for_place, NULL, &now) != 0 || now.sa_handler != SIG_DFL) return;
  sigaction(asks_for_place, &action, NULL);
  // Dispatch blocks this signal on its threads, and a copy begins on one of them.
  pthread_sigmask(SIG_UNBLOCK, &asked, NULL);
}

// Lets this thread note its death after it has used up its stack.
static void set_aside_a_stack(void) {
  static char bytes[1 << 16];
  stack_t now, other = {.ss_sp = bytes, .ss_size = sizeof bytes};
  if (!sigaltstack(NULL, &now) && now.ss_flags & SS_DISABLE) sigaltstack(&other, NULL);
}

void cp_note_deaths(void) {
  latest = here;  // simulations on other threads belong to the process that this one was copied from
  answer_if_asked();
  set_aside_a_stack();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = note_death;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  resolve_raise();
  for (int n = 0; n < fatal_count; n++) {
    struct sigaction now;
    bool is_default = sigaction(fatal[n], NULL, &now) == 0 && now.sa_handler == SIG_DFL;
    if (is_default) sigaction(fatal[n], &action, NULL);
  }
}

bool cp_is_own_handler(const void *handler) {
  return handler == (const void *)note_death || handler == (const void *)handle
    || handler == (const void *)answer_place;
}
