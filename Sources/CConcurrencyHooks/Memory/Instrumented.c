// The functions that code calls if it was compiled with `-Xfrontend -sanitize=thread` and no sanitizer is linked: one call for
// each atomic, and one for each memory access. The compiler then emits no atomics of its own, so a `Mutex` is visible too: it
// is a word that holds the number of the thread that has it, or zero.
//
// All are weak: a program that is built for the thread sanitizer calls the sanitizer's own.
#define _GNU_SOURCE
#include "Symbols.h"
#include "WeakMemory.h"

#if CH_SUPPORTED
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define WEAK __attribute__((weak)) void
#define WEAK_OF(type) __attribute__((weak)) type

static bool is_instrumented;
bool ch_is_instrumented(void) { return is_instrumented; }

// Each of the program's files calls this before `main`.
WEAK __tsan_init(void) {
  if (!is_instrumented) ch_find_caches();
  is_instrumented = true;
}
WEAK __tsan_func_entry(void *caller) {}
WEAK __tsan_func_exit(void) {}
WEAK __tsan_ignore_thread_begin(void) {}
WEAK __tsan_ignore_thread_end(void) {}

// MARK: accesses

bool ch_is_on_stack(uintptr_t address) {
  static _Thread_local uintptr_t end __attribute__((tls_model("initial-exec")));
  if (!end) {
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes)) return false;
    pthread_attr_getstack(&attributes, &stack, &size);
    pthread_attr_destroy(&attributes);
    end = (uintptr_t)stack + size;
  }
  return address >= (uintptr_t)__builtin_frame_address(0) - 256 && address < end;
}

#define FRAME (void *const *)__builtin_frame_address(0)
#define PLACE (uintptr_t)__builtin_return_address(0)

#define TOLD(size, writes) ch_accesses_memory((uintptr_t)address, size, writes, PLACE, FRAME)

#define ACCESS(size) \
  WEAK __tsan_read##size(void *address) { TOLD(size, false); } \
  WEAK __tsan_write##size(void *address) { TOLD(size, true); } \
  WEAK __tsan_read_write##size(void *address) { TOLD(size, true); } \
  WEAK __tsan_unaligned_read##size(void *address) { TOLD(size, false); } \
  WEAK __tsan_unaligned_write##size(void *address) { TOLD(size, true); } \
  WEAK __tsan_unaligned_read_write##size(void *address) { TOLD(size, true); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
WEAK __tsan_read_range(void *address, size_t size) { TOLD(size, false); }
WEAK __tsan_write_range(void *address, size_t size) { TOLD(size, true); }
// An object's first word changes while the object is destroyed. Nothing else should see the object then.
WEAK __tsan_vptr_update(void **pointer, void *value) {}
WEAK __tsan_vptr_read(void **pointer) {}

#define COPY(name) \
  WEAK_OF(void *) __tsan_##name(void *to, const void *from, size_t size) { \
    ch_accesses_memory((uintptr_t)from, size, false, PLACE, FRAME); \
    ch_accesses_memory((uintptr_t)to, size, true, PLACE, FRAME); \
    return name(to, from, size); \
  }
COPY(memcpy)
COPY(memmove)
WEAK_OF(void *) __tsan_memset(void *to, int byte, size_t size) {
  ch_accesses_memory((uintptr_t)to, size, true, PLACE, FRAME);
  return memset(to, byte, size);
}

// Swift reports values that are passed `inout` this way: a library's code may change them, and that code reports nothing.
WEAK_OF(void *) __tsan_external_register_tag(const char *name) { return NULL; }
WEAK __tsan_external_assign_tag(void *address, void *tag) {}
WEAK __tsan_external_read(void *address, void *caller, void *tag) {
  ch_accesses_value((uintptr_t)address, false, PLACE, FRAME);
}
WEAK __tsan_external_write(void *address, void *caller, void *tag) {
  ch_accesses_value((uintptr_t)address, true, PLACE, FRAME);
}

// MARK: atomics
//
// Other steps may run before an atomic, because they may write what it reads.

