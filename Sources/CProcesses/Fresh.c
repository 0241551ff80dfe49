// Fresh processes: the answers of children, and the connection to the process that forks them.
#define _GNU_SOURCE
#include "CProcesses.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

// Moves a descriptor away from the standard descriptors and from the few that a worker has.
static int high(int descriptor) {
  if (descriptor < 0) return descriptor;
  int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, 64);
  if (lifted < 0) return cp_lifted(descriptor);
  close(descriptor);
  return lifted;
}

// Each entry begins with its size. The positions of the last entries are written once these are complete.
struct cp_answers {
  size_t room;
  _Atomic size_t used, last[2];
};

static const size_t sizes[] = {(size_t)1 << 30, (size_t)1 << 28, (size_t)1 << 26, (size_t)1 << 24};

cp_answers *cp_answers_create(void) {
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
    // Only the parts that are written take memory.
    void *memory = mmap(NULL, sizes[n], PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    cp_answers *answers = memory;
    answers->room = sizes[n];
    cp_answers_clear(answers);
    return answers;
  }
  return NULL;
}

void cp_answers_destroy(cp_answers *answers) { munmap(answers, answers->room); }

void cp_answers_clear(cp_answers *answers) {
  enum { page = 1 << 16 };
  // Gives back the memory that long answers took.
  if (answers->used > page) madvise((char *)answers + page, answers->room - page, MADV_REMOVE);
  answers->last[0] = answers->last[1] = 0;
  answers->used = sizeof *answers;
}

bool cp_answers_leave(cp_answers *answers, bool is_answer, const void *bytes, size_t size) {
  size_t start = answers->used, all = (sizeof size + size + 15) & ~(size_t)15;
  if (size > answers->room || all > answers->room - start) return false;
  char *to = (char *)answers + start;
  memcpy(to, &size, sizeof size);
  memcpy(to + sizeof size, bytes, size);
  answers->last[is_answer] = start;
  answers->used = start + all;
  return true;
}

const void *cp_answers_find(const cp_answers *answers, bool is_answer, size_t *size) {
  size_t start = answers->last[is_answer];
  if (start < sizeof *answers || start > answers->room - sizeof *size) return NULL;
  const char *from = (const char *)answers + start;
  memcpy(size, from, sizeof *size);
  return *size <= answers->room - start - sizeof *size ? from + sizeof *size : NULL;
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
