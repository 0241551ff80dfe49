// Escapes, the calls by which work leaves a simulation: their shared code, and those that start processes.
//
// Each is a function that the program, Foundation or Dispatch's overlay calls through the PLT, so a definition in the
// executable is called first. On a thread that simulates nothing, and while the engine runs, the call goes through unchanged.
// In a step, the call is reported, and its work is kept and never done: nothing runs beside the simulation. What the caller
// then sees is possible in reality: the work has not happened yet. A call that would wait forever ends the step.
//
// `Exits.swift` has a row for each escape, with its outcome and the reason.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

void *ch_real(void *_Atomic *cache, const char *name) {
  void *found = *cache;
  if (found) return found;
  char sanitized[96];
  snprintf(sanitized, sizeof sanitized, "__interceptor_%s", name);
  found = dlsym(RTLD_DEFAULT, sanitized);
  // Conditions also have an older version, which older C libraries would return.
  if (!found && !strncmp(name, "pthread_cond_", 13)) found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  if (!found) found = dlsym(RTLD_NEXT, name);
  if (!found) abort();  // the library that defines it is loaded, or nothing would call it
  *cache = found;
  return found;
}

// MARK: who calls

static const char *const runtime[] = {"libdispatch.so", "libswift_Concurrency.so", "libswiftCore.so",
                                      "libswiftRuntime.so", "libstdc++.so", "libc.so", "ld-linux"};

bool ch_is_runtime(const void *address) {
  const char *file = ch_library_of(address);
  for (size_t n = 0; n < sizeof runtime / sizeof *runtime; n++)
    if (!strncmp(file, runtime[n], strlen(runtime[n]))) return true;
  return false;
}

bool ch_is_foundation(const void *address) { return !strncmp(ch_library_of(address), "libFoundation", 13); }

// Returns true if the address is in Foundation's `Process`. Once in a process's life, before it starts anything, it sets up a
// thread of its own and waits for it. This wait must not be cut short, so all its calls go through except the start of the
// process.
static bool is_in_process(const void *address) {
  static const char process[] = "$s10Foundation7ProcessC";
  static _Atomic uintptr_t judged[64];  // each an address, and one bit that is set if it is in `Process`
  if (strncmp(ch_library_of(address), "libFoundation.so", 16)) return false;
  _Atomic uintptr_t *known = &judged[(uintptr_t)address / 4 % 64];
  uintptr_t word = *known;
  if (word >> 1 != (uintptr_t)address) {
    Dl_info info;
    bool is = dladdr(address, &info) && info.dli_sname && !strncmp(info.dli_sname, process, sizeof process - 1);
    *known = word = (uintptr_t)address << 1 | is;
  }
  return word & 1;
}

static bool sets_up_process(const ch_callers *found) {
  for (int n = 0; n < found->count; n++)
    if (is_in_process(found->addresses[n])) return true;
  return false;
}

bool ch_sets_up_process(void *const *frame) {
  ch_callers found = {.count = 0};
  ch_find_callers(frame, &found);
  return sets_up_process(&found);
}

bool ch_leaves(ch_simulation *s, const char *name, void *const *frame) {
  if (ch_is_runtime(frame[1])) return false;
  ch_callers found = {.count = 0};
  ch_find_callers(frame, &found);
  if (strncmp(name, "posix_spawn", 11) && sets_up_process(&found)) return false;
  ch_left(s, name, &found);
  return true;
}

void ch_left(ch_simulation *s, const char *name, const ch_callers *callers) {
  if (s->execution.has_left) return;
  s->execution.has_left = true;
  simulator_left(s->scheduler, name, callers->addresses, callers->count);
}

// MARK: a step that ends where it waits

// The state that the runtime keeps for this thread: the running task, its executor, and the accesses that are in progress.
// Each library has some words of it. When a step ends early, they get back the values that they had between steps.
typedef struct {
  void *words;
  size_t size;
} thread_words;

enum { most_words = 64 };
static _Thread_local thread_words kept_words[2] __attribute__((tls_model("initial-exec")));