// Returns false for what compiled code caches for itself: such an atomic is not the program's, and orders nothing that the
// program does.
static bool is_of_program(const volatile void *address) {
  ch_simulation *s = ch_current;
  return s && ch_in_step(s) && !ch_is_cache((uintptr_t)address);
}

static void may_be_preceded(const volatile void *address, void *const *frame) {
  ch_simulation *s = ch_current;
  ch_is_touched((uintptr_t)address);
  if (!ch_is_followed(s) || ch_untold_locks || s->execution.creating || s->execution.deinitializing) return;
  s->point_frame = frame;
  if (!ch_running_task()) return;
  s->point_object = (uintptr_t)address;
  s->point_object_is_lock = false;
  simulator_preemption_point(s->scheduler);
  s->execution.of_step.has_acted = true;
}
static void before_load(const volatile void *address, void *const *frame) {
  if (!is_of_program(address)) return;
  may_be_preceded(address, frame);
  ch_reads((uintptr_t)address);
}
static void before_atomic(const volatile void *address, void *const *frame) {
  if (!is_of_program(address)) return;
  may_be_preceded(address, frame);
  ch_uses((uintptr_t)address, NULL);
}

// A word that changes from zero to the number of this thread, or back, is a `Mutex`. An uncontended one has preemption points
// like any other lock: before it is taken, if the step holds another lock or has used an atomic, and after it is unlocked.
static bool is_number_of_thread(uint64_t value) { return value && ch_is_thread(ch_own_driver(), (uint32_t)value); }

static bool takes(uint64_t from, uint64_t to) { return from == 0 && to <= UINT32_MAX && is_number_of_thread(to); }
static bool opens(uint64_t from, uint64_t to) { return to == 0 && from <= UINT32_MAX && is_number_of_thread(from); }

static bool is_mutex(uint64_t from, uint64_t to, size_t size) {
  return size == 4 && ch_is_followed(ch_current) && (takes(from, to) || opens(from, to));
}

static void before_exchange(const volatile void *address, uint64_t from, uint64_t to, size_t size,
                            void *const *frame) {
  if (!is_of_program(address)) return;
  bool isMutex = is_mutex(from, to, size);
  bool isPoint = !isMutex || (from == 0 && (ch_current->execution.of_step.locks_held || ch_has_acted(ch_current)));
  if (isPoint) may_be_preceded(address, frame);
  if (isMutex) ch_current->execution.of_step.has_acted = false;
  if (isMutex) ch_weak_lock((uintptr_t)address);
  ch_uses((uintptr_t)address, NULL);
}

// Notes that a `Mutex` was not free: its holder may unlock it before the step tries again.
static void after_failure(uint64_t from, uint64_t to, size_t size) {
  if (size == 4 && ch_is_followed(ch_current) && takes(from, to)) ch_current->execution.of_step.has_acted = true;
}

static void after_exchange(volatile void *address, uint64_t from, uint64_t to, size_t size, void *const *frame) {
  ch_simulation *s = ch_current;
  if (size != 4 || !ch_is_followed(s)) return;
  if (takes(from, to)) {
    ch_took(s, (uintptr_t)address, CH_LOCK_WORD, NULL);
  } else if (opens(from, to)) {
    ch_opened(s, (uintptr_t)address);
    if (s->execution.overlaps) ch_has_opened(s, true, frame);
  }
}

#define ORDER __ATOMIC_SEQ_CST

// The memory order that the program asks for. From release on, it hands on what the task has done; from acquire on, it takes
// over what others have done.
static bool hands_on(int order) { return order >= __ATOMIC_RELEASE; }
static bool takes_over(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }

static void before_store(const volatile void *address, int order) {
  if (!is_of_program(address)) return;
  if (hands_on(order)) ch_releases_object((uintptr_t)address);
  else ch_relaxed_at((uintptr_t)address, true);
}
static void after_load(const volatile void *address, int order) {
  if (!is_of_program(address)) return;
  if (takes_over(order)) ch_acquires_object((uintptr_t)address);
  else ch_relaxed_at((uintptr_t)address, false);
}

