// Escapes by calls that block in the kernel: on a descriptor, a file lock or a process.
//
// Nothing that is simulated can end such a wait, because the waiting step occupies the only thread that runs. So the step
// ends at the call. A call that need not wait goes through as usual.
#define _GNU_SOURCE
#undef __NO_INLINE__
#define __NO_INLINE__ 1  // otherwise the header would define some of the functions
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// The time to wait before a call counts as blocked, in milliseconds. Another process, which may be slow, may read from the
// pipe to which the program writes, or accept a connection on this machine.
enum { no_time = 0, some_time = 500 };

CH_BEHIND(poll);
CH_BEHIND(fcntl);

static bool is_ready(int file, short events, int milliseconds) {
  struct pollfd one = {file, events, 0};
  return CH_REAL(poll)(&one, 1, milliseconds) != 0;
}

// Returns true if reading from the descriptor, or writing to it, may block. An access for which it is not open is refused at
// once, and so is one for which the kernel has other calls.
static bool may_block(int file, short events) {
  int flags = CH_REAL(fcntl)(file, F_GETFL), refused = events == POLLIN ? O_WRONLY : O_RDONLY;
  if (flags < 0 || flags & O_NONBLOCK || (flags & O_ACCMODE) == refused) return false;
  struct stat about;
  if (events == POLLIN || fstat(file, &about)) return events == POLLIN;
  return S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode) || S_ISCHR(about.st_mode);
}

static void leave(ch_simulation *s, const char *name, void *const *frame) {
  ch_callers found = {.count = 0};
  ch_find_callers(frame, &found);
  ch_left(s, name, &found);
  ch_leave_step(s);
}

static ch_simulation *in_program(void *const *frame) {
  ch_simulation *s = ch_in_program();
  return s && !ch_is_runtime(frame[1]) ? s : NULL;
}

// Ends the step if a call would block on the descriptor.
static void wait_for(int file, short events, int milliseconds, const char *name, void *const *frame) {
  ch_simulation *s = in_program(frame);
  if (!s) return;
  int error = errno;
  if (may_block(file, events) && !is_ready(file, events, milliseconds)) leave(s, name, frame);
  errno = error;
}

void ch_reads_descriptor(int file, const char *name, void *const *frame) {
  wait_for(file, POLLIN, no_time, name, frame);
}

// MARK: descriptors

