// Reads the symbols of the executable.
#define _GNU_SOURCE
#include "Symbols.h"

#if CH_SUPPORTED
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void read_symbols(const char *file, size_t size, void (*visit)(const char *, const ch_symbol *)) {
  const ElfW(Ehdr) *header = (const void *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_shoff > size ||
      header->e_shnum > (size - header->e_shoff) / sizeof(ElfW(Shdr)))
    return;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  for (int n = 0; n < header->e_shnum; n++) {
    if (sections[n].sh_type != SHT_SYMTAB || sections[n].sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *strings = &sections[sections[n].sh_link];
    if (sections[n].sh_offset + sections[n].sh_size > size || strings->sh_offset + strings->sh_size > size) return;
    // So each name has an end.
    if (!strings->sh_size || file[strings->sh_offset + strings->sh_size - 1]) return;
    const ch_symbol *symbols = (const void *)(file + sections[n].sh_offset);
    size_t count = sections[n].sh_size / sizeof *symbols;
    for (size_t k = 0; k < count; k++) {
      const char *name = file + strings->sh_offset + symbols[k].st_name;
      if (symbols[k].st_name < strings->sh_size) visit(name, &symbols[k]);
    }
  }
}

// Callers keep the names, so the file stays mapped. If two threads map it at once, one mapping is not used. This does not call
// `pthread_once`, for the reason in `Functions.c`.
void ch_for_each_symbol(void (*visit)(const char *name, const ch_symbol *symbol)) {
  static _Atomic(const char *) content;
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return;
  bool isKnown = !fstat(file, &status);
  if (isKnown && !atomic_load(&content)) {
    void *mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) atomic_store(&content, mapped);
  }
  close(file);
  if (isKnown && atomic_load(&content)) read_symbols(atomic_load(&content), (size_t)status.st_size, visit);
}

// MARK: caches of compiled code

static struct range { uintptr_t low, high; } *caches;
static size_t cache_count;
static uintptr_t executable;

// Returns true if the name is a cache's. The last two letters of a mangled name say what kind of entity it names.
static bool names_cache(const char *name) {
  static const char endings[][3] = {"MD", "Md", "ML", "Ml", "MI", "WL"};
  size_t length = strlen(name);
  if (length < 5 || name[0] != '$' || name[1] != 's') return false;
  for (size_t n = 0; n < sizeof endings / sizeof *endings; n++)
    if (!memcmp(name + length - 2, endings[n], 2)) return true;
  return false;
}

static void note_cache(const char *name, const ch_symbol *symbol) {
  if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || !symbol->st_size || !names_cache(name)) return;
  if ((cache_count & (cache_count - 1)) == 0) {
    struct range *larger = realloc(caches, (cache_count ? 2 * cache_count : 1) * sizeof *caches);
    if (!larger) return;
    caches = larger;
  }
  uintptr_t low = executable + symbol->st_value;
  caches[cache_count++] = (struct range){low, low + symbol->st_size};
}

static int by_place(const void *first, const void *second) {
  const struct range *one = first, *other = second;
  return one->low < other->low ? -1 : one->low > other->low;
}

void ch_find_caches(void) {
  if (caches) return;
  executable = ch_image_base("");
  ch_for_each_symbol(note_cache);
  qsort(caches, cache_count, sizeof *caches, by_place);
}

bool ch_is_cache(uintptr_t address) {
  size_t low = 0, high = cache_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (caches[middle].high <= address) low = middle + 1;
    else high = middle;
  }
  return low < cache_count && caches[low].low <= address;
}
#endif
