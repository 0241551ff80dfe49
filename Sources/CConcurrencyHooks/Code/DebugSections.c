// Finds and decodes the sections in which an executable or library keeps the source lines of its code.
#define _GNU_SOURCE
#include "Lines.h"

#if CH_SUPPORTED
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// MARK: bytes

void ch_skip(ch_bytes *from, uint64_t count) {
  if (count > (uint64_t)(from->end - from->at)) {
    from->fails = true;
    from->at = from->end;
  } else {
    from->at += count;
  }
}

uint64_t ch_number(ch_bytes *from, uint64_t size) {
  const uint8_t *at = from->at;
  uint64_t number = 0;
  ch_skip(from, size);
  if (from->fails) return 0;
  for (uint64_t n = 0; n < size && n < 8; n++) number |= (uint64_t)at[n] << 8 * n;
  return number;
}

uint64_t ch_unsigned(ch_bytes *from) {
  uint64_t number = 0, byte = 0x80;
  for (unsigned shift = 0; byte & 0x80 && !from->fails; shift += 7) {
    byte = ch_number(from, 1);
    if (shift < 64) number |= (byte & 0x7f) << shift;
  }
  return number;
}

int64_t ch_signed(ch_bytes *from) {
  uint64_t number = 0, byte = 0x80;
  unsigned shift = 0;
  for (; byte & 0x80 && !from->fails; shift += 7) {
    byte = ch_number(from, 1);
    if (shift < 64) number |= (byte & 0x7f) << shift;
  }
  if (byte & 0x40 && shift < 64) number |= ~(uint64_t)0 << shift;
  return (int64_t)number;
}

const char *ch_text(ch_bytes *from) {
  const char *text = (const char *)from->at;
  const uint8_t *end = from->at < from->end ? memchr(from->at, 0, (size_t)(from->end - from->at)) : NULL;
  ch_skip(from, end ? (uint64_t)(end - from->at) + 1 : UINT64_MAX);
  return end ? text : "";
}

ch_bytes ch_part(ch_bytes *from, uint64_t length) {
  ch_bytes part = *from;
  ch_skip(from, length);
  part.end = from->at;
  part.fails = from->fails;
  return part;
}

ch_bytes ch_from(ch_bytes all, uint64_t offset) {
  ch_skip(&all, offset);
  return all;
}

// MARK: files

typedef struct {
  uint64_t content, form;
} column;
typedef struct {
  const ch_debug_sections *sections;
  int offset_size;
} context;
enum { path_content = 1, directory_content = 2 };

static void read_value(context in, ch_bytes *table, uint64_t form, const char **text, uint64_t *number) {
  enum { data2 = 5, data4 = 6, data8 = 7, string = 8, block = 9, data1 = 11, strp = 14, udata = 15, data16 = 30,
         line_strp = 31 };
  ch_bytes there;
  switch (form) {
    case data1: *number = ch_number(table, 1); break;
    case data2: *number = ch_number(table, 2); break;
    case data4: *number = ch_number(table, 4); break;
    case data8: *number = ch_number(table, 8); break;
    case udata: *number = ch_unsigned(table); break;
    case data16: ch_skip(table, 16); break;
    case block: ch_skip(table, ch_unsigned(table)); break;
    case string: *text = ch_text(table); break;
    case strp:
    case line_strp:
      there = ch_from(form == strp ? in.sections->texts : in.sections->line_texts,
                      ch_number(table, (uint64_t)in.offset_size));
      *text = ch_text(&there);
      table->fails |= there.fails;
      break;
    default: table->fails = true;
  }
}

// Reads a table of version 5: its columns, then its rows. Stores the contents of the row numbered `wanted`.
static void read_table(context in, ch_bytes *table, uint64_t wanted, const char **path, uint64_t *directory) {
  column columns[8];
  uint64_t count = ch_number(table, 1);
  if (count > sizeof columns / sizeof *columns) table->fails = true;
  for (uint64_t n = 0; n < count && !table->fails; n++) columns[n] = (column){ch_unsigned(table), ch_unsigned(table)};
  uint64_t rows = ch_unsigned(table);
  for (uint64_t n = 0; n < rows && !table->fails; n++)
    for (uint64_t k = 0; k < count; k++) {
      const char *text = "";
      uint64_t number = 0;
      read_value(in, table, columns[k].form, &text, &number);
      if (n == wanted && columns[k].content == path_content) *path = text;
      if (n == wanted && columns[k].content == directory_content) *directory = number;
    }
}

// The tables before version 5 are numbered from 1. Directory 0 is that of the compilation, which is not in them.
static bool find_old_file(ch_bytes tables, uint64_t number, ch_source_file *found) {
  ch_bytes files = tables;
  while (*ch_text(&files)) {}
  uint64_t directory = 0;
  const char *name = "";
  for (uint64_t n = 1; n <= number && !files.fails; n++) {
    if (!*(name = ch_text(&files))) return false;
    directory = ch_unsigned(&files);
    ch_unsigned(&files);
    ch_unsigned(&files);
  }
  const char *path = "";
  for (uint64_t n = 1; n <= directory && !tables.fails; n++) path = ch_text(&tables);
  *found = (ch_source_file){path, name};
  return number && !files.fails && !tables.fails && (*name == '/' || *path);
}

