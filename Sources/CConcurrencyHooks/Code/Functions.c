// Finds the function that holds an address, by the symbols of the executable, which name functions that are local to a file too,
// and by those that libraries export. The toolchain's reader sorts all symbols in each process that asks; here they are only
// divided by page.
#define _GNU_SOURCE
#include "Symbols.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <pthread.h>
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

static function *functions;
static uint32_t count = 1, *pages;
static size_t page_count;
static uintptr_t base;

static int first_library(struct dl_phdr_info *library, size_t size, void *unused) {
  base = library->dlpi_addr;
  for (int n = 0; n < library->dlpi_phnum; n++) {
    size_t end = library->dlpi_phdr[n].p_vaddr + library->dlpi_phdr[n].p_memsz;
    if (library->dlpi_phdr[n].p_type == PT_LOAD && end >> page_bits >= page_count) page_count = (end >> page_bits) + 1;
  }
  return 1;  // the first is the executable
}

static void note(const char *name, const ch_symbol *symbol) {
  if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_value >> page_bits >= page_count || !symbol->st_value) return;
  if ((count & (count - 1)) == 0) {
    function *larger = realloc(functions, 2 * count * sizeof *larger);
    if (!larger) return;
    functions = larger;
  }
  uint32_t *page = &pages[symbol->st_value >> page_bits];
  functions[count] = (function){symbol->st_value, symbol->st_size, name, *page};
  *page = count++;
}

static void find_all(void) {
  dl_iterate_phdr(first_library, NULL);
  pages = calloc(page_count, sizeof *pages);
  if (pages) ch_for_each_symbol(note);
}

void ch_find_functions(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_all);
}

// Finds the last function that begins at or before the offset. Of several that begin at one place it is the first symbol.
static const function *last_before(uintptr_t offset) {
  const function *found = NULL;
  for (size_t page = offset >> page_bits; pages && page < page_count && !found; page--)
    for (uint32_t n = pages[page]; n; n = functions[n].next)
      if (functions[n].offset <= offset && (!found || functions[n].offset >= found->offset)) found = &functions[n];
  return found;
}

bool ch_find_function(uintptr_t address, ch_code_symbol *found) {
  ch_find_functions();
  if ((address - base) >> page_bits < page_count) {
    const function *symbol = last_before(address - base);
    if (!symbol || (symbol->size && address - base - symbol->offset >= symbol->size)) return false;
    *found = (ch_code_symbol){symbol->name, "", address - base - symbol->offset};
    return true;
  }
  Dl_info info;
  if (!dladdr((const void *)address, &info) || !info.dli_sname) return false;
  const char *file = strrchr(info.dli_fname, '/');
  *found = (ch_code_symbol){info.dli_sname, file ? file + 1 : info.dli_fname, address - (uintptr_t)info.dli_saddr};
  return true;
}

char *ch_readable_name(const char *mangled) { return _swift_backtrace_demangle(mangled, strlen(mangled), NULL, NULL); }

bool ch_is_thunk(const char *mangled) { return _swift_backtrace_isThunkFunction(mangled); }
#endif
