// Descriptors that a program finds open but has not opened itself: those of the process in which it runs, and the
// simulator's.
//
// A program that closes everything it finds, for example before it becomes a server, would close the descriptors that report
// about it, and would really close those that its libraries need. So the call is an escape, and the descriptor stays open.
// The standard input, output and error belong to the program.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// The identity of an open file. The number of its descriptor may belong to another file later.
typedef struct {
  dev_t device;
  ino_t file;
} identity;

enum { most = 1024 };
static identity kept[most];
static bool was_met;

static bool identify(int descriptor, identity *to) {
  struct stat status;
  int error = errno;
  bool is_open = fstat(descriptor, &status) == 0;
  errno = error;
  *to = is_open ? (identity){status.st_dev, status.st_ino} : (identity){0, 0};
  return is_open;
}

void ch_keep_descriptor(int descriptor) {
  if (descriptor > STDERR_FILENO && descriptor < most) identify(descriptor, &kept[descriptor]);
}

void ch_keep_open_descriptors(void) {
  for (int n = 0; n < most; n++) ch_keep_descriptor(n);
  was_met = false;
}

bool ch_has_met_kept_descriptors(void) { return was_met; }

// Returns true if the calling program must leave the descriptor alone.
static bool is_kept(int descriptor) {
  if (descriptor <= STDERR_FILENO || descriptor >= most || kept[descriptor].file == 0 || !ch_in_program()) return false;
  identity now;
  bool is = identify(descriptor, &now) && now.device == kept[descriptor].device && now.file == kept[descriptor].file;
  if (is) was_met = true;
  return is;
}

CH_BEHIND(close);
int close(int descriptor) {
  ch_simulation *s;
  if (is_kept(descriptor)) { (void)CH_LEAVES(s, "close"); return 0; }
  return CH_REAL(close)(descriptor);
}

CH_BEHIND(dup2);
int dup2(int from, int to) {
  ch_simulation *s;
  if (from != to && is_kept(to)) { (void)CH_LEAVES(s, "dup2"); errno = EBUSY; return -1; }
  return CH_REAL(dup2)(from, to);
}

CH_BEHIND(dup3);
int dup3(int from, int to, int flags) {
  ch_simulation *s;
  if (from != to && is_kept(to)) { (void)CH_LEAVES(s, "dup2"); errno = EBUSY; return -1; }
  return CH_REAL(dup3)(from, to, flags);
}

// Calls the system's function for each range between the descriptors that stay open.
CH_BEHIND(close_range);
static int close_others(unsigned first, unsigned last, int flags) {
  for (unsigned n = first; n < most && n <= last; n++) {
    ch_simulation *s;
    if (!is_kept((int)n)) continue;
    (void)CH_LEAVES(s, "close");
    if (n > first && CH_REAL(close_range)(first, n - 1, flags) != 0) return -1;
    first = n + 1;
  }
  return first > last ? 0 : CH_REAL(close_range)(first, last, flags);
}

int close_range(unsigned first, unsigned last, int flags) {
  if (!ch_in_program() || first > last) return CH_REAL(close_range)(first, last, flags);
  return close_others(first, last, flags);
}

CH_BEHIND(closefrom);
void closefrom(int first) {
  if (!ch_in_program()) { CH_REAL(closefrom)(first); return; }
  close_others(first < 0 ? 0 : (unsigned)first, ~0u, 0);
}
#pragma clang attribute pop
#endif
