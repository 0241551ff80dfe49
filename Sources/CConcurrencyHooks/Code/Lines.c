// Finds the source line of code in the line tables of its executable or library.
//
// The toolchain's reader scans all debug information for each address, which takes a tenth of a second in a large program.
// Here, a first scan notes which part of the tables is about which code (24 bytes for each contiguous range of code). From
// then on, a line takes time proportional to the size of that part. Follows DWARF 5, section 6.2, and versions from 2 on.
#define _GNU_SOURCE
#include "Lines.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t low, high;
  uint32_t unit, program;  // the offsets of both in the section
} sequence;

typedef struct image {
  const struct link_map *library;
  ch_debug_sections sections;
  sequence *sequences;
  size_t count;
  bool is_known;
  struct image *next;
} image;

typedef struct {
  int version, offset_size;
  uint8_t least_length, line_range, first_special;
  int8_t line_base;
  const uint8_t *lengths;
  ch_bytes tables, program;
} unit;

typedef struct {
  uint64_t address, file;
  int64_t line;
  bool ends;
} row;
static const row first_row = {.file = 1, .line = 1};

// MARK: a unit

static bool read_unit(ch_bytes *section, unit *found) {
  uint64_t length = ch_number(section, 4);
  found->offset_size = length == UINT32_MAX ? 8 : 4;
  if (length == UINT32_MAX) length = ch_number(section, 8);
  ch_bytes all = ch_part(section, length);
  found->version = (int)ch_number(&all, 2);
  if (found->version < 2 || found->version > 5) return false;
  if (found->version >= 5) ch_skip(&all, 2);  // the sizes of an address and of a segment
  uint64_t header = ch_number(&all, found->offset_size);
  ch_bytes program = all;
  ch_skip(&program, header);
  found->program = program;
  found->least_length = (uint8_t)ch_number(&all, 1);
  uint64_t operations = found->version >= 4 ? ch_number(&all, 1) : 1;
  ch_skip(&all, 1);  // `default_is_stmt`: lines begin statements
  found->line_base = (int8_t)ch_number(&all, 1);
  found->line_range = (uint8_t)ch_number(&all, 1);
  found->first_special = (uint8_t)ch_number(&all, 1);
  found->lengths = all.at;
  ch_skip(&all, found->first_special ? found->first_special - 1u : 0);
  found->tables = all;
  return !all.fails && !program.fails && operations == 1 && found->line_range && found->first_special;
}

static bool extended(ch_bytes *program, row *now) {
  enum { end_sequence = 1, set_address = 2 };
  ch_bytes operation = ch_part(program, ch_unsigned(program));
  switch (ch_number(&operation, 1)) {
    case end_sequence: return now->ends = true;
    case set_address: now->address = ch_number(&operation, 8); return false;
    default: return false;
  }
}

// Reads the next row of the table. Returns false at its end.
static bool next_row(const unit *u, ch_bytes *program, row *now) {
  enum { copy = 1, advance_pc, advance_line, set_file, const_add_pc = 8, fixed_advance_pc };
  while (program->at < program->end && !program->fails) {
    uint8_t code = (uint8_t)ch_number(program, 1);
    if (code >= u->first_special) {
      uint8_t step = code - u->first_special;
      now->address += (uint64_t)(step / u->line_range) * u->least_length;
      now->line += u->line_base + step % u->line_range;
      return true;
    }
    switch (code) {
      case 0:
        if (extended(program, now)) return true;
        break;
      case copy: return true;
      case advance_pc: now->address += ch_unsigned(program) * u->least_length; break;
      case advance_line: now->line += ch_signed(program); break;
      case set_file: now->file = ch_unsigned(program); break;
      case const_add_pc: now->address += (uint64_t)((255 - u->first_special) / u->line_range) * u->least_length; break;
      case fixed_advance_pc: now->address += ch_number(program, 2); break;
      default:
        for (int n = 0; n < u->lengths[code - 1]; n++) ch_unsigned(program);
    }
  }
  return false;
}

// MARK: the first scan

