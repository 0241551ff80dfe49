// What the types of tasks' results say about the values. The layouts are those of the runtime's metadata.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <string.h>

// A class has another kind, or none: its first word is an address.
enum {
  class_kind = 0, structure_kind = 0x200, enumeration_kind = 0x201, tuple_kind = 0x301, function_kind = 0x302,
  existential_kind = 0x303, last_kind = 0x7ff
};
// In words, of a class; in bytes, of a table of value witnesses.
enum { descriptor_of_enumeration = 1, descriptor_of_class = 5, flags_of_witnesses = 80, is_not_plain = 0x10000 };

bool ch_is_plain(const void *type) {
  const char *witnesses = ((const char *const *)type)[-1];
  uint32_t flags;
  memcpy(&flags, witnesses + flags_of_witnesses, sizeof flags);
  return !(flags & is_not_plain);
}

static uintptr_t kind_of(const void *type) { return *(const uintptr_t *)type; }

bool ch_has_fields(const void *type) { return kind_of(type) == structure_kind || kind_of(type) == tuple_kind; }

static bool begins(const char *name, const char *with) { return !strncmp(name, with, strlen(with)); }

// Returns true if the descriptor of a type is not in one of Swift's or Foundation's libraries.
static bool is_of_program(uintptr_t descriptor) {
  const char *library = ch_library_of((const void *)descriptor);
  return !begins(library, "libswift") && !begins(library, "libFoundation") && !begins(library, "lib_Foundation");
}

bool ch_hides_parts(const void *type) {
  uintptr_t kind = kind_of(type);
  if (kind == enumeration_kind) return is_of_program(((const uintptr_t *)type)[descriptor_of_enumeration]);
  return kind == function_kind || kind == existential_kind;
}

bool ch_is_class_of_program(const void *type) {
  bool is_class = kind_of(type) == class_kind || kind_of(type) > last_kind;
  return is_class && is_of_program(((const uintptr_t *)type)[descriptor_of_class]);
}
#endif
