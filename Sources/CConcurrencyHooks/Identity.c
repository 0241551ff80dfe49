// What tells one process from another: a program that reads its number sees the same in every process.
//
// The number of the thread stays what it is: locks rest on it.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <signal.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { pid_of_program = 4194304 };  // above all that Linux gives away: no process has it

CH_BEHIND(getpid);
pid_t getpid(void) {
  if (ch_in_program() && !ch_is_runtime(__builtin_return_address(0))) return pid_of_program;
  return CH_REAL(getpid)();
}

CH_BEHIND(kill);
int kill(pid_t process, int number) {
  return CH_REAL(kill)(process == pid_of_program ? CH_REAL(getpid)() : process, number);
}
#pragma clang attribute pop
#endif
