// Counts what lives in this process beside the simulations and could wake one of their tasks at any time: threads that the
// program or a library has started, and event sources.
//
// Threads of Dispatch and of the testing library do not count: they only run and wait for the work that they are given.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int threads;
static _Atomic bool has_source;
static pthread_key_t at_end;
static bool has_key;
static _Thread_local bool starts_own __attribute__((tls_model("initial-exec")));

static bool counts(const void *caller) {
  static const char *const others[] = {"libdispatch.so", "libTesting.so"};
  const char *file = ch_library_of(caller);
  for (size_t n = 0; n < sizeof others / sizeof *others; n++)
    if (!strncmp(file, others[n], strlen(others[n]))) return false;
  return true;
}

void ch_starts_own_thread(bool own) { starts_own = own; }
bool ch_others_live(void) { return threads > 0 || has_source; }

// MARK: the table of threads and sources

// A live thread, and the process that has it: a copy of that process keeps the row but not the thread. A row can also stand
// for an event source, or for a block of the program on a thread of Dispatch. A block has a thread only while it runs.
typedef struct {
  _Atomic bool is_taken;
  _Atomic uint8_t kind;
  _Atomic(const void *) source;
  _Atomic int process, thread;
  char inherited[16];  // the name of the thread that made it, which it keeps until it sets its own
  ch_callers makers;
} row;

enum { most_rows = 256 };
static row rows[most_rows];

static row *free_row(void) {
  for (size_t n = 0; n < most_rows; n++) {
    bool isTaken = false;
    if (atomic_compare_exchange_strong(&rows[n].is_taken, &isTaken, true)) return &rows[n];
  }
  return NULL;
}

static void give_row(row *taken) {
  if (!taken) return;
  taken->thread = 0;
  taken->source = NULL;
  taken->kind = CH_BESIDE_THREAD;
  taken->is_taken = false;
}

// Returns the real process ID, even in a simulation.
static int self(void) { return (int)ch_own_pid(); }

static ssize_t read_of_thread(const row *of, const char *file, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", of->process, of->thread, file);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  ssize_t length = read(descriptor, text, size - 1);
  close(descriptor);
  if (length >= 0) text[length] = 0;
  return length;
}

static const struct {
  long number;
  const char *name;
} calls[] = {
  {SYS_futex, "a lock, a condition or a semaphore"},
#ifdef SYS_poll
  {SYS_poll, "poll"}, {SYS_epoll_wait, "epoll_wait"}, {SYS_select, "select"},
#endif
  {SYS_ppoll, "poll"}, {SYS_epoll_pwait, "epoll_wait"}, {SYS_pselect6, "select"}, {SYS_read, "read"},
  {SYS_recvfrom, "recv"}, {SYS_recvmsg, "recv"}, {SYS_accept, "accept"}, {SYS_accept4, "accept"},
  {SYS_nanosleep, "sleep"}, {SYS_clock_nanosleep, "sleep"}, {SYS_rt_sigtimedwait, "sigwait"},
};

static const char *name_of_call(long number) {
  for (size_t n = 0; n < sizeof calls / sizeof *calls; n++)
    if (calls[n].number == number) return calls[n].name;
  return NULL;
}

// Describes a row. Leaves out what the system knows of a thread if the thread has ended or has another number there.
static void describe(const row *of, ch_thread_beside *to) {
  char text[64];
  *to = (ch_thread_beside){.kind = of->kind, .maker_count = of->makers.count};
  for (int n = 0; n < of->makers.count; n++) to->makers[n] = (uintptr_t)of->makers.addresses[n];
  if (of->kind == CH_BESIDE_SOURCE) return;
  if (read_of_thread(of, "comm", text, sizeof to->name + 1) > 0) {
    text[strcspn(text, "\n")] = 0;
    if (strcmp(text, of->inherited)) strcpy(to->name, text);
  }
  if (read_of_thread(of, "syscall", text, sizeof text) > 0 && *text >= '0' && *text <= '9')
    to->waits_in = name_of_call(atol(text));
}

bool ch_this_thread(ch_thread_beside *to) {
  const row *own = has_key ? pthread_getspecific(at_end) : NULL;
  if (!own || own == (const void *)&threads) return false;
  describe(own, to);
  to->waits_in = NULL;
  return true;
}

int ch_lost_threads(ch_thread_beside *to, int most) {
  int count = 0;
  for (size_t n = 0; n < most_rows; n++) {
    const row *lost = &rows[n];
    if (!lost->is_taken || !lost->thread || lost->process == self()) continue;
    if (count < most) describe(lost, &to[count]);
    count++;
  }
  return count;
}

