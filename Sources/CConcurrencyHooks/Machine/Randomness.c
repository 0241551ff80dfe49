// Sources of randomness: a seeded generator inside a simulation, the system's outside.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// Returns true if the address is in the function that makes a `UUID`.
static bool makes_uuid(const void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_sname && strstr(info.dli_sname, "uuid_generate");
}

// Returns true if the function with this frame was called because the program wants a random number: by the program itself, the
// standard library or `UUID()`, which is two functions, but not for Foundation's own purposes.
static bool is_wanted(void *const *frame) {
  ch_callers found = {.count = 0};
  ch_find_callers_in_step(frame, &found);
  int of_foundation = 0;
  bool is_uuid = false;
  for (int n = 0; n < found.count; n++) {
    const void *caller = (const void *)found.addresses[n];
    if (ch_is_foundation(caller)) {
      if (of_foundation++ == 0) is_uuid = makes_uuid(caller);
    } else if (!ch_is_runtime(caller)) {
      break;
    }
  }
  return of_foundation == 0 || (is_uuid && of_foundation <= 2);
}

// Which numbers the program gets is the schedule's to decide, once.
static void draw(ch_simulation *s, void *const *frame) {
  if (s->execution.has_drawn || !ch_in_program() || !is_wanted(frame)) return;
  s->execution.has_drawn = true;
  uint64_t number = simulator_draw(s->scheduler);
  if (number) s->execution.random = 0x5EED ^ number << 32;
}

void ch_fill_at_random(ch_simulation *s, void *buffer, size_t count, void *const *frame) {
  draw(s, frame);
  s->execution.random_reads++;
  for (char *to = buffer; count;) {
    uint64_t bits = ch_next_random(&s->execution.random);
    size_t part = count < sizeof bits ? count : sizeof bits;
    memcpy(to, &bits, part);
    to += part;
    count -= part;
  }
}

typedef ssize_t getrandom_function(void *, size_t, unsigned);
static getrandom_function *_Atomic real_getrandom;

ssize_t getrandom(void *buffer, size_t count, unsigned flags) {
  ch_simulation *s = ch_current;
  if (s) { ch_fill_at_random(s, buffer, count, CH_FRAME); return (ssize_t)count; }
  if (!real_getrandom) real_getrandom = (getrandom_function *)dlsym(RTLD_NEXT, "getrandom");
  if (!real_getrandom) { errno = ENOSYS; return -1; }
  return real_getrandom(buffer, count, flags);
}

typedef void buffer_function(void *, size_t);
static buffer_function *_Atomic real_arc4random_buf;

void arc4random_buf(void *buffer, size_t count) {
  ch_simulation *s = ch_current;
  if (s) { ch_fill_at_random(s, buffer, count, CH_FRAME); return; }
  if (!real_arc4random_buf) real_arc4random_buf = (buffer_function *)dlsym(RTLD_NEXT, "arc4random_buf");
  if (real_arc4random_buf) { real_arc4random_buf(buffer, count); return; }
  for (char *to = buffer; count;) {
    ssize_t got = getrandom(to, count, 0);
    if (got <= 0) continue;
    to += got;
    count -= (size_t)got;
  }
}

typedef uint32_t word_function(void);
typedef uint32_t bounded_function(uint32_t);
static word_function *_Atomic real_arc4random;
static bounded_function *_Atomic real_arc4random_uniform;

uint32_t arc4random(void) {
  ch_simulation *s = ch_current;
  if (!s) {
    if (!real_arc4random) real_arc4random = (word_function *)dlsym(RTLD_NEXT, "arc4random");
    if (real_arc4random) return real_arc4random();
  }
  uint32_t word;
  arc4random_buf(&word, sizeof word);
  return word;
}

uint32_t arc4random_uniform(uint32_t bound) {
  ch_simulation *s = ch_current;
  if (!s) {
    if (!real_arc4random_uniform)
      real_arc4random_uniform = (bounded_function *)dlsym(RTLD_NEXT, "arc4random_uniform");
    if (real_arc4random_uniform) return real_arc4random_uniform(bound);
  }
  return (uint32_t)((uint64_t)arc4random() * bound >> 32);
}

typedef int entropy_function(void *, size_t);
static entropy_function *_Atomic real_getentropy;

int getentropy(void *buffer, size_t count) {
  ch_simulation *s = ch_current;
  if (s) { ch_fill_at_random(s, buffer, count, CH_FRAME); return 0; }
  if (!real_getentropy) real_getentropy = (entropy_function *)dlsym(RTLD_NEXT, "getentropy");
  if (!real_getentropy) { errno = ENOSYS; return -1; }
  return real_getentropy(buffer, count);
}

static buffer_function *_Atomic real_stdlib_random;

void swift_stdlib_random(void *buffer, size_t count) {
  ch_simulation *s = ch_current;
  if (s) { ch_fill_at_random(s, buffer, count, CH_FRAME); return; }
  if (!real_stdlib_random) real_stdlib_random = (buffer_function *)dlsym(RTLD_NEXT, "swift_stdlib_random");
  if (real_stdlib_random) real_stdlib_random(buffer, count);
}

typedef ssize_t read_function(int, void *, size_t);
static read_function *_Atomic real_read;

static bool is_random_device(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISCHR(status.st_mode) && major(status.st_rdev) == 1 &&
         (minor(status.st_rdev) == 8 || minor(status.st_rdev) == 9);
}

// `UUID()` reads /dev/urandom.
ssize_t read(int file, void *buffer, size_t count) {
  ch_simulation *s = ch_current;
  if (s && is_random_device(file)) { ch_fill_at_random(s, buffer, count, CH_FRAME); return (ssize_t)count; }
  if (!real_read) real_read = (read_function *)dlsym(RTLD_NEXT, "read");
  if (!real_read) { errno = ENOSYS; return -1; }
  ch_reads_descriptor(file, "read", CH_FRAME);
  return real_read(file, buffer, count);
}
#pragma clang attribute pop
#endif
