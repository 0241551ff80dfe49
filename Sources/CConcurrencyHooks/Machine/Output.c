// The lock of standard output. `print` holds it while the printed value describes itself, which may take locks of the program.
// A step that is parked there would keep all others from printing, inside the library. So a simulation with preemptible steps
// uses a lock that it follows instead.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t output;

static void lock_file(FILE *file) {
  if (file == stdout && ch_is_followed(ch_current)) {
    ch_take(&output, CH_LOCK_OF_LIBRARY, NULL);
  } else {
    flockfile(file);
  }
}

static void unlock_file(FILE *file) {
  if (file == stdout && ch_is_followed(ch_current)) {
    int error;
    ch_open(&output, &error);
  } else {
    funlockfile(file);
  }
}

__attribute__((constructor)) static void install(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  if (pthread_mutex_init(&output, &attributes)) abort();
  pthread_mutexattr_destroy(&attributes);
  void *locks = dlsym(RTLD_DEFAULT, "_swift_stdlib_flockfile_stdout");
  Dl_info info;
  struct link_map *library = NULL;
  if (!locks || !dladdr1(locks, &info, (void **)&library, RTLD_DL_LINKMAP) || !library) return;
  ch_redirect_imports(library, "flockfile", (void *)lock_file);
  ch_redirect_imports(library, "funlockfile", (void *)unlock_file);
}
#endif
