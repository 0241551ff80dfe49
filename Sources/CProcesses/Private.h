// What the files of this folder share.
#ifndef CPROCESSES_PRIVATE_H
#define CPROCESSES_PRIVATE_H

#include "CProcesses.h"

#include <signal.h>

// A descriptor that can be read when the process has ended; -1 where the system has none.
int cp_end_of(int pid);
// In a copy of the process `parent`: it dies with that and of its own signals, and writes its errors to `capture`; with
// `quietly` it writes no output.
void cp_become_child(int parent, int capture, bool quietly);
// From here on a signal that ends this process is preceded by a note, in the calling thread's recorder, of the code that
// ran.
void cp_note_deaths(void);
// What the calling thread starts has its memory at the same addresses every time. Answers what was set before.
int cp_addresses_fixed(void);
void cp_addresses_restored(int before);
// Takes out of `set` what was ignored when this process began.
void cp_signals_leave_ignored(sigset_t *set);

#endif
