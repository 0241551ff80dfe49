// What the files of this folder share.
#ifndef CPROCESSES_PRIVATE_H
#define CPROCESSES_PRIVATE_H

#include "CProcesses.h"

#include <signal.h>
#include <sys/types.h>

// Reads a small file of the system into `text`, as much as fits, and ends it with 0. The length; -1 where there is no
// such file.
ssize_t cp_read_text(const char *path, char *text, size_t size);
// What the system says in a `stat` file of /proc that a process or a thread is doing: `R`, `S` and so on; 0 when that
// cannot be told.
char cp_state_in(const char *path);
// A descriptor that can be read when the process has ended; -1 where the system has none.
int cp_end_of(int pid);
// A capture, without what was written there before; -1 where that cannot be had.
int cp_emptied(int capture);
// In a copy of the process `parent`: it dies with that and of its own signals, and writes its errors to `capture`; with
// `quietly` it writes no output.
void cp_become_child(int parent, int capture, bool quietly);
// In a copy of this process: signals do what the program has said; what it has said nothing about ends the copy.
void cp_keep_handlers_of_program(void);
// In a process whose end another one waits for.
void cp_become_watched(void);
// The child notes in the recorder what the thread does that is at work in it, or else its first, if it can.
void cp_ask_for_place(int pid, cp_recorder *recorder);
// Whether this is a handler of the functions below.
bool cp_is_own_handler(const void *handler);
// Sends a signal to the calling thread, as the C library does: to a simulated program `raise` is another function.
void cp_raise(int number);
uint32_t cp_read_callers(const cp_callers *callers, uintptr_t *addresses);
// Before a child is started: from here on the system keeps for us how each of our children ends, whatever the program has
// said about that.
void cp_child_begins(void);
// Its end has been waited for, or there is none after all.
void cp_child_is_gone(void);
// In a child: its own children are none of ours.
void cp_forget_children(void);
// From here on a signal that ends this process is preceded by a note, in the calling thread's recorder, of the code that
// ran.
void cp_note_deaths(void);
// What the calling thread starts has its memory at the same addresses every time. Answers what was set before.
int cp_addresses_fixed(void);
void cp_addresses_restored(int before);
// Takes out of `set` what was ignored when this process began.
void cp_signals_leave_ignored(sigset_t *set);
// The two ends of a worker's connection, and of where its output goes; what went wrong, or 0.
int cp_worker_ends(int sockets[2], int pipes[2]);
// A worker whose ends these are; the other side's are closed here.
cp_worker cp_new_worker(int pid, const int sockets[2], const int pipes[2]);
// None: all of them are closed.
cp_worker cp_no_worker(const int sockets[2], const int pipes[2], int error);
// In a worker: another connection stands where its own was.
bool cp_worker_connect(int socket);

#endif
