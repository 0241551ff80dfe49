// Finds the places from which a program called something. Reports turn them into source lines.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

static const char *name_of(const char *path) {
  const char *file = strrchr(path, '/');
  return file ? file + 1 : path;
}

// Called often, so it avoids `dladdr` if it can: that would look for the symbol too, which takes some microseconds.
const char *ch_library_of(const void *address) {
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
  struct dl_find_object found;
  if (!address || _dl_find_object((void *)address, &found)) return "";
  const char *path = found.dlfo_link_map->l_name;
  return *path ? name_of(path) : program_invocation_short_name;
#else
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname ? name_of(info.dli_fname) : "";
#endif
}

struct link_map *ch_image_with(const void *address) {
  Dl_info info;
  struct link_map *image = NULL;
  return address && dladdr1(address, &info, (void **)&image, RTLD_DL_LINKMAP) ? image : NULL;
}

bool ch_is_answered(const char *name) {
  Dl_info found, ours;
  void *function = dlsym(RTLD_DEFAULT, name);
  return function && dladdr(function, &found) && dladdr((void *)ch_is_answered, &ours) &&
         found.dli_fbase == ours.dli_fbase;
}

typedef struct {
  ch_callers *to;
  const void *caller;
  bool has_begun, has_ended;
  uintptr_t frame;       // the last frame pointer
  uintptr_t outermost;   // the frame pointer of the last caller
  void *const *context;  // the context of the innermost asynchronous function
  uintptr_t stack, end;
} search;

#if defined(__x86_64__)
enum { frame_register = 6 };
#else
enum { frame_register = 29 };
#endif
static const uintptr_t is_async = (uintptr_t)1 << 60;

static bool add_caller(search *found, void *address) {
  // The first function of a thread that the program has made has no caller.
  if (!address || found->to->count == CH_MOST_CALLERS || !strncmp(ch_library_of(address), "libswift_Concurrency.so", 23)) {
    found->has_ended = true;
    return false;
  }
  found->to->addresses[found->to->count++] = address;
  found->outermost = found->frame;
  return true;
}

static bool is_frame(const search *found, uintptr_t frame) {
  return frame > found->stack && frame < found->end && frame % sizeof(void *) == 0;
}

// The search reads whole frames, even what is between their variables. The address sanitizer must not report that.
#define ON_STACK __attribute__((no_sanitize("address")))

static ON_STACK void look_for_context(search *found, uintptr_t frame) {
  if (!found->context && is_frame(found, frame) && *(uintptr_t *)frame & is_async)
    found->context = ((void *const *const *)frame)[-1];
}

static _Unwind_Reason_Code unwound(struct _Unwind_Context *context, void *argument) {
  search *found = argument;
  void *address = (void *)_Unwind_GetIP(context);
  if (address == found->caller) found->has_begun = true;
  if (!found->has_begun) return _URC_NO_REASON;
  found->frame = _Unwind_GetGR(context, frame_register);
  look_for_context(found, found->frame);
  return add_caller(found, address) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// Looks for the caller of a small function, which may have neither an unwind description nor a frame. Its return address is
// then a few words further up the stack.
static ON_STACK void look_on_stack(search *found, void *const *words) {
#if defined(__x86_64__)
  for (int n = 0; n < 6 && is_frame(found, (uintptr_t)&words[n]); n++) {
    const uint8_t *address = words[n];
    if (!*ch_library_of(address)) continue;
    if (address[-5] != 0xe8 && !(address[-6] == 0xff && address[-5] == 0x15)) continue;
    add_caller(found, (void *)address);
    return;
  }
#endif
}

// Follows the chain of contexts. Each begins with its caller's context and the address at which the caller resumes. The first
// pointer may be no context at all.
static void add_asynchronous_callers(search *found) {
  void *words[2];
  struct iovec to = {words, sizeof words};
  for (void *const *context = found->context; context && found->to->count < CH_MOST_CALLERS; context = words[0]) {
    struct iovec from = {(void *)context, sizeof words};
    if (process_vm_readv((pid_t)ch_own_pid(), &to, 1, &from, 1, 0) != sizeof words || !*ch_library_of(words[1])) return;
    found->to->addresses[found->to->count++] = (char *)words[1] + 1;
  }
}

// Returns the end of this thread's stack, or 0 if it is unknown. Computed once for each thread: for the first thread of a
// process, the C library reads a file.
static uintptr_t end_of_stack(void) {
  static _Thread_local uintptr_t end __attribute__((tls_model("initial-exec")));
  pthread_attr_t attributes;
  if (end || pthread_getattr_np(pthread_self(), &attributes)) return end;
  void *stack = NULL;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &stack, &size);
  pthread_attr_destroy(&attributes);
  return end = (uintptr_t)stack + size;
}

static void find(search *found, void *const *frame) {
  uintptr_t end = end_of_stack();
  if (!end) return;
  // Not the address of a local variable: the address sanitizer keeps those elsewhere.
  found->stack = (uintptr_t)__builtin_frame_address(0);
  found->end = end - 2 * sizeof(void *);
  _Unwind_Backtrace(unwound, found);
  if (!found->has_begun) add_caller(found, (void *)found->caller);
  if (!found->has_ended && found->to->count == 1) look_on_stack(found, frame + 2);
  while (!found->has_ended && is_frame(found, found->frame)) {
    look_for_context(found, found->frame);
    uintptr_t *frame = (uintptr_t *)found->frame;
    if (!add_caller(found, (void *)frame[1])) break;
    if ((frame[0] & ~is_async) <= found->frame) break;
    found->frame = frame[0] & ~is_async;
  }
  // The function that the runtime calls is asynchronous too, even if its library does not mark its frame.
  if (!found->context && found->has_ended && is_frame(found, found->outermost))
    found->context = ((void *const *const *)found->outermost)[-1];
}

// The C library's unwinder stops at a library that describes its frames badly. From there on, the search follows frame
// pointers, which Swift keeps. An asynchronous function marks its frame pointer with a bit and keeps its context below it.
void ch_find_callers(void *const *frame, ch_callers *to) {
  search found = {.to = to, .caller = frame[1], .frame = (uintptr_t)frame[0]};
  find(&found, frame);
  add_asynchronous_callers(&found);
}

void ch_find_callers_in_step(void *const *frame, ch_callers *to) {
  search found = {.to = to, .caller = frame[1], .frame = (uintptr_t)frame[0]};
  find(&found, frame);
}

void ch_find_asynchronous_callers(void *const *context, ch_callers *to) {
  search found = {.to = to, .context = context};
  add_asynchronous_callers(&found);
}
#endif
