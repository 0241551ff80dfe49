// Blocks for a run loop that outlives the execution: the loop of a Dispatch or pool thread, which a later execution uses again.
// A block that has not run by the end of its execution must not run in a later one.
#define _GNU_SOURCE
#include "RunLoops.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

CH_BEHIND(_Block_copy);
CH_BEHIND(_Block_release);

// A block that calls another one. The loop owns it, and the execution's list only refers to it. If the block ends first, it
// leaves the list; if the execution ends first, it clears `calls`.
struct ch_loop_block {
  ch_block_layout layout;
  void *calls;  // retained; null if its execution has ended
  struct ch_loop_block **list;
  struct ch_loop_block *next;
};

static void call(void *block) {
  const struct ch_loop_block *own = block;
  if (own->calls) ch_invoke_block(own->calls);
}

static void copy(void *to, const void *from) {}

static void dispose(const void *block) {
  const struct ch_loop_block *own = block;
  if (!own->calls) return;
  struct ch_loop_block **at = own->list;
  while (*at != own) at = &(*at)->next;
  *at = own->next;
  CH_REAL(_Block_release)(own->calls);
}

// The layout that the compiler uses: “Block Implementation Specification” of Clang.
enum { one_reference = 2, needs_free = 1 << 24, has_helpers = 1 << 25 };
static const struct {
  unsigned long reserved, size;
  void (*copy)(void *, const void *);
  void (*dispose)(const void *);
} descriptor = {0, sizeof(struct ch_loop_block), copy, dispose};

static bool lasts(const struct ch_run_loops *loops, const void *loop) {
  const ch_own_loop *own = loops->own;
  while (own && own->loop != loop) own = own->next;
  return own;
}

void *ch_block_for_loop(struct ch_run_loops *loops, const void *loop, void *block) {
  struct ch_loop_block *made = loops && lasts(loops, loop) ? malloc(sizeof *made) : NULL;
  if (!made) return CH_REAL(_Block_copy)(block);
  *made = (struct ch_loop_block){
      {dlsym(RTLD_DEFAULT, "_NSConcreteMallocBlock"), needs_free | has_helpers | one_reference, 0, (void *)call, (void *)&descriptor},
      CH_REAL(_Block_copy)(block), &loops->blocks, loops->blocks};
  loops->blocks = made;
  return made;
}

void ch_forget_loop_blocks(struct ch_run_loops *loops) {
  while (loops->blocks) {
    struct ch_loop_block *first = loops->blocks;
    loops->blocks = first->next;
    void *calls = first->calls;
    first->calls = NULL;
    CH_REAL(_Block_release)(calls);
  }
}
#pragma clang attribute pop
#endif
