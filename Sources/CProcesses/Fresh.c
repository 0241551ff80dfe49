// Fresh processes: what a child answers, and how the process that forks them is asked.
#define _GNU_SOURCE
#include "CProcesses.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// Out of the way of the standard descriptors and of the few that a worker has.
static int high(int descriptor) {
  if (descriptor < 0) return descriptor;
  int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, 64);
  if (lifted < 0) return cp_lifted(descriptor);
  close(descriptor);
  return lifted;
}

int cp_answer_open(void) { return high(memfd_create("answer", MFD_CLOEXEC)); }

void cp_answer_clear(int answer) {
  if (ftruncate(answer, 0) != 0) return;
}

bool cp_answer_write(int answer, const void *bytes, size_t size) {
  const char *from = bytes;
  size_t put = 0;
  while (put < size) {
    ssize_t count = pwrite(answer, from + put, size - put, (off_t)put);
    if (count <= 0) return false;
    put += (size_t)count;
  }
  return true;
}

size_t cp_answer_size(int answer) {
  struct stat status;
  return fstat(answer, &status) == 0 && status.st_size > 0 ? (size_t)status.st_size : 0;
}

bool cp_answer_read(int answer, void *buffer, size_t size) {
  char *to = buffer;
  size_t got = 0;
  while (got < size) {
    ssize_t count = pread(answer, to + got, size - got, (off_t)got);
    if (count <= 0) return false;
    got += (size_t)count;
  }
  return true;
}

cp_ends cp_connect(void) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return (cp_ends){-1, -1};
  return (cp_ends){high(sockets[0]), high(sockets[1])};
}

void cp_close(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

void cp_end_child(cp_child child) {
  kill(child.pid, SIGKILL);
  if (child.ended >= 0) close(child.ended);
  cp_reap(child.pid);
}
