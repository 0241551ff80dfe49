// Calls by which a process becomes another program. As with other processes, none is started, and the call is reported.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

#define BECOMES(name, parameters, ...)                                 \
  CH_BEHIND(name);                                                     \
  int name parameters {                                                \
    ch_simulation *s;                                                  \
    if (CH_LEAVES(s, #name)) { errno = EAGAIN; return -1; }            \
    return CH_REAL(name)(__VA_ARGS__);                                 \
  }
BECOMES(execve, (const char *path, char *const arguments[], char *const environment[]), path, arguments, environment)
BECOMES(execv, (const char *path, char *const arguments[]), path, arguments)
BECOMES(execvp, (const char *file, char *const arguments[]), file, arguments)
BECOMES(execvpe, (const char *file, char *const arguments[], char *const environment[]), file, arguments, environment)
BECOMES(fexecve, (int file, char *const arguments[], char *const environment[]), file, arguments, environment)

#pragma clang attribute pop
#endif