bool ch_has_only_lost_threads(void) {
  bool has_lost = false;
  int own = self();
  for (size_t n = 0; n < most_rows; n++) {
    if (!rows[n].is_taken || !rows[n].thread) continue;
    if (rows[n].process == own) return false;
    has_lost = true;
  }
  return has_lost;
}

// MARK: sources and blocks of Dispatch

static bool is_of_program(const void *address) { return !strcmp(ch_library_of(address), program_invocation_short_name); }
static bool is_of_overlay(const void *address) { return !strncmp(ch_library_of(address), "libswiftDispatch.so", 19); }

// Returns a row if the program itself made the call, directly or through the Dispatch module; null otherwise, or if all
// rows are taken.
static row *row_of_program(int kind, void *const *frame) {
  if (!has_key || !(is_of_program(frame[1]) || is_of_overlay(frame[1]))) return NULL;
  ch_callers makers = {.count = 0};
  ch_find_callers_in_step(frame, &makers);
  int n = 0;
  while (n < makers.count && is_of_overlay(makers.addresses[n])) n++;
  row *taken = n < makers.count && is_of_program(makers.addresses[n]) ? free_row() : NULL;
  if (!taken) return NULL;
  taken->kind = (uint8_t)kind;
  taken->makers = makers;
  taken->process = self();
  return taken;
}

void ch_source_created(const void *source, void *const *frame) {
  if (!counts(frame[1])) return;
  has_source = true;
  row *taken = row_of_program(CH_BESIDE_SOURCE, frame);
  if (!taken) return;
  taken->source = source;
  taken->thread = 1;  // any number but 0: a source has no thread
}

void ch_source_cancelled(const void *source) {
  for (size_t n = 0; has_source && n < most_rows; n++)
    if (rows[n].is_taken && rows[n].source == source) return give_row(&rows[n]);
}

void *ch_block_handed_over(void *const *frame) { return row_of_program(CH_BESIDE_BLOCK, frame); }

void ch_block_begins(void *block) {
  row *own = block;
  own->inherited[0] = 0;
  own->process = self();
  own->thread = (int)syscall(SYS_gettid);
}

void ch_block_ended(void *block) { give_row(block); }

// MARK: how threads begin and end

typedef struct {
  void *(*work)(void *);
  void *argument;
  row *row;
} beginning;

static void ended(void *row) {
  threads--;
  give_row(row == (void *)&threads ? NULL : row);
}

static void *begin(void *argument) {
  beginning first = *(beginning *)argument;
  free(argument);
  if (first.row) {
    first.row->process = self();
    first.row->thread = (int)syscall(SYS_gettid);
  }
  // The key's destructor notes the end of the thread, however it ends.
  pthread_setspecific(at_end, first.row ? (void *)first.row : (void *)&threads);
  return first.work(first.argument);
}

int ch_create_thread(ch_create *create, pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                     void *argument, void *const *frame) {
  const void *caller = frame[1];
  beginning *first = has_key && !starts_own && counts(caller) ? malloc(sizeof *first) : NULL;
  if (!first) return create(thread, attributes, work, argument);
  *first = (beginning){work, argument, free_row()};
  if (first->row) {
    first->row->makers.count = 0;
    prctl(PR_GET_NAME, first->row->inherited);
    ch_find_callers_in_step(frame, &first->row->makers);
  }
  threads++;
  row *taken = first->row;
  int error = create(thread, attributes, begin, first);
  if (error) {
    threads--;
    give_row(taken);
    free(first);
  }
  return error;
}

// MARK: work beside a step

CH_BEHIND(pthread_create);
CH_BEHIND(pthread_join);

typedef struct {
  void (*body)(void *);
  void *argument;
} side_work;

static void *do_beside(void *argument) {
  const side_work *work = argument;
  work->body(work->argument);
  return NULL;
}

bool ch_do_beside(void (*body)(void *), void *argument) {
  side_work work = {body, argument};
  pthread_t thread;
  // Not through our own functions: the simulation would take both calls for calls of the step.
  if (CH_REAL(pthread_create)(&thread, NULL, do_beside, &work)) return false;
  CH_REAL(pthread_join)(thread, NULL);
  return true;
}

__attribute__((constructor)) static void install(void) { has_key = pthread_key_create(&at_end, ended) == 0; }
#endif
