// How a process ends itself: what it has noted about that, and which signal handlers a copy keeps.
//
// A copy of a process keeps the handlers that its program has installed, and ignores the signals that its program
// ignores. It dies of all other signals. What the runtime or this library does about them is done by the process that
// is copied, and the signals that were ignored when that process began were ignored by its parent, not by the program.
#define _GNU_SOURCE
#include "Private.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

// The signals that end programs: those of errors, and those that other processes send.
static const int ending[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,  SIGSEGV, SIGSYS,
                             SIGHUP, SIGINT,  SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};
enum { ending_count = sizeof ending / sizeof *ending };

static bool was_ignored[ending_count];

// The address range of the runtime, whose handlers show a backtrace. Looked up ahead of time: when a copy was made,
// another thread may have held the loader's lock.
static uintptr_t runtime_begins, runtime_ends;

static int find_runtime(struct dl_phdr_info *library, size_t size, void *unused) {
  (void)size, (void)unused;
  if (!strstr(library->dlpi_name, "/libswiftCore.so")) return 0;
  runtime_begins = library->dlpi_addr;
  for (int n = 0; n < library->dlpi_phnum; n++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[n];
    uintptr_t end = library->dlpi_addr + part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && end > runtime_ends) runtime_ends = end;
  }
  return 1;
}

// The C library's own `_exit`: the simulator defines this name too.
static void (*real_exit)(int);

// True if no handlers are kept, because a sanitizer is part of the program and its handlers look like the program's.
static bool keeps_none;

__attribute__((constructor)) static void look_around(void) {
  struct sigaction now;
  for (int n = 0; n < ending_count; n++)
    was_ignored[n] = sigaction(ending[n], NULL, &now) == 0 && now.sa_handler == SIG_IGN;
  dl_iterate_phdr(find_runtime, NULL);
  real_exit = (void (*)(int))dlsym(RTLD_NEXT, "_exit");
  keeps_none = cp_is_instrumented();
}

static bool is_of_runtime(const void *handler) {
  return (uintptr_t)handler >= runtime_begins && (uintptr_t)handler < runtime_ends;
}

static bool is_of_program(int n) {
  struct sigaction now;
  if (sigaction(ending[n], NULL, &now) != 0) return false;
  if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN) return !was_ignored[n];
  const void *handler = (const void *)now.sa_sigaction;
  return handler && !cp_is_own_handler(handler) && !is_of_runtime(handler);
}

void cp_keep_handlers_of_program(void) {
  for (int n = 0; n < ending_count; n++)
    if (keeps_none || !is_of_program(n)) signal(ending[n], SIG_DFL);
}

// MARK: what was noted

static bool is_watched;

void cp_become_watched(void) { is_watched = true; }

static bool stops(int number) {
  return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

static bool is_default(int number) {
  struct sigaction now;
  return number == SIGSTOP || (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
}

static void note_callers(cp_callers *to, void *const *callers, size_t count) {
  if (count > CP_MOST_CALLERS) count = CP_MOST_CALLERS;
  memcpy(to->addresses, callers, count * sizeof *callers);
  to->count = (uint32_t)count;
}

void cp_note_ending(cp_recorder *recorder, int way, int number, void *const *callers, size_t count) {
  recorder->ending.way = (uint32_t)way;
  recorder->ending.number = number;
  note_callers(&recorder->ending.callers, callers, count);
  // The program's own handlers may need a lock that another thread held, and that thread is not here to release it.
  if (way == CP_EXITS && is_watched && real_exit) real_exit(number);
  // A stopped process would do nothing more, and would look like one that hangs.
  if (way == CP_SENDS && is_watched && stops(number) && is_default(number)) cp_raise(SIGKILL);
}

int cp_sent(const cp_recorder *recorder, int number) {
  const cp_ending *noted = &recorder->ending;
  if (noted->way != CP_SENDS || number == 0) return 0;
  return noted->number == number || (number == SIGKILL && stops(noted->number)) ? noted->number : 0;
}

bool cp_read_ending(const cp_recorder *recorder, int number, int status, uintptr_t *addresses, uint32_t *count) {
  const cp_ending *noted = &recorder->ending;
  bool is_exit = noted->way == CP_EXITS && number == 0 && (noted->number & 0xff) == status;
  bool is_abort = noted->way == CP_ABORTS && number == SIGABRT;
  if (!is_exit && !is_abort && !cp_sent(recorder, number)) return false;
  *count = cp_read_callers(&noted->callers, addresses);
  return true;
}

bool cp_stops(int number) { return stops(number); }

const char *cp_signal_name(int number) { return sigabbrev_np(number); }

cp_end cp_found_end(cp_end end, const cp_recorder *recorder) {
  const cp_ending *noted = &recorder->ending;
  if (!end.is_lost || end.signal != 0 || noted->way == 0) return end;
  if (noted->way == CP_EXITS) end.status = noted->number & 0xff;
  else end.signal = noted->number;
  return end;
}
