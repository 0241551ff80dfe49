// What is made once. Who comes second waits, inside the library, for the step that makes it: that one is not left
// meanwhile. The program's calls come here from the first execution on in which steps may overlap.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef void once_function(void *predicate, void (*make)(void *), void *context);
static once_function *real_once;

static void once(void *predicate, void (*make)(void *), void *context) {
  bool isFollowed = ch_is_followed(ch_current);
  ch_untold_locks += isFollowed;
  real_once(predicate, make, context);
  ch_untold_locks -= isFollowed;
}

void ch_expect_overlap(void) {
  static atomic_flag is_done = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&is_done)) return;
  real_once = (once_function *)dlsym(RTLD_DEFAULT, "swift_once");
  if (!real_once) abort();
  Dl_info info;
  struct link_map *program = NULL;
  if (dladdr1((void *)once, &info, (void **)&program, RTLD_DL_LINKMAP) && program)
    ch_redirect_imports(program, "swift_once", (void *)once);
}
#endif