#define READS(result, name, file, flags, parameters, arguments)           \
  CH_BEHIND(name);                                                        \
  result name parameters {                                                \
    if (!((flags) & MSG_DONTWAIT)) ch_reads_descriptor(file, #name, CH_FRAME); \
    return CH_REAL(name) arguments;                                       \
  }
READS(ssize_t, readv, file, 0, (int file, const struct iovec *to, int count), (file, to, count))
READS(ssize_t, recv, file, flags, (int file, void *to, size_t size, int flags), (file, to, size, flags))
READS(ssize_t, recvfrom, file, flags,
      (int file, void *restrict to, size_t size, int flags, struct sockaddr *restrict from, socklen_t *restrict length),
      (file, to, size, flags, from, length))
READS(ssize_t, recvmsg, file, flags, (int file, struct msghdr *to, int flags), (file, to, flags))
READS(int, accept, file, 0, (int file, struct sockaddr *restrict from, socklen_t *restrict length), (file, from, length))
READS(int, accept4, file, 0, (int file, struct sockaddr *restrict from, socklen_t *restrict length, int flags),
      (file, from, length, flags))
READS(int, eventfd_read, file, 0, (int file, eventfd_t *value), (file, value))

#define WRITES(name, flags, parameters, arguments)                                                 \
  CH_BEHIND(name);                                                                                 \
  ssize_t name parameters {                                                                        \
    bool is_output = file == STDOUT_FILENO || file == STDERR_FILENO;                                \
    if (!is_output && !((flags) & MSG_DONTWAIT)) wait_for(file, POLLOUT, some_time, #name, CH_FRAME); \
    return CH_REAL(name) arguments;                                                                \
  }
WRITES(write, 0, (int file, const void *from, size_t size), (file, from, size))
WRITES(writev, 0, (int file, const struct iovec *from, int count), (file, from, count))
WRITES(send, flags, (int file, const void *from, size_t size, int flags), (file, from, size, flags))

CH_BEHIND(getsockopt);
CH_BEHIND(connect);
int connect(int file, const struct sockaddr *to, socklen_t length) {
  ch_simulation *s = in_program(CH_FRAME);
  int flags = s ? CH_REAL(fcntl)(file, F_GETFL) : -1;
  if (flags < 0 || flags & O_NONBLOCK) return CH_REAL(connect)(file, to, length);
  CH_REAL(fcntl)(file, F_SETFL, flags | O_NONBLOCK);
  int result = CH_REAL(connect)(file, to, length), error = errno;
  if (result && error == EINPROGRESS && is_ready(file, POLLOUT, some_time)) {
    socklen_t size = sizeof error;
    CH_REAL(getsockopt)(file, SOL_SOCKET, SO_ERROR, &error, &size);
    result = error ? -1 : 0;
  }
  CH_REAL(fcntl)(file, F_SETFL, flags);
  if (result && (error == EINPROGRESS || error == EAGAIN)) leave(s, "connect", CH_FRAME);
  errno = error;
  return result;
}

// MARK: files of the C library

static bool has_something(FILE *file) {
#if defined(__GLIBC__)
  if (file->_IO_read_ptr < file->_IO_read_end) return true;
#endif
  return feof_unlocked(file) || ferror_unlocked(file) || fileno_unlocked(file) < 0;
}

// Accepts any caller, because `readLine` calls from the standard library.
static void read_file(FILE *file, const char *name, void *const *frame) {
  ch_simulation *s = ch_in_program();
  if (!s || has_something(file)) return;
  int error = errno, descriptor = fileno_unlocked(file);
  if (may_block(descriptor, POLLIN) && !is_ready(descriptor, POLLIN, no_time)) leave(s, name, frame);
  errno = error;
}

#define READS_FILE(result, name, parameters, arguments) \
  CH_BEHIND(name);                                      \
  result name parameters {                              \
    read_file(file, #name, CH_FRAME);                   \
    return CH_REAL(name) arguments;                     \
  }
READS_FILE(char *, fgets, (char *restrict to, int size, FILE *restrict file), (to, size, file))
READS_FILE(int, fgetc, (FILE *file), (file))
READS_FILE(int, getc, (FILE *file), (file))
READS_FILE(size_t, fread, (void *restrict to, size_t size, size_t count, FILE *restrict file), (to, size, count, file))
READS_FILE(ssize_t, getline, (char **restrict to, size_t *restrict size, FILE *restrict file), (to, size, file))
READS_FILE(ssize_t, getdelim, (char **restrict to, size_t *restrict size, int end, FILE *restrict file),
           (to, size, end, file))

CH_BEHIND(getchar);
int getchar(void) {
  read_file(stdin, "getc", CH_FRAME);
  return CH_REAL(getchar)();
}

// MARK: locks of files

CH_BEHIND(flock);
int flock(int file, int operation) {
  ch_simulation *s = in_program(CH_FRAME);
  if (!s || operation & LOCK_NB) return CH_REAL(flock)(file, operation);
  int result = CH_REAL(flock)(file, operation | LOCK_NB);
  if (result && errno == EWOULDBLOCK) leave(s, "flock", CH_FRAME);
  return result;
}

CH_BEHIND(lockf);
int lockf(int file, int command, off_t length) {
  ch_simulation *s = in_program(CH_FRAME);
  if (!s || command != F_LOCK) return CH_REAL(lockf)(file, command, length);
  int result = CH_REAL(lockf)(file, F_TLOCK, length);
  if (result && (errno == EAGAIN || errno == EACCES)) leave(s, "lockf", CH_FRAME);
  return result;
}

static int set_lock(int file, int command, void *argument, void *const *frame) {
  ch_simulation *s = in_program(frame);
  int at_once = command == F_SETLKW ? F_SETLK : command == F_OFD_SETLKW ? F_OFD_SETLK : 0;
  if (!s || !at_once) return CH_REAL(fcntl)(file, command, argument);
  int result = CH_REAL(fcntl)(file, at_once, argument);
  if (result && (errno == EAGAIN || errno == EACCES)) leave(s, "fcntl", frame);
  return result;
}

int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return set_lock(file, command, argument, CH_FRAME);
}

int fcntl64(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return set_lock(file, command, argument, CH_FRAME);
}

// MARK: processes

CH_BEHIND(wait4);
static pid_t wait_for_process(pid_t process, int *status, int options, struct rusage *usage, const char *name,
                              void *const *frame) {
  ch_simulation *s = in_program(frame);
  if (!s || options & WNOHANG) return CH_REAL(wait4)(process, status, options, usage);
  pid_t found = CH_REAL(wait4)(process, status, options | WNOHANG, usage);
  if (!found) leave(s, name, frame);
  return found;
}

pid_t wait(int *status) { return wait_for_process(-1, status, 0, NULL, "wait", CH_FRAME); }
pid_t waitpid(pid_t process, int *status, int options) {
  return wait_for_process(process, status, options, NULL, "waitpid", CH_FRAME);
}
pid_t wait4(pid_t process, int *status, int options, struct rusage *usage) {
  return wait_for_process(process, status, options, usage, "wait4", CH_FRAME);
}

CH_BEHIND(waitid);
int waitid(idtype_t type, id_t process, siginfo_t *info, int options) {
  ch_simulation *s = in_program(CH_FRAME);
  siginfo_t unused;
  if (!s || options & WNOHANG) return CH_REAL(waitid)(type, process, info, options);
  if (!info) info = &unused;
  info->si_pid = 0;
  int result = CH_REAL(waitid)(type, process, info, options | WNOHANG);
  if (!result && !info->si_pid) leave(s, "waitid", CH_FRAME);
  return result;
}
#pragma clang attribute pop
#endif