bool ch_find_source_file(const ch_debug_sections *sections, ch_bytes tables, int version, int offset_size, uint64_t number,
                         ch_source_file *found) {
  if (version < 5) return find_old_file(tables, number, found);
  context in = {sections, offset_size};
  ch_bytes files = tables;
  const char *path = "", *name = "";
  uint64_t directory = 0, none;
  read_table(in, &files, UINT64_MAX, &path, &none);
  read_table(in, &files, number, &name, &directory);
  read_table(in, &tables, directory, &path, &none);
  *found = (ch_source_file){path, name};
  return !files.fails && !tables.fails && *name && (*name == '/' || *path);
}

// MARK: sections

// Returns true if some unit is marked as optimized. The abbreviations list the attributes of the units. The units of imported
// C modules have this mark too, but they have no children, because they have no code.
static bool has_optimized_unit(ch_bytes abbreviations) {
  enum { compile_unit = 0x11, is_optimized = 0x3fe1, implicit_const = 0x21 };
  while (abbreviations.at < abbreviations.end && !abbreviations.fails) {
    if (!ch_unsigned(&abbreviations)) continue;
    uint64_t tag = ch_unsigned(&abbreviations), attribute, form;
    bool has_children = ch_number(&abbreviations, 1);
    do {
      attribute = ch_unsigned(&abbreviations);
      form = ch_unsigned(&abbreviations);
      if (form == implicit_const) ch_signed(&abbreviations);
      if (tag == compile_unit && has_children && attribute == is_optimized) return true;
    } while ((attribute || form) && !abbreviations.fails);
  }
  return abbreviations.fails;
}

// Maps a section, but never together with the head of the file: code that looks for the images of a process would take it for
// another image.
static ch_bytes map_section(int file, uint64_t size, const ElfW(Shdr) *section) {
  ch_bytes none = {.fails = true};
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = section->sh_offset & ~(page - 1);
  if (section->sh_type == SHT_NOBITS || section->sh_flags & SHF_COMPRESSED || !section->sh_size || !start ||
      section->sh_offset > size || section->sh_size > size - section->sh_offset)
    return none;
  size_t before = section->sh_offset - start;
  void *content = mmap(NULL, before + section->sh_size, PROT_READ, MAP_PRIVATE, file, (off_t)start);
  if (content == MAP_FAILED) return none;
  const uint8_t *at = (const uint8_t *)content + before;
  return (ch_bytes){at, at + section->sh_size, false};
}

static bool read_at(int file, uint64_t offset, void *to, size_t size) {
  return pread(file, to, size, (off_t)offset) == (ssize_t)size;
}

static bool is_debug_information(const char *name) {
  return !strncmp(name, ".debug_", 7) || !strncmp(name, ".zdebug_", 8) || !strncmp(name, ".gnu_debug", 10);
}

// Returns true if the system has a separate file of debug information for the file that has this note, or if the note cannot
// be read.
static bool is_elsewhere(int file, const ElfW(Shdr) *note) {
  enum { head = 16, longest = 20 };
  uint8_t id[longest];
  char path[96] = "/usr/lib/debug/.build-id/";
  size_t length = note->sh_size > head ? note->sh_size - head : 0;
  if (length < 2 || length > longest || !read_at(file, note->sh_offset + head, id, length)) return true;
  char *end = path + strlen(path);
  for (size_t n = 0; n < length; n++) end += snprintf(end, 4, n == 1 ? "/%02x" : "%02x", id[n]);
  strcpy(end, ".debug");
  return !access(path, F_OK);
}

static bool map_sections(int file, uint64_t size, ch_debug_sections *found) {
  ElfW(Ehdr) head;
  ElfW(Shdr) names, section;
  if (!read_at(file, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) || !head.e_shoff ||
      head.e_shentsize != sizeof section ||
      !read_at(file, head.e_shoff + (uint64_t)head.e_shstrndx * sizeof names, &names, sizeof names))
    return false;
  *found = (ch_debug_sections){.line.fails = true};
  bool is_plain = false, may_have = false;
  for (uint64_t n = 0; n < head.e_shnum; n++) {
    char name[24] = "";
    if (!read_at(file, head.e_shoff + n * sizeof section, &section, sizeof section)) return false;
    // The last name may be shorter than what is read.
    if (pread(file, name, sizeof name - 1, (off_t)(names.sh_offset + section.sh_name)) < 0) return false;
    may_have |= is_debug_information(name) ||
                (!strcmp(name, ".note.gnu.build-id") && is_elsewhere(file, &section));
    if (!strcmp(name, ".debug_line")) found->line = map_section(file, size, &section);
    else if (!strcmp(name, ".debug_line_str")) found->line_texts = map_section(file, size, &section);
    else if (!strcmp(name, ".debug_str")) found->texts = map_section(file, size, &section);
    else if (!strcmp(name, ".debug_abbrev")) {
      ch_bytes abbreviations = map_section(file, size, &section);
      is_plain = !abbreviations.fails && !has_optimized_unit(abbreviations);
    }
  }
  if (!may_have) found->line.fails = false;
  return !may_have || (is_plain && !found->line.fails);
}

bool ch_map_debug_sections(const struct link_map *library, ch_debug_sections *found) {
  int file = open(*library->l_name ? library->l_name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  bool is_mapped = !fstat(file, &status) && map_sections(file, (uint64_t)status.st_size, found);
  close(file);
  return is_mapped;
}
#endif
