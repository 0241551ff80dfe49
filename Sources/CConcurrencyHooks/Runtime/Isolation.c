// The runtime's questions about isolation: which executor is the main actor's, and is code isolated?
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
typedef SWIFTCC ch_executor main_original(void);
typedef SWIFTCC bool is_main_original(uintptr_t identity, uintptr_t implementation);
typedef SWIFTCC void check_original(uintptr_t identity, uintptr_t implementation);
typedef SWIFTCC int8_t isolating_original(uintptr_t identity, uintptr_t implementation);

SWIFTCC static ch_executor get_main_executor(main_original *original) {
  ch_simulation *s = ch_current;
  return s ? s->main : original();
}

SWIFTCC static bool is_main_executor(uintptr_t identity, uintptr_t implementation, is_main_original *original) {
  ch_simulation *s = ch_current;
  return s ? identity == s->main.identity : original(identity, implementation);
}

// Returns true if code is isolated to this executor. A block on the main queue counts as the main actor's code.
static bool is_isolated(const ch_simulation *s, uintptr_t identity) {
  return s->execution.between_steps || ch_runs_on(identity) || (identity == s->main.identity && ch_is_on_main_queue());
}

SWIFTCC static void check_isolated(uintptr_t identity, uintptr_t implementation, check_original *original) {
  ch_simulation *s = ch_current;
  if (s && is_isolated(s, identity)) return;
  original(identity, implementation);
}

SWIFTCC static int8_t is_isolating(uintptr_t identity, uintptr_t implementation, isolating_original *original) {
  ch_simulation *s = ch_current;
  if (s && (is_isolated(s, identity) || !ch_is_users(s, identity, implementation))) return is_isolated(s, identity);
  return original(identity, implementation);
}

void ch_install_isolation(void) {
  ch_set_hook("swift_task_getMainExecutor_hook", get_main_executor);
  ch_set_hook("swift_task_isMainExecutor_hook", is_main_executor);
  ch_set_hook("swift_task_checkIsolated_hook", check_isolated);
  ch_set_hook("swift_task_isIsolatingCurrentContext_hook", is_isolating);
}
#endif