// With weak memory, what a store hands on is kept with the store. An atomic in any order is more than what a relaxed one orders.
static bool is_weak(const volatile void *address) {
  if (!ch_has_weak_memory() || !is_of_program(address)) return false;
  ch_relaxed_at((uintptr_t)address, false);
  ch_relaxed_at((uintptr_t)address, true);
  return true;
}
#define HERE(order) (ch_atomic){(uintptr_t)address, sizeof *address, (uint64_t)__atomic_load_n(address, ORDER), order, FRAME}

#define FETCH(bits, type, name) \
  WEAK_OF(type) __tsan_atomic##bits##_fetch_##name(volatile type *address, type value, int order) { \
    before_atomic(address, FRAME); \
    bool isWeak = is_weak(address); \
    if (!isWeak) { before_store(address, order); after_load(address, order); } \
    ch_atomic here = HERE(order); \
    type from = __atomic_fetch_##name(address, value, ORDER); \
    if (isWeak) ch_weak_store(here, (uint64_t)__atomic_load_n(address, ORDER), true); \
    return from; \
  }

#define COMPARE(bits, type, name) \
  WEAK_OF(int) __tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected, type value, \
                                                             int order, int order_of_failure) { \
    type from = *expected; \
    before_exchange(address, (uint64_t)from, (uint64_t)value, sizeof(type), FRAME); \
    bool isMutex = is_mutex((uint64_t)from, (uint64_t)value, sizeof(type)), isWeak = !isMutex && is_weak(address); \
    uint64_t found; \
    if (isWeak && ch_weak_fails(HERE(order_of_failure), (uint64_t)from, &found)) { \
      *expected = (type)found; \
      return false; \
    } \
    ch_atomic here = HERE(order); \
    bool isDone = __atomic_compare_exchange_n(address, expected, value, false, ORDER, ORDER); \
    if (isWeak) ch_weak_store(here, (uint64_t)value, true); \
    else if (isDone) before_store(address, order); \
    if (!isWeak) after_load(address, isDone ? order : order_of_failure); \
    if (isDone) after_exchange(address, (uint64_t)from, (uint64_t)value, sizeof(type), FRAME); \
    else after_failure((uint64_t)from, (uint64_t)value, sizeof(type)); \
    return isDone; \
  }

#define ATOMIC(bits, type) \
  WEAK_OF(type) __tsan_atomic##bits##_load(const volatile type *address, int order) { \
    before_load(address, FRAME); \
    if (is_weak(address)) return (type)ch_weak_load(HERE(order)); \
    after_load(address, order); \
    return __atomic_load_n(address, ORDER); \
  } \
  WEAK __tsan_atomic##bits##_store(volatile type *address, type value, int order) { \
    before_atomic(address, FRAME); \
    if (is_weak(address)) ch_weak_store(HERE(order), (uint64_t)value, false); \
    else before_store(address, order); \
    __atomic_store_n(address, value, ORDER); \
  } \
  WEAK_OF(type) __tsan_atomic##bits##_exchange(volatile type *address, type value, int order) { \
    before_atomic(address, FRAME); \
    ch_atomic here = HERE(order); \
    bool isWeak = !is_mutex(here.newest, (uint64_t)value, sizeof(type)) && is_weak(address); \
    if (isWeak) ch_weak_store(here, (uint64_t)value, true); \
    else { before_store(address, order); after_load(address, order); } \
    type from = __atomic_exchange_n(address, value, ORDER); \
    after_exchange(address, (uint64_t)from, (uint64_t)value, sizeof(type), FRAME); \
    return from; \
  } \
  FETCH(bits, type, add) \
  FETCH(bits, type, sub) \
  FETCH(bits, type, and) \
  FETCH(bits, type, or) \
  FETCH(bits, type, xor) \
  FETCH(bits, type, nand) \
  COMPARE(bits, type, strong) \
  COMPARE(bits, type, weak) \
  WEAK_OF(type) __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected, \
                                                           type value, int order, int failure) { \
    __tsan_atomic##bits##_compare_exchange_strong(address, &expected, value, order, failure); \
    return expected; \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
WEAK __tsan_atomic_thread_fence(int order) {
  ch_sees_fence();
  if (ch_has_weak_memory()) ch_weak_fence(order);
  __atomic_thread_fence(ORDER);
}
WEAK __tsan_atomic_signal_fence(int order) {}
#endif