static int find_words(struct dl_phdr_info *library, size_t size, void *unused) {
  int which = strstr(library->dlpi_name, "/libswift_Concurrency.so") ? 0
              : strstr(library->dlpi_name, "/libswiftCore.so")       ? 1 : -1;
  if (which < 0 || !library->dlpi_tls_data) return 0;
  for (int n = 0; n < library->dlpi_phnum; n++)
    if (library->dlpi_phdr[n].p_type == PT_TLS && library->dlpi_phdr[n].p_memsz <= most_words)
      kept_words[which] = (thread_words){library->dlpi_tls_data, library->dlpi_phdr[n].p_memsz};
  return 0;
}

void **ch_word_of_current_task(void *task) {
  void **words = kept_words[0].words;
  for (size_t n = 0; task && words && n < kept_words[0].size / sizeof *words; n++)
    if (words[n] == task) return &words[n];
  return NULL;
}

typedef struct {
  jmp_buf place;
  char words[2][most_words];
} way_out;

static _Thread_local way_out *current_way_out __attribute__((tls_model("initial-exec")));

bool ch_run_until_left(ch_simulation *s, void (*body)(void *), void *argument) {
  if (!kept_words[0].words) dl_iterate_phdr(find_words, NULL);
  uint32_t untold_locks = ch_untold_locks;
  way_out out;
  for (int n = 0; n < 2; n++)
    if (kept_words[n].words) memcpy(out.words[n], kept_words[n].words, kept_words[n].size);
  current_way_out = &out;
  bool left = _setjmp(out.place);
  if (left) {
    for (int n = 0; n < 2; n++)
      if (kept_words[n].words) memcpy(kept_words[n].words, out.words[n], kept_words[n].size);
    s->execution.creating = s->execution.deinitializing = false;
    ch_untold_locks = untold_locks;
    ch_forget_onces();
    ch_forget_queues();
    ch_forget_runs();
  } else {
    body(argument);
  }
  current_way_out = NULL;
  return !left;
}

void ch_leave_step(ch_simulation *s) {
  if (!current_way_out) abort();
  // Not `_longjmp`, which does the same: the thread sanitizer does not see that one, and would keep the abandoned frames.
  longjmp(current_way_out->place, 1);
}

void ch_waits_in_vain(ch_simulation *s) {
  enum { many = 1000 };
  if (s->execution.waits++ > many) ch_leave_step(s);
}

void ch_waits_in_vain_for(ch_simulation *s, int64_t nanoseconds) {
  if (nanoseconds > 0 && __builtin_add_overflow(s->execution.now, nanoseconds, &s->execution.now))
    s->execution.now = INT64_MAX;
  ch_waits_in_vain(s);
}

// MARK: processes
//
// None is started: the call fails as if the machine had no room for one. An exit test would record issues for that, besides
// the escape, so its step ends.

static bool is_exit_test(const void *caller) { return !strncmp(ch_library_of(caller), "libTesting.so", 13); }

#define SPAWN(name)                                                                                          \
  CH_BEHIND(name);                                                                                           \
  int name(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,                          \
           const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {        \
    ch_simulation *s;                                                                                        \
    if (CH_LEAVES(s, #name)) {                                                                               \
      if (is_exit_test(CH_FRAME[1])) ch_leave_step(s);                                                       \
      return EAGAIN;                                                                                         \
    }                                                                                                        \
    return CH_REAL(name)(pid, path, actions, attributes, arguments, environment);                            \
  }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

CH_BEHIND(fork);
pid_t fork(void) {
  ch_simulation *s;
  if (CH_LEAVES(s, "fork")) { errno = EAGAIN; return -1; }
  return CH_REAL(fork)();
}

CH_BEHIND(system);
int system(const char *command) {
  ch_simulation *s;
  if (CH_LEAVES(s, "system")) { errno = EAGAIN; return -1; }
  return CH_REAL(system)(command);
}

CH_BEHIND(popen);
FILE *popen(const char *command, const char *mode) {
  ch_simulation *s;
  if (CH_LEAVES(s, "popen")) { errno = EAGAIN; return NULL; }
  return CH_REAL(popen)(command, mode);
}
#pragma clang attribute pop
#endif
