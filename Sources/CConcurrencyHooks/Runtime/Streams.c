// Reports which steps reach the buffer of an `AsyncStream` or `AsyncThrowingStream`, for the reduced search. A lock guards the
// buffer: the library takes it, through libc, for every `yield`, `finish`, `next`, cancel and end of a stream. Only this
// library's calls are redirected here, through its own table of imported functions.
//
// The place of the call shows which of the library's locks is a stream's; `ch_learn_stream_lock` finds that place by
// trying. The lock's address shows which stream it is, because it is in storage that was reported when the stream was made.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: the lock

static uintptr_t place_of_stream_lock;
// The lock of the stream that this thread is in; null if it is in none. It is reset on unlock, because another lock may be at
// the same address later in some executions and not in others.
static _Thread_local pthread_mutex_t *entered __attribute__((tls_model("initial-exec")));
static _Thread_local bool learning __attribute__((tls_model("initial-exec")));

static int lock_of_library(pthread_mutex_t *mutex) {
  uintptr_t place = (uintptr_t)__builtin_return_address(0);
  ch_simulation *s = ch_current;
  if (s && s->execution.follows_dependencies && place == place_of_stream_lock)
    simulator_stream_reached(s->scheduler, (uintptr_t)mutex);
  if (learning) {
    place_of_stream_lock = place;
    learning = false;
  }
  if (place == place_of_stream_lock) ch_meets((uintptr_t)mutex, CH_LOOKS_AND_CHANGES);
  if (s && s->execution.overlaps && place == place_of_stream_lock) entered = mutex;
  return ch_take(mutex, CH_LOCK_OF_LIBRARY, NULL);
}

static int unlock_of_library(pthread_mutex_t *mutex) {
  int error;
  ch_open(mutex, &error);
  if (mutex != entered) return error;
  entered = NULL;
  if (ch_current) ch_set_free(ch_current);
  return error;
}

bool ch_learn_stream_lock(void (*use_a_stream)(void)) {
  learning = true;
  use_a_stream();
  learning = false;
  return place_of_stream_lock != 0;
}

void ch_redirect(uintptr_t slot, void *function) {
  uintptr_t page = slot & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
  size_t size = slot + sizeof function - page;
  // The table may be read-only. Its previous protection is not known, so it stays writable.
  if (mprotect((void *)page, size, PROT_READ | PROT_WRITE)) return;
  __atomic_store_n((void **)slot, function, __ATOMIC_RELEASE);
}

void ch_redirect_imports(const struct link_map *library, const char *name, void *function) {
  const ElfW(Sym) *symbols = NULL;
  const char *strings = NULL;
  struct { const ElfW(Rela) *first; size_t size; } tables[2] = {{0}};
  for (const ElfW(Dyn) *entry = library->l_ld; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = (const void *)entry->d_un.d_ptr; break;
      case DT_STRTAB: strings = (const void *)entry->d_un.d_ptr; break;
      case DT_JMPREL: tables[0].first = (const void *)entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: tables[0].size = entry->d_un.d_val; break;
      case DT_RELA: tables[1].first = (const void *)entry->d_un.d_ptr; break;
      case DT_RELASZ: tables[1].size = entry->d_un.d_val; break;
      default: break;
    }
  }
  if (!symbols || !strings) return;
  for (int table = 0; table < 2; table++) {
    if (!tables[table].first) continue;
    for (size_t n = 0; n < tables[table].size / sizeof(ElfW(Rela)); n++) {
      const ElfW(Rela) *rela = &tables[table].first[n];
      uint32_t symbol = ELF64_R_SYM(rela->r_info);
      if (symbol && !strcmp(strings + symbols[symbol].st_name, name))
        ch_redirect(library->l_addr + rela->r_offset, function);
    }
  }
}

// MARK: new streams
//
// A stream is a reference to its context, whose first word is the storage that holds the buffer and the lock. A stream made
// with `unfolding` has no such storage; its lock counts as no stream's.

static void made(void *const *const *stream) {
  ch_simulation *s = ch_current;
  if (!s || !s->execution.follows_dependencies) return;
  void *storage = (void *)(*stream)[2];
  if (storage) simulator_stream_made(s->scheduler, (uintptr_t)storage, malloc_usable_size(storage));
}

typedef SWIFTCC void init_function(__attribute__((swift_indirect_result)) void *, void *, void *, void *, void *,
                                   void *, void *);
typedef SWIFTCC void make_function(void *, void *, void *, void *, void *, void *);

#define INIT(name, symbol)                                                                                     \
  static init_function *original_##name;                                                                       \
  SWIFTCC void ch_##name(__attribute__((swift_indirect_result)) void *, void *, void *, void *, void *, void *, \
                         void *) __asm__(symbol);                                                              \
  SWIFTCC void ch_##name(__attribute__((swift_indirect_result)) void *stream, void *a, void *b, void *c,       \
                         void *d, void *e, void *f) {                                                          \
    original_##name(stream, a, b, c, d, e, f);                                                                 \
    made(stream);                                                                                              \
  }
#define MAKE(name, symbol)                                                                                     \
  static make_function *original_##name;                                                                       \
  SWIFTCC void ch_##name(void *, void *, void *, void *, void *, void *) __asm__(symbol);                      \
  SWIFTCC void ch_##name(void *stream, void *a, void *b, void *c, void *d, void *e) {                          \
    original_##name(stream, a, b, c, d, e);                                                                    \
    made(stream);                                                                                              \
  }
#define STREAM_INIT "$sScS_15bufferingPolicy_ScSyxGxm_ScS12ContinuationV09BufferingB0Oyx__GyADyx_GXEtcfC"
#define STREAM_MAKE                                                                                \
  "$sScS10makeStream2of15bufferingPolicyScSyxG6stream_ScS12ContinuationVyx_G12continuationtxm_AG09" \
  "BufferingE0Oyx__GtFZ"
#define THROWING_INIT                                                                      \
  "$sScs_15bufferingPolicy_Scsyxs5Error_pGxm_Scs12ContinuationV09BufferingB0OyxsAB_p__GyAE" \
  "yxsAB_p_GXEtcsAB_pRs_rlufC"
#define THROWING_MAKE                                                                              \
  "$sScs10makeStream2of8throwing15bufferingPolicyScsyxs5Error_pG6stream_Scs12ContinuationVyxsAE_p_" \
  "G12continuationtxm_sAE_pmAI09BufferingF0OyxsAE_p__GtsAE_pRs_rlFZ"
INIT(stream_init, STREAM_INIT)
MAKE(stream_make, STREAM_MAKE)
INIT(throwing_init, THROWING_INIT)
MAKE(throwing_make, THROWING_MAKE)

static void *behind_us(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();  // the library that defines it is loaded, or no Swift code would run
  return found;
}

__attribute__((constructor)) static void install(void) {
  original_stream_init = behind_us(STREAM_INIT);
  original_stream_make = behind_us(STREAM_MAKE);
  original_throwing_init = behind_us(THROWING_INIT);
  original_throwing_make = behind_us(THROWING_MAKE);
  Dl_info info;
  struct link_map *library = NULL;
  if (dladdr1((void *)original_stream_init, &info, (void **)&library, RTLD_DL_LINKMAP) && library) {
    ch_redirect_imports(library, "pthread_mutex_lock", (void *)lock_of_library);
    ch_redirect_imports(library, "pthread_mutex_unlock", (void *)unlock_of_library);
  }
}
#endif
