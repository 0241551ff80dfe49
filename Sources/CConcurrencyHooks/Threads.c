// What lives in this process beside the simulations, and could wake a task of theirs at any time: threads that the program
// or a library has started, and sources of events.
//
// Threads of Dispatch and of the testing library do not count: they run what they are given, and wait for it.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <stdlib.h>
#include <string.h>

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

void ch_source_created(const void *caller) {
  if (counts(caller)) has_source = true;
}

typedef struct {
  void *(*work)(void *);
  void *argument;
} beginning;

static void ended(void *unused) { threads--; }

static void *begin(void *argument) {
  beginning first = *(beginning *)argument;
  free(argument);
  // However the thread ends, that is told.
  pthread_setspecific(at_end, &threads);
  return first.work(first.argument);
}

int ch_create_thread(ch_create *create, pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                     void *argument, const void *caller) {
  beginning *first = has_key && !starts_own && counts(caller) ? malloc(sizeof *first) : NULL;
  if (!first) return create(thread, attributes, work, argument);
  *first = (beginning){work, argument};
  threads++;
  int error = create(thread, attributes, begin, first);
  if (error) {
    threads--;
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
  // Not by our own names: to the simulation both would be the step's.
  if (CH_REAL(pthread_create)(&thread, NULL, do_beside, &work)) return false;
  CH_REAL(pthread_join)(thread, NULL);
  return true;
}

__attribute__((constructor)) static void install(void) { has_key = pthread_key_create(&at_end, ended) == 0; }
#endif
