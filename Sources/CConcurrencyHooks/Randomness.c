// Sources of randomness: a seeded generator inside a simulation, the system's outside.
#define _GNU_SOURCE
#include "CConcurrencyHooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

static void fill(ch_simulation *s, void *buffer, size_t count) {
  s->random_reads++;
  for (char *to = buffer; count;) {
    uint64_t bits = ch_next_random(&s->random);
    size_t part = count < sizeof bits ? count : sizeof bits;
    memcpy(to, &bits, part);
    to += part;
    count -= part;
  }
}

typedef long syscall_function(long, ...);
static syscall_function *real_syscall;

// `SystemRandomNumberGenerator` asks the kernel directly; everything else is handed on as it came.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  ch_simulation *s = ch_current;
  if (s && number == SYS_getrandom) {
    fill(s, (void *)a, (size_t)b);
    return b;
  }
  if (!real_syscall) real_syscall = (syscall_function *)dlsym(RTLD_NEXT, "syscall");
  if (!real_syscall) { errno = ENOSYS; return -1; }
  return real_syscall(number, a, b, c, d, e, f);
}

typedef ssize_t getrandom_function(void *, size_t, unsigned);
static getrandom_function *real_getrandom;

ssize_t getrandom(void *buffer, size_t count, unsigned flags) {
  ch_simulation *s = ch_current;
  if (s) { fill(s, buffer, count); return (ssize_t)count; }
  if (!real_getrandom) real_getrandom = (getrandom_function *)dlsym(RTLD_NEXT, "getrandom");
  if (!real_getrandom) { errno = ENOSYS; return -1; }
  return real_getrandom(buffer, count, flags);
}

typedef void buffer_function(void *, size_t);
static buffer_function *real_arc4random_buf;

void arc4random_buf(void *buffer, size_t count) {
  ch_simulation *s = ch_current;
  if (s) { fill(s, buffer, count); return; }
  if (!real_arc4random_buf) real_arc4random_buf = (buffer_function *)dlsym(RTLD_NEXT, "arc4random_buf");
  if (real_arc4random_buf) { real_arc4random_buf(buffer, count); return; }
  for (char *to = buffer; count;) {
    ssize_t got = getrandom(to, count, 0);
    if (got <= 0) continue;
    to += got;
    count -= (size_t)got;
  }
}

static buffer_function *real_stdlib_random;

void swift_stdlib_random(void *buffer, size_t count) {
  ch_simulation *s = ch_current;
  if (s) { fill(s, buffer, count); return; }
  if (!real_stdlib_random) real_stdlib_random = (buffer_function *)dlsym(RTLD_NEXT, "swift_stdlib_random");
  if (real_stdlib_random) real_stdlib_random(buffer, count);
}

typedef ssize_t read_function(int, void *, size_t);
static read_function *real_read;

static bool is_random_device(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISCHR(status.st_mode) && major(status.st_rdev) == 1 &&
         (minor(status.st_rdev) == 8 || minor(status.st_rdev) == 9);
}

// `UUID()` reads /dev/urandom.
ssize_t read(int file, void *buffer, size_t count) {
  ch_simulation *s = ch_current;
  if (s && is_random_device(file)) { fill(s, buffer, count); return (ssize_t)count; }
  if (!real_read) real_read = (read_function *)dlsym(RTLD_NEXT, "read");
  if (!real_read) { errno = ENOSYS; return -1; }
  return real_read(file, buffer, count);
}
#endif
