// Finds out whether the program has called a function about locks, or Foundation for itself. Foundation takes many locks that are
// none of the program's business.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

static struct link_map *foundation;
static uintptr_t foundations_end;

bool ch_is_of_foundation(const void *code) {
  return (uintptr_t)code - foundation->l_addr < foundations_end - foundation->l_addr;
}

static int find_end(struct dl_phdr_info *library, size_t size, void *unused) {
  if (library->dlpi_addr != foundation->l_addr) return 0;
  for (int n = 0; n < library->dlpi_phnum; n++) {
    uintptr_t end = library->dlpi_addr + library->dlpi_phdr[n].p_vaddr + library->dlpi_phdr[n].p_memsz;
    if (library->dlpi_phdr[n].p_type == PT_LOAD && end > foundations_end) foundations_end = end;
  }
  return 1;
}

// Returns true if the code at `code` only returns, like the thunk between a protocol and its implementation.
static bool only_returns(const void *code) {
#if defined(__x86_64__)
  static const unsigned char ending[] = {0x48, 0x83, 0xc4, 0x08, 0x41, 0x5d, 0x5d, 0xc3};
  return !memcmp(code, ending, sizeof ending);
#else
  const uint32_t *instructions = code;
  for (int n = 0; n < 4; n++)
    if (instructions[n] == 0xd65f03c0) return true;
  return false;
#endif
}

// Foundation's code that locks and unlocks on behalf of the program, and goes on when libc has returned: `try`, and
// `NSConditionLock`, which uses an `NSCondition`.
enum { lock_before = 10 };
static struct { uintptr_t low, size; } lock_classes[lock_before + 1];

static bool is_of_lock_class(const void *code) {
  for (size_t n = 0; n < sizeof lock_classes / sizeof *lock_classes; n++)
    if ((uintptr_t)code - lock_classes[n].low < lock_classes[n].size) return true;
  return false;
}

// Returns where the instruction at `at` jumps to; 0 if it is no jump.
static uintptr_t jump_target(uintptr_t at) {
#if defined(__x86_64__)
  int32_t distance;
  if (*(const uint8_t *)at != 0xe9) return 0;
  memcpy(&distance, (const void *)(at + 1), sizeof distance);
  return at + 5 + (uintptr_t)(intptr_t)distance;
#else
  uint32_t instruction = *(const uint32_t *)(at & ~(uintptr_t)3);
  if (at % 4 || (instruction & 0xfc000000) != 0x14000000) return 0;
  return at + (uintptr_t)(((int64_t)((uint64_t)instruction << 38) >> 38) * 4);
#endif
}

// Returns the function of Foundation that this one ends in a jump to; 0 if it does not.
static uintptr_t end_of_jumps(uintptr_t code, size_t size) {
  enum { longest_instruction = 5 };
  for (uintptr_t at = code; at + longest_instruction <= code + size; at++) {
    uintptr_t target = jump_target(at);
    if (target && ch_is_of_foundation((const void *)target) && target % 4 == 0 && target - code >= size) return target;
  }
  return 0;
}

static void find_lock_classes(void) {
  static const char *const names[] = {
      "15NSConditionLockC4lockyyF",
      "15NSConditionLockC6unlockyyF",
      "15NSConditionLockC3trySbyF",
      "15NSConditionLockC6unlock13withConditionySi_tF",
      "15NSConditionLockC4lock13whenConditionySi_tF",
      "15NSConditionLockC03tryC013whenConditionSbSi_tF",
      "15NSConditionLockC4lock6beforeSb0A10Essentials4DateV_tF",
      "15NSConditionLockC4lock13whenCondition6beforeSbSi_0A10Essentials4DateVtF",
      "6NSLockC3trySbyF",
      "15NSRecursiveLockC3trySbyF",
      [lock_before] = "15NSRecursiveLockC4lock6beforeSb0A10Essentials4DateV_tF"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    char name[128];
    snprintf(name, sizeof name, "$s10Foundation%s", names[n]);
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found || !dladdr1(found, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) continue;
    lock_classes[n].low = (uintptr_t)found;
    lock_classes[n].size = symbol->st_size;
  }
  // `lock(before:)` of `NSLock` and `NSRecursiveLock` jumps to a function that they share and no symbol names. It ends after
  // its calls.
  enum { up_to_its_calls = 96 };
  uintptr_t shared = end_of_jumps(lock_classes[lock_before].low, lock_classes[lock_before].size);
  if (!shared) return;
  lock_classes[lock_before].low = shared;
  lock_classes[lock_before].size = up_to_its_calls;
}

const void *ch_caller_above(void *const *frame) {
  void *const *above = frame[0];
  bool is_frame = above > frame && above < frame + 0x10000 && (uintptr_t)above % sizeof(void *) == 0;
  return is_frame ? above[1] : NULL;
}

// Returns true if the program has called, and not Foundation for itself. Foundation's classes end in a jump to libc, so what
// they return to is their caller: the program, or a thunk that leads there from `NSLocking`, as in `withLock`.
bool ch_is_call_of_program(const void *caller, void *const *frame) {
  for (int n = 0; n < 3 && is_of_lock_class(caller); n++) {
    caller = ch_caller_above(frame);
    frame = frame[0];
  }
  return !ch_is_of_foundation(caller) || (only_returns(caller) && !ch_is_of_foundation(ch_caller_above(frame)));
}
bool ch_is_of_program(const void *caller, void *const *frame) {
  return ch_is_call_of_program(caller, frame) && !ch_is_runtime(caller);
}

const struct link_map *ch_find_foundation(void) {
  if (foundation) return foundation;
  foundation = ch_image_with(dlsym(RTLD_DEFAULT, "$s10Foundation6NSLockC4lockyyF"));
  if (!foundation) return NULL;
  dl_iterate_phdr(find_end, NULL);
  find_lock_classes();
  ch_find_safe_methods(foundation);
  return foundation;
}
#pragma clang attribute pop
#endif
