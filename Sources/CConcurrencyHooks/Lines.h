// The sections of an executable or library that say which line its code is from.
#ifndef CH_LINES_H
#define CH_LINES_H

#include "CCode.h"
#include "Hooks.h"

#if CH_SUPPORTED
#include <link.h>

// Bytes that are read from the front. Once there are too few, all further reads fail, and answer zero.
typedef struct {
  const uint8_t *at, *end;
  bool fails;
} ch_bytes;

uint64_t ch_number(ch_bytes *from, uint64_t size);  // of at most eight bytes, the least first
uint64_t ch_unsigned(ch_bytes *from);               // LEB128
int64_t ch_signed(ch_bytes *from);
const char *ch_text(ch_bytes *from);  // up to its zero; "" where it has none
void ch_skip(ch_bytes *from, uint64_t count);
ch_bytes ch_part(ch_bytes *from, uint64_t length);  // what is next, which is skipped
ch_bytes ch_from(ch_bytes all, uint64_t offset);

typedef struct {
  ch_bytes line, line_texts, texts;
} ch_debug_sections;

// Empty where the file has no debug information at all. False where it has some without these sections, where they are
// compressed, or where some Swift code is optimized: calls may be inlined there, and the tables alone do not tell. They stay in
// memory.
bool ch_map_debug_sections(const struct link_map *library, ch_debug_sections *found);

// The file of that number in the tables behind the head of a unit. False where a form in them is not known.
typedef struct {
  const char *directory, *name;
} ch_source_file;
bool ch_find_source_file(const ch_debug_sections *sections, ch_bytes tables, int version, int offset_size, uint64_t number,
                         ch_source_file *found);
#endif
#endif
