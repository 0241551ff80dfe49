// Fresh processes of tests: see `FreshServer.c`.
#ifndef CFRESHPROCESSES_H
#define CFRESHPROCESSES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int pid;     // -1 when there is none
  int socket;  // the connection to it
} cp_fresh;

// Returns true if this is a test process whose copy from before `main` makes fresh processes.
bool cp_fresh_is_served(void);
// Starts a process that continues from before `main` with these arguments, each ended by 0.
cp_fresh cp_fresh_begin(const char *_Nonnull arguments, size_t size);
// Ends the process and what it has started.
void cp_fresh_end(cp_fresh process);
// In a fresh process: returns the connection to the process that wants it; -1 elsewhere.
int cp_fresh_here(void);

#endif
