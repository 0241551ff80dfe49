// Random number generators that a program can seed.
//
// The C library keeps one state per process, which parallel simulations would share. Here, each simulation has a state of its
// own. It starts as if seeded with 1, as the standard requires, but the numbers differ from the C library's. Functions
// whose caller keeps the state, such as `rand_r` and `erand48`, need no replacement.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

#define FORWARD(name, type, ...)                                                       \
  static type *_Atomic real_##name;                                                    \
  if (!real_##name) real_##name = (type *)dlsym(RTLD_NEXT, #name);                     \
  if (real_##name) return real_##name(__VA_ARGS__)

typedef int int_function(void);
typedef long long_function(void);
typedef double double_function(void);
typedef void seed_function(unsigned);
typedef void long_seed_function(long);

static uint64_t next_seeded(ch_simulation *s) {
  s->execution.random_reads++;
  return ch_next_random(&s->execution.seeded);
}

int rand(void) {
  ch_simulation *s = ch_current;
  if (s) return (int)(next_seeded(s) >> 33);
  FORWARD(rand, int_function);
  return 0;
}

long random(void) {
  ch_simulation *s = ch_current;
  if (s) return (long)(next_seeded(s) >> 33);
  FORWARD(random, long_function);
  return 0;
}

long lrand48(void) {
  ch_simulation *s = ch_current;
  if (s) return (long)(next_seeded(s) >> 33);
  FORWARD(lrand48, long_function);
  return 0;
}

long mrand48(void) {
  ch_simulation *s = ch_current;
  if (s) return (long)(int32_t)(next_seeded(s) >> 32);
  FORWARD(mrand48, long_function);
  return 0;
}

double drand48(void) {
  ch_simulation *s = ch_current;
  if (s) return (double)(next_seeded(s) >> 16) * 0x1p-48;
  FORWARD(drand48, double_function);
  return 0;
}

void srand(unsigned seed) {
  ch_simulation *s = ch_current;
  if (s) { s->execution.seeded = seed; return; }
  FORWARD(srand, seed_function, seed);
}

void srandom(unsigned seed) {
  ch_simulation *s = ch_current;
  if (s) { s->execution.seeded = seed; return; }
  FORWARD(srandom, seed_function, seed);
}

void srand48(long seed) {
  ch_simulation *s = ch_current;
  if (s) { s->execution.seeded = (uint64_t)seed; return; }
  FORWARD(srand48, long_seed_function, seed);
}

// Sets the state that the next number comes from. Returns three words of the previous state, which a program may pass back.
CH_BEHIND(seed48);
unsigned short *seed48(unsigned short words[3]) {
  ch_simulation *s = ch_current;
  if (!s) return CH_REAL(seed48)(words);
  static _Thread_local unsigned short before[3];
  memcpy(before, &s->execution.seeded, sizeof before);
  s->execution.seeded = 0;
  memcpy(&s->execution.seeded, words, sizeof before);
  return before;
}

CH_BEHIND(lcong48);
void lcong48(unsigned short words[7]) {
  ch_simulation *s = ch_current;
  if (!s) {
    CH_REAL(lcong48)(words);
    return;
  }
  s->execution.seeded = 0;
  memcpy(&s->execution.seeded, words, 3 * sizeof *words);
}

// Starts a new state, and returns the program's previous memory for one. That memory holds only a seed and none of our
// state, so a program that passes it back restarts the sequence.
static char *new_state(ch_simulation *s, char *memory, uint64_t seed) {
  char *before = s->execution.state_of_program ? s->execution.state_of_program : memory;
  s->execution.state_of_program = memory;
  s->execution.seeded = seed;
  return before;
}

CH_BEHIND(initstate);
char *initstate(unsigned seed, char *memory, size_t size) {
  ch_simulation *s = ch_current;
  if (!s) return CH_REAL(initstate)(seed, memory, size);
  if (size < 8) return NULL;
  memcpy(memory, &seed, sizeof seed);
  return new_state(s, memory, seed);
}

CH_BEHIND(setstate);
char *setstate(char *memory) {
  ch_simulation *s = ch_current;
  if (!s) return CH_REAL(setstate)(memory);
  unsigned seed;
  memcpy(&seed, memory, sizeof seed);
  return new_state(s, memory, seed);
}

CH_BEHIND(strfry);
char *strfry(char *text) {
  ch_simulation *s = ch_current;
  if (!s) return CH_REAL(strfry)(text);
  size_t length = strlen(text);
  for (size_t n = 0; n + 1 < length; n++) {
    size_t other = n + next_seeded(s) % (length - n);
    char kept = text[n];
    text[n] = text[other];
    text[other] = kept;
  }
  return text;
}
#pragma clang attribute pop
#endif
