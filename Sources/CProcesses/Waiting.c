// Waiting for whatever comes first: an answer, the end of a process, a signal, a timeout.
#define _GNU_SOURCE
#include "CProcesses.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { most_waits = 1024 };

void cp_wait_for(cp_wait *waits, size_t count, int milliseconds) {
  struct pollfd polls[most_waits];
  if (count > most_waits) count = most_waits;
  for (size_t n = 0; n < count; n++) polls[n] = (struct pollfd){.fd = waits[n].descriptor, .events = POLLIN};
  int ready = poll(polls, count, milliseconds);
  for (size_t n = 0; n < count; n++) waits[n].ready = ready > 0 && polls[n].revents != 0;
}

static sigset_t ending_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  // Under `nohup`, SIGHUP is ignored, and the end of a terminal ends nothing.
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
  return set;
}

// Calls the system directly, because what a program blocks with `sigprocmask` is noted.
static int change_mask(int how, const sigset_t *set) {
  enum { bytes_of_system = 8 };
  return (int)syscall(SYS_rt_sigprocmask, how, set, NULL, bytes_of_system);
}

int cp_signals_open(void) {
  sigset_t set = ending_signals();
  if (change_mask(SIG_BLOCK, &set) != 0) return -1;
  return cp_lifted(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

void cp_signals_close(int descriptor) {
  sigset_t set = ending_signals();
  close(descriptor);
  change_mask(SIG_UNBLOCK, &set);
}

int cp_signals_read(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

long cp_read_some(int descriptor, void *buffer, size_t size) {
  // A socket is read without waiting, whatever its mode; a pipe has been made nonblocking.
  ssize_t got = recv(descriptor, buffer, size, MSG_DONTWAIT);
  if (got < 0 && errno == ENOTSOCK) got = read(descriptor, buffer, size);
  if (got >= 0) return got;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : 0;
}

bool cp_read_all(int descriptor, void *buffer, size_t size) {
  char *to = buffer;
  while (size > 0) {
    ssize_t got = read(descriptor, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= (size_t)got;
  }
  return true;
}

bool cp_write_all(int descriptor, const void *buffer, size_t size) {
  const char *from = buffer;
  while (size > 0) {
    ssize_t put = send(descriptor, from, size, MSG_NOSIGNAL);
    if (put < 0 && errno == ENOTSOCK) put = write(descriptor, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from += put;
    size -= (size_t)put;
  }
  return true;
}

int64_t cp_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t nanoseconds(struct timeval time) {
  return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

int64_t cp_processor_now(void) {
  int64_t sum = 0;
  const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
  for (int i = 0; i < 2; i++) {
    struct rusage usage;
    if (getrusage(whose[i], &usage) == 0) sum += nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
  }
  return sum;
}

int cp_columns(int descriptor) {
  struct winsize size;
  if (!isatty(descriptor)) return 0;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}
