// Declarations that the files of this folder share.
#ifndef CPROCESSES_PRIVATE_H
#define CPROCESSES_PRIVATE_H

#include "CProcesses.h"

#include <signal.h>
#include <sys/types.h>

// Reads a small system file into `text`, as much as fits, and ends it with 0. Returns the length; -1 if there is no
// such file.
ssize_t cp_read_text(const char *path, char *text, size_t size);
// Returns the state of a process or a thread from its `stat` file in /proc: `R`, `S` and so on; 0 if it is unknown.
char cp_state_in(const char *path);
// Returns a descriptor that becomes readable when the process has ended; -1 if the system has none.
int cp_end_of(int pid);
// In a child of a copy: gives up what the copy has prepared to hide its output.
void cp_forget_silence(void);
// Empties a capture and returns it; -1 if that fails.
int cp_emptied(int capture);
// In a copy of the process `parent`: makes it die with that process and of its own signals, and write its errors to
// `capture`; with `quietly` it writes no output.
void cp_become_child(int parent, int capture, bool quietly);
// In a copy of this process: keeps what the program has set for signals. Any other signal ends the copy.
void cp_keep_handlers_of_program(void);
// Marks this process as one whose end another process waits for.
void cp_become_watched(void);
// Makes the child note in the recorder, if it can, what its running thread is doing, or its first thread if none runs.
void cp_ask_for_place(int pid, cp_recorder *recorder);
// Returns true if this is one of the handlers that this library installs.
bool cp_is_own_handler(const void *handler);
// Sends a signal to the calling thread with the C library's `raise`: in a simulated program that name is another function.
void cp_raise(int number);
uint32_t cp_read_callers(const cp_callers *callers, uintptr_t *addresses);
// Called before a child is started. From here on the system keeps how each of our children ends, even if the program
// has asked it not to.
void cp_child_begins(void);
// Called when a child's end has been waited for, or when it was not started after all.
void cp_child_is_gone(void);
// In a child: forgets the children of its parent.
void cp_forget_children(void);
// From here on, a signal that ends this process first notes, in the calling thread's recorder, the code that ran.
void cp_note_deaths(void);
// Makes memory have the same addresses every time in what the calling thread starts. Returns the previous setting.
int cp_addresses_fixed(void);
void cp_addresses_restored(int before);
// Removes from `set` the signals that were ignored when this process began.
void cp_signals_leave_ignored(sigset_t *set);
// Makes the two ends of a worker's connection and of its output. Returns an error code, or 0.
int cp_worker_ends(int sockets[2], int pipes[2]);
// Returns a worker with these ends, and closes those of the other side.
cp_worker cp_new_worker(int pid, const int sockets[2], const int pipes[2]);
// Returns no worker, and closes all of the ends.
cp_worker cp_no_worker(const int sockets[2], const int pipes[2], int error);
// In a worker: replaces its connection with another one.
bool cp_worker_connect(int socket);

#endif
