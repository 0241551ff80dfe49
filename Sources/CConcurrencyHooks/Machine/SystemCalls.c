// System calls that a program makes through `syscall`. A call that corresponds to a function of the C library that is simulated
// gets the answer of that function.
//
// Calls written in assembly, or made inside the C library, are not seen; nor are reads of the processor's counter (`rdtsc`).
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

typedef long syscall_function(long, ...);
static syscall_function *_Atomic real_syscall;

static syscall_function *resolve(void) {
  if (!real_syscall) real_syscall = (syscall_function *)dlsym(RTLD_NEXT, "syscall");
  return real_syscall;
}

#define TAKE_WORDS(words)                                                                                   \
  long words[6];                                                                                            \
  va_list list;                                                                                             \
  va_start(list, number);                                                                                   \
  for (int n = 0; n < 6; n++) words[n] = va_arg(list, long);                                                \
  va_end(list)

static long forward(long number, const long words[6]) {
  syscall_function *real = resolve();
  if (!real) { errno = ENOSYS; return -1; }
  return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

long ch_system_call(long number, ...) {
  TAKE_WORDS(words);
  return forward(number, words);
}

// Converts an error that a C function returned into the result of a system call, which sets `errno` instead.
static long told(int error) {
  if (error) errno = error;
  return error ? -1 : 0;
}

// Returns true, and sets `answer`, if the program's call is answered here.
static bool answers(long number, const long words[6], long *answer) {
  switch (number) {
    case SYS_clock_gettime: *answer = clock_gettime((clockid_t)words[0], (void *)words[1]); return true;
    case SYS_clock_getres: *answer = clock_getres((clockid_t)words[0], (void *)words[1]); return true;
    case SYS_gettimeofday: *answer = gettimeofday((void *)words[0], (void *)words[1]); return true;
    case SYS_times: *answer = times((void *)words[0]); return true;
    case SYS_getrusage: *answer = getrusage((int)words[0], (void *)words[1]); return true;
    case SYS_sysinfo: *answer = sysinfo((void *)words[0]); return true;
    case SYS_getcpu: *answer = getcpu((void *)words[0], (void *)words[1]); return true;
    case SYS_getpid: *answer = getpid(); return true;
    case SYS_getppid: *answer = getppid(); return true;
    case SYS_getpgid: *answer = getpgid((pid_t)words[0]); return true;
    case SYS_getsid: *answer = getsid((pid_t)words[0]); return true;
    case SYS_nanosleep: *answer = nanosleep((void *)words[0], (void *)words[1]); return true;
    case SYS_clock_nanosleep:
      *answer = told(clock_nanosleep((clockid_t)words[0], (int)words[1], (void *)words[2], (void *)words[3]));
      return true;
    case SYS_read: *answer = read((int)words[0], (void *)words[1], (size_t)words[2]); return true;
    case SYS_exit_group: _exit((int)words[0]);
#if defined(__x86_64__)
    case SYS_time: *answer = time((void *)words[0]); return true;
    case SYS_getpgrp: *answer = getpgrp(); return true;
    case SYS_fork: *answer = fork(); return true;
#endif
    default: return false;
  }
}

// `SystemRandomNumberGenerator` asks the kernel directly. A call that is not known here is forwarded unchanged.
long syscall(long number, ...) {
  TAKE_WORDS(words);
  ch_simulation *s = ch_current;
  if (!s) return forward(number, words);
  if (number == SYS_getrandom) {
    ch_fill_at_random(s, (void *)words[0], (size_t)words[1], CH_FRAME);
    return words[1];
  }
  long answer;
  if (ch_in_program() && !ch_is_runtime(CH_FRAME[1]) && answers(number, words, &answer)) return answer;
  ch_sending sent = ch_sends(number, words, CH_FRAME);
  if (sent == CH_SENDS_OTHERS) return 0;
  answer = forward(number, words);
  if (sent == CH_SENDS_ITSELF) ch_has_sent();
  return answer;
}
#pragma clang attribute pop
#endif
