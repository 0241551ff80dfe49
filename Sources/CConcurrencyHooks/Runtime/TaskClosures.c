// Finds the code that a task will run before it has begun, so that reports can describe its first step.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The words before a task's first context: `FutureAsyncContextPrefix` in the runtime's `Task.cpp`. They are part of the task's
// own memory, so reading them is safe even if they mean something else.
enum { entry_word = -3, captured_word = -2 };
// A closure's captured values begin after the two header words that every object has. A thunk captures the closure that it
// calls. If the thunk is generic, one or two types come before the closure.
enum { first_captured = 2, looked_at = 3 };
// The compiler's record of an asynchronous function: the offset from here to its code, and the size of its first context.
typedef struct {
  int32_t code;
  uint32_t size;
} async_function;
enum { largest_context = 1 << 20 };

// Reads memory through the kernel, which reports an error if nothing is mapped there.
static bool read_safely(uintptr_t from, void *to, size_t size) {
  struct iovec here = {to, size}, there = {(void *)from, size};
  return process_vm_readv((pid_t)ch_own_pid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

// Returns the code of what may be an asynchronous function; 0 if it is none.
static uintptr_t code_of(uintptr_t address) {
  async_function function;
  if (address % 4 || !ch_image_name(address) || !read_safely(address, &function, sizeof function)) return 0;
  uintptr_t code = address + (uintptr_t)(intptr_t)function.code;
  return function.size && function.size <= largest_context && function.size % 16 == 0 && ch_is_code(code) ? code : 0;
}

size_t ch_closure_of_task(const void *context, uintptr_t *found) {
  uintptr_t entry = ((const uintptr_t *)context)[entry_word];
  if (!ch_is_code(entry)) return 0;
  size_t count = 0;
  found[count++] = entry;
  uintptr_t object = ((const uintptr_t *)context)[captured_word], words[looked_at];
  if (!object || !read_safely(object + first_captured * sizeof *words, words, sizeof words)) return count;
  for (int n = 0; n < looked_at; n++) {
    uintptr_t code = code_of(words[n]);
    if (!code) continue;
    if (count == 1) found[count++] = 0;
    found[count++] = code;
  }
  return count;
}
#endif
