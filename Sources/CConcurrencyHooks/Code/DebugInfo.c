// Lets all threads share the debug information that the toolchain has read.
//
// The toolchain's reader keeps what it has read separately for each thread, and each thread of the test library reads
// everything again: a third of a second for each test that fails. While a thread reads for a report, the library gets the
// same memory in place of the thread's own. Only one thread reads at a time. A copy of the process has what its original had
// read.
#define _GNU_SOURCE
#include "CCode.h"
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *kept;
static int reader;  // the process of the thread that is reading; 0 if none is
static _Thread_local bool shares __attribute__((tls_model("initial-exec")));
static bool is_answered;

static void *value(pthread_key_t key) { return shares ? kept : pthread_getspecific(key); }

static int set_value(pthread_key_t key, const void *new) {
  if (!shares) return pthread_setspecific(key, new);
  kept = (void *)new;
  return 0;
}

// Pauses in real time, because the thread may be in a simulation.
static void pause_shortly(void) {
  struct timespec time = {0, 100000};
  ch_system_call(SYS_nanosleep, &time, NULL);
}

bool ch_begins_reading(void) {
  if (!is_answered) return false;
  int own = (int)ch_own_pid(), found = 0;
  while (!__atomic_compare_exchange_n(&reader, &found, own, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    // A thread of the original was reading when this copy was made, so what it left is incomplete.
    if (found && found != own) return false;
    found = 0;
    pause_shortly();
  }
  return shares = true;
}

void ch_ends_reading(void) {
  shares = false;
  __atomic_store_n(&reader, 0, __ATOMIC_RELEASE);
}

// The library has one key. If it is part of the executable, its calls cannot be redirected, and each thread reads for itself.
__attribute__((constructor)) static void install(void) {
  void *known = dlsym(RTLD_DEFAULT, "$s7Runtime8ImageMapVMn");
  const struct link_map *library = ch_image_with(known);
  if (!library || !*ch_image_name((uintptr_t)known)) return;
  ch_redirect_imports(library, "pthread_getspecific", (void *)value);
  ch_redirect_imports(library, "pthread_setspecific", (void *)set_value);
  is_answered = true;
}
#else
bool ch_begins_reading(void) { return false; }
void ch_ends_reading(void) {}
#endif
