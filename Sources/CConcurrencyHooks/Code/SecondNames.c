// Second names of functions that the other files replace: those that the C library keeps for itself and for older programs, and
// those that a compiler calls to check the size of a buffer.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

#define SECOND_NAME(type, name, first, parameters, ...) \
  type name parameters;                                 \
  type name parameters { return first(__VA_ARGS__); }

#undef __getpgid
SECOND_NAME(pid_t, __getpid, getpid, (void))
SECOND_NAME(pid_t, __getpgid, getpgid, (pid_t process), process)
SECOND_NAME(pid_t, __bsd_getpgrp, getpgid, (pid_t process), process)
SECOND_NAME(int, __gettimeofday, gettimeofday, (struct timeval *out, void *zone), out, zone)
SECOND_NAME(int, __nanosleep, nanosleep, (const struct timespec *time, struct timespec *left), time, left)
SECOND_NAME(long, __sysconf, sysconf, (int name), name)
SECOND_NAME(unsigned long, __getauxval, getauxval, (unsigned long type), type)
SECOND_NAME(ssize_t, __read, read, (int file, void *buffer, size_t count), file, buffer, count)
SECOND_NAME(int, __poll, poll, (struct pollfd *files, nfds_t count, int milliseconds), files, count, milliseconds)
SECOND_NAME(int, __select, select, (int count, fd_set *in, fd_set *out, fd_set *failed, struct timeval *time), count, in,
            out, failed, time)
SECOND_NAME(pid_t, __fork, fork, (void))

CH_BEHIND(_Fork);
pid_t _Fork(void) {
  ch_simulation *s;
  if (!CH_LEAVES(s, "fork")) return CH_REAL(_Fork)();
  errno = EAGAIN;
  return -1;
}

// The size of the buffer is the last argument.

static void check(size_t wanted, size_t size) {
  if (wanted > size) abort();
}

ssize_t __read_chk(int file, void *buffer, size_t count, size_t size);
ssize_t __read_chk(int file, void *buffer, size_t count, size_t size) {
  check(count, size);
  return read(file, buffer, count);
}

int __poll_chk(struct pollfd *files, nfds_t count, int milliseconds, size_t size);
int __poll_chk(struct pollfd *files, nfds_t count, int milliseconds, size_t size) {
  check(count, size / sizeof *files);
  return poll(files, count, milliseconds);
}

int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask, size_t size);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask, size_t size) {
  check(count, size / sizeof *files);
  return ppoll(files, count, time, mask);
}
#pragma clang attribute pop
#endif
