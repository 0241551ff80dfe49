// The sections of an executable or library that map its code to source lines.
#ifndef CH_LINES_H
#define CH_LINES_H

#include "CCode.h"
#include "Hooks.h"

#if CH_SUPPORTED
#include <link.h>

// Bytes to read from the front. Once too few are left, all further reads fail and return zero.
typedef struct {
  const uint8_t *at, *end;
  bool fails;
} ch_bytes;

uint64_t ch_number(ch_bytes *from, uint64_t size);  // of at most eight bytes, little-endian
uint64_t ch_unsigned(ch_bytes *from);               // LEB128
int64_t ch_signed(ch_bytes *from);
const char *ch_text(ch_bytes *from);  // up to its zero; "" if there is none
void ch_skip(ch_bytes *from, uint64_t count);
ch_bytes ch_part(ch_bytes *from, uint64_t length);  // the next bytes, which are skipped
ch_bytes ch_from(ch_bytes all, uint64_t offset);

typedef struct {
  ch_bytes line, line_texts, texts;
} ch_debug_sections;

// Maps the sections, which stay in memory; they are empty if the file has no debug information at all. Returns false if it has
// some without these sections, if they are compressed, or if some Swift code is optimized: calls may be inlined there, and the
// tables alone do not show that.
bool ch_map_debug_sections(const struct link_map *library, ch_debug_sections *found);

// Finds the file with this number in the tables after the header of a unit. Returns false if they use an unknown form.
typedef struct {
  const char *directory, *name;
} ch_source_file;
bool ch_find_source_file(const ch_debug_sections *sections, ch_bytes tables, int version, int offset_size, uint64_t number,
                         ch_source_file *found);
#endif
#endif
