// Finds the function that holds an address. For the executable, its symbol table also names functions that are local to a file;
// for libraries, only exported functions are found. The toolchain's reader sorts all symbols in each process. Here they are only
// grouped by page, which takes a millisecond.
#define _GNU_SOURCE
#include "Symbols.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The runtime's own, for its backtraces.
extern bool _swift_backtrace_isThunkFunction(const char *mangled);
extern char *_swift_backtrace_demangle(const char *mangled, size_t length, char *buffer, size_t *size);

enum { page_bits = 12 };

// The functions of one page of the executable form a list; 0 ends it.
typedef struct {
  uintptr_t offset, size;
  const char *name;
  uint32_t next;
} function;

typedef struct {
  function *functions;
  uint32_t count, *pages;
  size_t page_count;
  uintptr_t base;
} table;

// The first caller makes the table. It does not use `pthread_once`: a step may be the first caller, and the simulation would
// take that call for one of the program's.
static _Atomic(const table *) shared;
static _Thread_local table *making __attribute__((tls_model("initial-exec")));

static int first_library(struct dl_phdr_info *library, size_t size, void *unused) {
  making->base = library->dlpi_addr;
  for (int n = 0; n < library->dlpi_phnum; n++) {
    if (library->dlpi_phdr[n].p_type != PT_LOAD) continue;
    size_t pages = ((library->dlpi_phdr[n].p_vaddr + library->dlpi_phdr[n].p_memsz) >> page_bits) + 1;
    if (pages > making->page_count) making->page_count = pages;
  }
  return 1;  // the first is the executable
}

static void note(const char *name, const ch_symbol *symbol) {
  table *t = making;
  if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_value || symbol->st_value >> page_bits >= t->page_count) return;
  if ((t->count & (t->count - 1)) == 0) {
    function *larger = realloc(t->functions, 2 * t->count * sizeof *larger);
    if (!larger) return;
    t->functions = larger;
  }
  uint32_t *page = &t->pages[symbol->st_value >> page_bits];
  t->functions[t->count] = (function){symbol->st_value, symbol->st_size, name, *page};
  *page = t->count++;
}

static const table *functions(void) {
  const table *known = atomic_load(&shared);
  if (known) return known;
  table *t = making = calloc(1, sizeof *t);
  if (!t) abort();
  t->count = 1;
  dl_iterate_phdr(first_library, NULL);
  t->pages = calloc(t->page_count, sizeof *t->pages);
  if (!t->pages) abort();
  ch_for_each_symbol(note);
  if (atomic_compare_exchange_strong(&shared, &known, t)) return t;
  free(t->functions);
  free(t->pages);
  free(t);
  return known;
}

void ch_find_functions(void) { functions(); }

// Finds the last function that begins at or before the offset. Of several that begin at one place it is the first symbol.
static const function *last_before(const table *t, uintptr_t offset) {
  const function *found = NULL;
  for (size_t page = offset >> page_bits; page < t->page_count && !found; page--)
    for (uint32_t n = t->pages[page]; n; n = t->functions[n].next)
      if (t->functions[n].offset <= offset && (!found || t->functions[n].offset >= found->offset)) found = &t->functions[n];
  return found;
}

bool ch_find_function(uintptr_t address, ch_code_symbol *found) {
  const table *t = functions();
  uintptr_t offset = address - t->base;
  if (offset >> page_bits < t->page_count) {
    const function *symbol = last_before(t, offset);
    if (!symbol || (symbol->size && offset - symbol->offset >= symbol->size)) return false;
    *found = (ch_code_symbol){symbol->name, "", offset - symbol->offset};
    return true;
  }
  Dl_info info;
  if (!dladdr((const void *)address, &info) || !info.dli_sname) return false;
  const char *file = strrchr(info.dli_fname, '/');
  *found = (ch_code_symbol){info.dli_sname, file ? file + 1 : info.dli_fname, address - (uintptr_t)info.dli_saddr};
  return true;
}

const char *ch_name_of_function(uintptr_t address, bool (*precedes)(const char *, const char *), uintptr_t *offset) {
  const table *t = functions();
  uintptr_t place = address - t->base;
  const function *first = place >> page_bits < t->page_count ? last_before(t, place) : NULL;
  if (!first) return NULL;
  *offset = place - first->offset;
  const char *name = first->name;
  for (uint32_t n = t->pages[first->offset >> page_bits]; n; n = t->functions[n].next)
    if (t->functions[n].offset == first->offset && precedes(t->functions[n].name, name)) name = t->functions[n].name;
  return name;
}

char *ch_readable_name(const char *mangled) { return _swift_backtrace_demangle(mangled, strlen(mangled), NULL, NULL); }

bool ch_is_thunk(const char *mangled) { return _swift_backtrace_isThunkFunction(mangled); }
#endif
