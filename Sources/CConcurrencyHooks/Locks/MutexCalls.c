// The function that an uncontended `Mutex` calls: in a debug build, a small function returns the number of the thread, before
// the mutex is taken and before it is unlocked. Each file has its own copy, which only a local symbol names. Each copy is
// redirected here, before `main`. An optimized build inlines the function and calls nothing.
//
// The call does not show which mutex it is for. A step may be preempted before it takes one, if it holds another or has
// unlocked one.
#define _GNU_SOURCE
#include "Symbols.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  uintptr_t low, high;
} range;

static range *openers;  // the functions that unlock a mutex, sorted by address
static size_t opener_count;
static uintptr_t base;  // of the executable
static size_t led_count;

bool ch_follows_mutexes(void) { return ch_is_instrumented() || led_count > 0; }

// MARK: a call

static _Thread_local bool has_asked __attribute__((tls_model("initial-exec")));
static _Thread_local uint32_t number __attribute__((tls_model("initial-exec")));

void ch_forget_mutex_call(void) { has_asked = false; }
bool ch_has_called_mutex(void) { return has_asked; }

static bool opens(uintptr_t place) {
  size_t low = 0, high = opener_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (openers[middle].high <= place) low = middle + 1;
    else high = middle;
  }
  return low < opener_count && openers[low].low <= place;
}

static void may_take(ch_simulation *s, void *const *frame) {
  ch_execution *e = &s->execution;
  if (e->of_step.mutexes_held || e->of_step.locks_held || ch_has_acted(s)) ch_preemption_point(s, frame);
  e->of_step.mutexes_held++;
}

// Like the function that it replaces, it keeps returning the number that it has read first, even in a child of `fork`.
static uint32_t number_of_thread(void) {
  if (!number) number = (uint32_t)gettid();
  has_asked = true;
  ch_simulation *s = ch_current;
  // The reduced search would have to know which mutex it is.
  if (!ch_is_followed(s) || s->execution.follows_dependencies || ch_is_instrumented()) return number;
  if (!opens((uintptr_t)__builtin_return_address(0))) {
    may_take(s, (void *const *)__builtin_frame_address(0));
  } else {
    if (s->execution.of_step.mutexes_held) s->execution.of_step.mutexes_held--;
    s->execution.of_step.has_acted = true;
  }
  return number;
}

// MARK: redirecting calls

#if defined(__x86_64__)
// movabs $target, %rax; jmp *%rax
enum { jump_size = 12 };
static void write_jump(uint8_t *to, uintptr_t target) {
  memcpy(to, (uint8_t[]){0x48, 0xb8}, 2);
  memcpy(to + 2, &target, sizeof target);
  memcpy(to + 10, (uint8_t[]){0xff, 0xe0}, 2);
}
#else
// ldr x16, #8; br x16; the address
enum { jump_size = 16 };
static void write_jump(uint8_t *to, uintptr_t target) {
  memcpy(to, (uint32_t[]){0x58000050, 0xd61f0200}, 8);
  memcpy(to + 8, &target, sizeof target);
}
#endif

// Redirects a function to ours. Does nothing if the system forbids changing code.
static void lead(uintptr_t function) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t low = function & ~(page - 1), high = (function + jump_size + page - 1) & ~(page - 1);
  if (mprotect((void *)low, high - low, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
  write_jump((uint8_t *)function, (uintptr_t)number_of_thread);
  __builtin___clear_cache((char *)function, (char *)function + jump_size);
  mprotect((void *)low, high - low, PROT_READ | PROT_EXEC);
  led_count++;
}

static void note_opener(const ch_symbol *symbol) {
  if ((opener_count & (opener_count - 1)) == 0) {
    range *larger = realloc(openers, (opener_count ? 2 * opener_count : 1) * sizeof *larger);
    if (!larger) return;
    openers = larger;
  }
  openers[opener_count++] = (range){base + symbol->st_value, base + symbol->st_value + symbol->st_size};
}

static void visit(const char *name, const ch_symbol *symbol) {
  if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_value) return;
  if (!strcmp(name, "_swift_stdlib_gettid")) {
    if (symbol->st_size >= jump_size) lead(base + symbol->st_value);
  } else if (!strncmp(name, "$s15Synchronization5Mutex", 25) && strstr(name, "$deferL")) {
    note_opener(symbol);
  }
}

static int by_place(const void *a, const void *b) {
  const range *first = a, *second = b;
  return first->low < second->low ? -1 : first->low > second->low;
}

// Every sanitizer has this function. A sanitizer checks each write, and does not expect any to code.
extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

// No other thread runs yet that could be inside one of the functions.
__attribute__((constructor)) static void install(void) {
  if (__sanitizer_print_stack_trace) return;
  // Only a program that uses the library loads it.
  if (!dlsym(RTLD_DEFAULT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF")) return;
  base = ch_image_base("");
  ch_for_each_symbol(visit);
  if (opener_count) qsort(openers, opener_count, sizeof *openers, by_place);
}
#endif