static bool add(image *of, sequence one) {
  // Code that the linker has discarded is at 0.
  if (!one.low || one.low >= one.high) return true;
  if ((of->count & (of->count - 1)) == 0) {
    sequence *larger = realloc(of->sequences, (of->count ? 2 * of->count : 1) * sizeof *larger);
    if (!larger) return false;
    of->sequences = larger;
  }
  of->sequences[of->count++] = one;
  return true;
}

static bool note_sequences(image *of, const unit *u, uint32_t place) {
  ch_bytes program = u->program;
  for (;;) {
    sequence one = {.unit = place, .program = (uint32_t)(program.at - of->sections.line.at)};
    row now = first_row;
    if (!next_row(u, &program, &now)) return !program.fails;
    one.low = now.address;
    while (!now.ends && next_row(u, &program, &now)) {}
    one.high = now.address;
    if (!now.ends || !add(of, one)) return false;
  }
}

static int by_address(const void *first, const void *second) {
  const sequence *one = first, *other = second;
  return one->low < other->low ? -1 : one->low > other->low;
}

static bool look_at(image *of) {
  if (!ch_map_debug_sections(of->library, &of->sections)) return false;
  ch_bytes section = of->sections.line;
  if (section.end - section.at > UINT32_MAX) return false;
  while (section.at < section.end) {
    uint32_t place = (uint32_t)(section.at - of->sections.line.at);
    unit u;
    if (!read_unit(&section, &u) || !note_sequences(of, &u, place)) return false;
  }
  qsort(of->sequences, of->count, sizeof *of->sequences, by_address);
  return true;
}

static image *images;

// Two threads may add the same image at the same time. Then the list has it twice, which does no harm.
static const image *image_of(const void *address) {
  const struct link_map *library = ch_image_with(address);
  if (!library) return NULL;
  for (image *each = __atomic_load_n(&images, __ATOMIC_ACQUIRE); each; each = each->next)
    if (each->library == library) return each;
  image *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->library = library;
  made->is_known = look_at(made);
  made->next = __atomic_load_n(&images, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&images, &made->next, made, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
  return made;
}

// MARK: a line

static const sequence *sequence_with(const image *in, uint64_t address) {
  size_t low = 0, high = in->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (in->sequences[middle].low <= address) low = middle + 1;
    else high = middle;
  }
  return low && address < in->sequences[low - 1].high ? &in->sequences[low - 1] : NULL;
}

static bool find_row(const unit *u, ch_bytes program, uint64_t address, row *found) {
  row before = first_row, now = first_row;
  if (!next_row(u, &program, &now)) return false;
  do {
    before = now;
    if (before.ends || !next_row(u, &program, &now)) return false;
  } while (now.address <= address);
  *found = before;
  return before.address <= address;
}

static bool find_line(const image *in, const sequence *code, uint64_t offset, ch_source_line *found) {
  ch_bytes section = ch_from(in->sections.line, code->unit);
  unit u;
  row line;
  ch_source_file file;
  if (!read_unit(&section, &u)) return false;
  u.program.at = in->sections.line.at + code->program;
  if (!find_row(&u, u.program, offset, &line) || line.line < 0 ||
      !ch_find_source_file(&in->sections, u.tables, u.version, u.offset_size, line.file, &file))
    return false;
  // Some code that the compiler generates has line 0. In a real source file, it may be part of a call that has a line.
  if (!line.line && strcmp(file.name, "<compiler-generated>") && !strstr(file.name, "@__swiftmacro_")) return false;
  *found = (ch_source_line){file.directory, file.name, line.line};
  return true;
}

int ch_find_line(uintptr_t address, ch_source_line *found) {
  const image *in = image_of((const void *)address);
  if (!in || !in->is_known) return CH_LINE_UNKNOWN;
  uint64_t offset = address - in->library->l_addr;
  const sequence *code = sequence_with(in, offset);
  if (!code) return CH_LINE_NONE;
  return find_line(in, code, offset, found) ? CH_LINE_FOUND : CH_LINE_UNKNOWN;
}
#else
int ch_find_line(uintptr_t address, ch_source_line *found) { return CH_LINE_UNKNOWN; }
#endif
