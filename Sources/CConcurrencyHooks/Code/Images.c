// Finds the offset of code within its executable or library, which is the same in every process, wherever the file was
// loaded.
#define _GNU_SOURCE
#include "CConcurrencyHooks.h"

#if CH_SUPPORTED
#include <link.h>
#include <string.h>

typedef struct { uintptr_t low, high, base, wanted; } range;

static int holds(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  range *r = found;
  for (int n = 0; n < info->dlpi_phnum; n++) {
    if (info->dlpi_phdr[n].p_type != PT_LOAD) continue;
    uintptr_t low = info->dlpi_addr + info->dlpi_phdr[n].p_vaddr;
    if (r->wanted - low >= info->dlpi_phdr[n].p_memsz) continue;
    *r = (range){low, low + info->dlpi_phdr[n].p_memsz, info->dlpi_addr, r->wanted};
    return 1;
  }
  return 0;
}

static range program;

__attribute__((constructor)) static void find_program(void) {
  program.wanted = (uintptr_t)find_program;
  dl_iterate_phdr(holds, &program);
}

bool ch_is_of_image(const void *code) { return (uintptr_t)code - program.low < program.high - program.low; }

static int is_code(struct dl_phdr_info *info, size_t size, void *address) {
  (void)size;
  for (int n = 0; n < info->dlpi_phnum; n++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[n];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    if (*(uintptr_t *)address - (info->dlpi_addr + part->p_vaddr) < part->p_memsz) return 1;
  }
  return 0;
}

bool ch_is_code(uintptr_t address) { return dl_iterate_phdr(is_code, &address) != 0; }

typedef struct { const char *name; uintptr_t address, base; } named;

static int is_in(struct dl_phdr_info *info, size_t size, void *found) {
  named *n = found;
  range r = {.wanted = n->address};
  if (!holds(info, size, &r)) return 0;
  n->name = info->dlpi_name;
  return 1;
}

static int is_called(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  named *n = found;
  if (strcmp(info->dlpi_name, n->name) != 0) return 0;
  n->base = info->dlpi_addr;
  return 1;
}

const char *ch_image_name(uintptr_t address) {
  named found = {.address = address};
  return dl_iterate_phdr(is_in, &found) ? found.name : NULL;
}

uintptr_t ch_image_base(const char *name) {
  named found = {.name = name};
  return dl_iterate_phdr(is_called, &found) ? found.base : 0;
}

// The last few ranges that were looked up: steps go on in very few libraries.
static _Thread_local range known[4] __attribute__((tls_model("initial-exec")));
static _Thread_local unsigned next __attribute__((tls_model("initial-exec")));

uintptr_t ch_image_offset(uintptr_t address) {
  for (int n = 0; n < 4; n++)
    if (address - known[n].low < known[n].high - known[n].low) return address - known[n].base;
  if (!address) return 0;
  range found = {.wanted = address};
  if (!dl_iterate_phdr(holds, &found)) return address;
  known[next++ & 3] = found;
  return address - found.base;
}

extern char *swift_demangle(const char *mangled, size_t length, char *buffer, size_t *size, uint32_t flags);

char *ch_demangle(const char *mangled) { return swift_demangle(mangled, strlen(mangled), NULL, NULL, 0); }
#endif
