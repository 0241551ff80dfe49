#include "CThreads.h"

#include <stdlib.h>

struct notes {
  size_t count, room;
  long *all;
};

notes *notes_make(void) {
  notes *made = calloc(1, sizeof *made);
  if (!made) abort();
  return made;
}

void notes_add(notes *to, long note) {
  if (to->count == to->room) {
    to->room = to->room ? to->room * 2 : 16;
    to->all = realloc(to->all, to->room * sizeof *to->all);
    if (!to->all) abort();
  }
  to->all[to->count++] = note;
}

size_t notes_count(const notes *of) { return of->count; }
long notes_at(const notes *of, size_t index) { return of->all[index]; }

void notes_free(notes *gone) {
  free(gone->all);
  free(gone);
}
