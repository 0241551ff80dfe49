// Where Foundation makes the configuration of a `URLSession`: a simulated server is put before all that it would ask.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED

// Of `SimulatorHTTP`, where the program has it.
__attribute__((weak)) extern void simulator_http_configures(void *configuration);

__attribute__((weak)) extern bool simulator_http_serves(void);

// A session with no server to ask would go to the network. Of a function with this frame.
static void needs_server(void *const *frame) {
  ch_simulation *s = ch_in_program();
  if (s && !(simulator_http_serves && simulator_http_serves()) && ch_leaves(s, "URLSession", frame)) ch_leave_step(s);
}

#define SHARED "$s20FoundationNetworking10URLSessionC6sharedACvgZ"
typedef SWIFTCC void *shared_function(__attribute__((swift_context)) void *);
SWIFTCC void *ch_shared_session(__attribute__((swift_context)) void *type) __asm__(SHARED);
SWIFTCC void *ch_shared_session(__attribute__((swift_context)) void *type) {
  static void *_Atomic real;
  needs_server(CH_FRAME);
  return ((shared_function *)ch_real(&real, SHARED))(type);
}

#define SESSION "$s20FoundationNetworking10URLSessionC13configurationAcA0C13ConfigurationC_tcfC"
typedef SWIFTCC void *session_function(void *, __attribute__((swift_context)) void *);
SWIFTCC void *ch_made_session(void *configuration, __attribute__((swift_context)) void *type) __asm__(SESSION);
SWIFTCC void *ch_made_session(void *configuration, __attribute__((swift_context)) void *type) {
  static void *_Atomic real;
  needs_server(CH_FRAME);
  return ((session_function *)ch_real(&real, SESSION))(configuration, type);
}

// The delegate is two words: the object, and how it conforms.
#define SESSION_WITH_DELEGATE                                                                   \
  "$s20FoundationNetworking10URLSessionC13configuration8delegate0E5QueueAcA0C13ConfigurationC_" \
  "AA0C8Delegate_pSg0A009OperationF0CSgtcfC"
typedef SWIFTCC void *delegate_function(void *, void *, void *, void *, __attribute__((swift_context)) void *);
SWIFTCC void *ch_made_session_with_delegate(void *configuration, void *delegate, void *conformance, void *queue,
                                            __attribute__((swift_context)) void *type) __asm__(SESSION_WITH_DELEGATE);
SWIFTCC void *ch_made_session_with_delegate(void *configuration, void *delegate, void *conformance, void *queue,
                                            __attribute__((swift_context)) void *type) {
  static void *_Atomic real;
  needs_server(CH_FRAME);
  return ((delegate_function *)ch_real(&real, SESSION_WITH_DELEGATE))(configuration, delegate, conformance, queue, type);
}

#define CONFIGURATION(function, name)                                                                \
  SWIFTCC void *function(__attribute__((swift_context)) void *type) __asm__(name);                   \
  SWIFTCC void *function(__attribute__((swift_context)) void *type) {                                \
    static void *_Atomic real;                                                                       \
    typedef SWIFTCC void *getter(__attribute__((swift_context)) void *);                             \
    void *made = ((getter *)ch_real(&real, name))(type);                                             \
    if (simulator_http_configures) simulator_http_configures(made);                                  \
    return made;                                                                                     \
  }
CONFIGURATION(ch_default_configuration, "$s20FoundationNetworking23URLSessionConfigurationC7defaultACvgZ")
CONFIGURATION(ch_ephemeral_configuration, "$s20FoundationNetworking23URLSessionConfigurationC9ephemeralACvgZ")
#endif
