// The standard library's `Mutex`: a word that holds the thread that has it, or zero. Taking a free one and opening one for
// which nobody waits are inlined where they are used. Where a thread has to wait, the library calls the kernel; that call is
// led through here, and a step waits for a step that stands without the kernel. The word then says that somebody waits, so
// that whoever opens it calls the kernel too.
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

// Whether the running step has taken the mutex, after waiting for a step that stands and has it.
static bool waited_for(ch_simulation *s, uint32_t *word) {
  // Who takes one that is free is not seen.
  if (!ch_is_instrumented()) ch_shares_unseen("`Mutex`");
  for (;;) {
    ch_uses((uintptr_t)word, NULL);
    uint32_t held = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (!(held & FUTEX_TID_MASK)) {
      // As if somebody waited, so that the library calls the kernel to open it.
      uint32_t mine = (uint32_t)gettid() | FUTEX_WAITERS;
      if (!__atomic_compare_exchange_n(word, &held, mine, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
      ch_took(s, (uintptr_t)word, true);
      return true;
    }
    __atomic_fetch_or(word, FUTEX_WAITERS, __ATOMIC_RELAXED);
    if (!simulator_waits_for_thread(s->scheduler, (uintptr_t)word, held & FUTEX_TID_MASK)) return false;
  }
}

void ch_open_abandoned_mutex(uintptr_t mutex) { __atomic_store_n((uint32_t *)mutex, 0, __ATOMIC_RELEASE); }

static long syscall_of_library(long number, ...) {
  va_list list;
  long a[6];
  va_start(list, number);
  for (int n = 0; n < 6; n++) a[n] = va_arg(list, long);
  va_end(list);
  ch_simulation *s = ch_current;
  bool isFollowed = number == SYS_futex && ch_is_followed(s);
  int operation = (int)a[1] & FUTEX_CMD_MASK;
  if (isFollowed) s->stands_at = (void *const *)__builtin_frame_address(0);
  if (isFollowed && (operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2) && waited_for(s, (uint32_t *)a[0]))
    return 0;
  long result = real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (isFollowed && operation == FUTEX_UNLOCK_PI) {
    ch_uses((uintptr_t)a[0], NULL);
    // The system knows the thread by another number than the `Mutex`, in a child of `fork`.
    if (result && errno == EPERM && ch_is_thread(ch_own_baton(), *(uint32_t *)a[0] & FUTEX_TID_MASK)) {
      ch_open_abandoned_mutex((uintptr_t)a[0]);
      result = 0;
    }
    ch_opened(s, (uintptr_t)a[0]);
    if (s->execution.overlaps) ch_has_opened(s, true, (void *const *)__builtin_frame_address(0));
  }
  return result;
}

__attribute__((constructor)) static void install(void) {
  real_syscall = (long (*)(long, ...))dlsym(RTLD_DEFAULT, "syscall");
  // Only a program that uses the library has loaded it.
  void *slow = dlsym(RTLD_DEFAULT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  const struct link_map *library = ch_image_with(slow);
  if (real_syscall && library) ch_redirect_imports(library, "syscall", (void *)syscall_of_library);
}
#endif
