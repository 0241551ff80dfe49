// Notes that a process shares with its copies. Each of them can add notes; no note is changed or removed.
//
// A process that adds a note first reserves its place, so that no two processes write the same bytes, and finally marks it as
// whole. If the process ends in between, it leaves either a place without a size, behind which no note is found, or a note
// that never becomes whole. So an existing note may not be found, and its reader must be able to do without it.
#define _GNU_SOURCE
#include "CProcesses.h"

#include <string.h>
#include <sys/mman.h>

enum { room = 4 << 20 };

struct cp_notes {
  uint64_t end;
  unsigned char bytes[room - sizeof(uint64_t)];
};

typedef struct {
  uint32_t size;
  uint32_t is_whole;
  uint64_t key;
} head;

static uint64_t taken(uint64_t size) { return (sizeof(head) + size + 7) & ~(uint64_t)7; }

cp_notes *cp_notes_create(void) {
  void *memory = mmap(NULL, sizeof(cp_notes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

bool cp_notes_add(cp_notes *notes, uint64_t key, const void *bytes, size_t size) {
  if (size == 0 || size > sizeof notes->bytes / 4) return false;
  uint64_t at = __atomic_fetch_add(&notes->end, taken(size), __ATOMIC_RELAXED);
  if (at > sizeof notes->bytes - taken(size)) return false;
  head *note = (head *)(notes->bytes + at);
  __atomic_store_n(&note->size, (uint32_t)size, __ATOMIC_RELAXED);
  note->key = key;
  memcpy(note + 1, bytes, size);
  __atomic_store_n(&note->is_whole, 1, __ATOMIC_RELEASE);
  return true;
}

const void *cp_notes_find(const cp_notes *notes, uint64_t key, size_t *size) {
  for (uint64_t at = 0; at + sizeof(head) <= sizeof notes->bytes;) {
    const head *note = (const head *)(notes->bytes + at);
    uint64_t length = __atomic_load_n(&note->size, __ATOMIC_RELAXED);
    if (length == 0 || length > sizeof notes->bytes - at - sizeof(head)) return NULL;
    if (__atomic_load_n(&note->is_whole, __ATOMIC_ACQUIRE) && note->key == key) {
      *size = length;
      return note + 1;
    }
    at += taken(length);
  }
  return NULL;
}
