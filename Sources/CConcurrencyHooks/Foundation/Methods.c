// Calls of objects of Foundation's that call nothing that a hook could see: `isCancelled` and `cancel()` of a `Thread` and of a
// `Progress`, and what a `NotificationCenter` does.
//
// The program and Foundation call these methods by way of the object's class, so this file changes the table of the class. A
// subclass in the program has a table of its own, which the linker fills with the functions here.
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <string.h>

#define SELF __attribute__((swift_context))

// Replaces a method in the table of its class.
static void replace_method(void *class, const void *method, void *replacement) {
  if (!class || !method) return;
  struct { uint32_t size, address_point; } class_size;
  enum { place_of_size = 32 };
  memcpy(&class_size, (char *)class + place_of_size, sizeof class_size);
  void **first = class, **end = (void **)((char *)class - class_size.address_point + class_size.size);
  for (void **slot = first; slot < end; slot++)
    if (*slot == method) ch_redirect((uintptr_t)slot, replacement);
}

// MARK: isCancelled and cancel()
//
// The answer is in plain memory.

#define CANCELABLE(name, class)                                                           \
  typedef SWIFTCC bool name##_question(SELF void *);                                      \
  static name##_question *original_##name##_question;                                     \
  SWIFTCC bool ch_##name##_is_cancelled(SELF void *) __asm__(class "11isCancelledSbvg");  \
  SWIFTCC bool ch_##name##_is_cancelled(SELF void *self) {                                \
    if (ch_is_of_image(__builtin_return_address(0))) ch_asks_about((uintptr_t)self, CH_FRAME); \
    return original_##name##_question(self);                                              \
  }                                                                                       \
  typedef SWIFTCC void name##_cancel(SELF void *);                                        \
  static name##_cancel *original_##name##_cancel;                                         \
  SWIFTCC void ch_##name##_cancels(SELF void *) __asm__(class "6cancelyyF");              \
  SWIFTCC void ch_##name##_cancels(SELF void *self) {                                     \
    ch_changes_answer((uintptr_t)self, CH_FRAME);                                                \
    original_##name##_cancel(self);                                                       \
  }                                                                                       \
  static void install_##name(void) {                                                      \
    void *found = dlsym(RTLD_DEFAULT, class "N");                                         \
    original_##name##_question = (name##_question *)dlsym(RTLD_NEXT, class "11isCancelledSbvg"); \
    original_##name##_cancel = (name##_cancel *)dlsym(RTLD_NEXT, class "6cancelyyF");     \
    replace_method(found, (void *)original_##name##_question, (void *)ch_##name##_is_cancelled); \
    replace_method(found, (void *)original_##name##_cancel, (void *)ch_##name##_cancels); \
  }
CANCELABLE(thread, "$s10Foundation6ThreadC")
CANCELABLE(progress, "$s10Foundation8ProgressC")

// MARK: NotificationCenter
//
// All of its methods end in these three, which take a lock. A post looks for observers, and then calls them: others may come in
// between.

#define CENTER "$s20FoundationEssentials18NotificationCenterC"
#define RESULT __attribute__((swift_indirect_result))

// Passes on all registers that may hold an argument.
#define OF_CENTER(name, symbol, sees)                                                                                   \
  typedef SWIFTCC void name(RESULT void *, void *, void *, void *, void *, void *, void *, SELF void *);                 \
  static name *original_##name;                                                                                         \
  static SWIFTCC void ch_##name(RESULT void *result, void *a, void *b, void *c, void *d, void *e, void *f, SELF void *self) { \
    sees((uintptr_t)self, CH_FRAME);                                                                                    \
    ch_acquires_object((uintptr_t)self);                                                                                \
    ch_releases_object((uintptr_t)self);                                                                                \
    __attribute__((musttail)) return original_##name(result, a, b, c, d, e, f, self);                                   \
  }                                                                                                                     \
  static void install_##name(void *class) {                                                                             \
    original_##name = (name *)dlsym(RTLD_DEFAULT, CENTER symbol);                                                       \
    replace_method(class, (void *)original_##name, (void *)ch_##name);                                                  \
  }

OF_CENTER(post, "5_post_7subject7messageySSSg_ypSgxtlF", ch_asks_about)
OF_CENTER(add, "12_addObserver_6object5usingAC01_cF5TokenVSSSg_ypSgyxYbctlF", ch_changes_answer)
OF_CENTER(remove, "15_removeObserveryyAC01_cF5TokenVF", ch_changes_answer)

__attribute__((constructor)) static void install(void) {
  install_thread();
  install_progress();
  void *center = dlsym(RTLD_DEFAULT, CENTER "N");
  install_post(center);
  install_add(center);
  install_remove(center);
}
#endif
