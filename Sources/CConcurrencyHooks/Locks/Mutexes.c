// The standard library's `Mutex`: a word that holds the number of the thread that has it, or zero. Taking a free one, and
// unlocking one that no thread waits for, is inlined at each use. If a thread has to wait, the library calls the kernel. That
// call comes here: a step waits for a parked step without the kernel. The word then says that a thread waits, so that the
// holder calls the kernel to unlock it.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static long (*real_syscall)(long, ...);

// Waits for the parked steps that hold the mutex, and takes it. Returns false if no parked step holds it.
static bool waited_for(ch_simulation *s, uint32_t *word) {
  // The hooks do not see a step that takes a free one.
  if (!ch_is_instrumented()) ch_shares_unseen("`Mutex`");
  for (;;) {
    ch_uses((uintptr_t)word, NULL);
    uint32_t held = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (!(held & FUTEX_TID_MASK)) {
      // Pretends that a thread waits, so that the library calls the kernel to unlock it.
      uint32_t mine = (uint32_t)gettid() | FUTEX_WAITERS;
      if (!__atomic_compare_exchange_n(word, &held, mine, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
      ch_took(s, (uintptr_t)word, CH_LOCK_WORD, NULL);
      return true;
    }
    __atomic_fetch_or(word, FUTEX_WAITERS, __ATOMIC_RELAXED);
    if (!simulator_waits_for_thread(s->scheduler, (uintptr_t)word, held & FUTEX_TID_MASK)) return false;
  }
}

void ch_free_mutex(uintptr_t mutex) { __atomic_store_n((uint32_t *)mutex, 0, __ATOMIC_RELEASE); }

static long syscall_of_library(long number, ...) {
  va_list list;
  long a[6];
  va_start(list, number);
  for (int n = 0; n < 6; n++) a[n] = va_arg(list, long);
  va_end(list);
  ch_simulation *s = ch_current;
  bool isFollowed = number == SYS_futex && ch_is_followed(s);
  int operation = (int)a[1] & FUTEX_CMD_MASK;
  if (isFollowed) s->point_frame = (void *const *)__builtin_frame_address(0);
  if (isFollowed && (operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2) && waited_for(s, (uint32_t *)a[0]))
    return 0;
  long result = real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (isFollowed && operation == FUTEX_UNLOCK_PI) {
    ch_uses((uintptr_t)a[0], NULL);
    // In a child of `fork`, the system knows the thread by a number other than the one in the `Mutex`.
    if (result && errno == EPERM && ch_is_thread(ch_own_driver(), *(uint32_t *)a[0] & FUTEX_TID_MASK)) {
      ch_free_mutex((uintptr_t)a[0]);
      result = 0;
    }
    ch_opened(s, (uintptr_t)a[0]);
    if (s->execution.overlaps) ch_has_opened(s, true, (void *const *)__builtin_frame_address(0));
  }
  return result;
}

__attribute__((constructor)) static void install(void) {
  real_syscall = (long (*)(long, ...))dlsym(RTLD_DEFAULT, "syscall");
  // Only a program that uses the library loads it.
  void *slow = dlsym(RTLD_DEFAULT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  const struct link_map *library = ch_image_with(slow);
  if (real_syscall && library) ch_redirect_imports(library, "syscall", (void *)syscall_of_library);
}
#endif
