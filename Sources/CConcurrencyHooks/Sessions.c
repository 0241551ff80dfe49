// Where Foundation makes the configuration of a `URLSession`: a simulated server is put before all that it would ask.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <stdatomic.h>

static void (*_Atomic configures)(void *configuration);
void ch_configures_sessions(void (*function)(void *configuration)) { atomic_store(&configures, function); }

#define CONFIGURATION(function, name)                                                                \
  SWIFTCC void *function(__attribute__((swift_context)) void *type) __asm__(name);                   \
  SWIFTCC void *function(__attribute__((swift_context)) void *type) {                                \
    static void *_Atomic real;                                                                       \
    typedef SWIFTCC void *getter(__attribute__((swift_context)) void *);                             \
    void *made = ((getter *)ch_real(&real, name))(type);                                             \
    void (*configure)(void *) = atomic_load(&configures);                                            \
    if (configure) configure(made);                                                                  \
    return made;                                                                                     \
  }
CONFIGURATION(ch_default_configuration, "$s20FoundationNetworking23URLSessionConfigurationC7defaultACvgZ")
CONFIGURATION(ch_ephemeral_configuration, "$s20FoundationNetworking23URLSessionConfigurationC9ephemeralACvgZ")
#endif
