// Processes: a record of what a process is doing that outlives it, children that run ahead of it, workers, signals.
//
// Nothing here knows Swift or the simulator.
#ifndef CPROCESSES_H
#define CPROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: how this process was started

// Returns the arguments, ended by null, the program's name first; null if the C library does not pass them.
char *_Nullable const *_Nullable cp_arguments(void);
// Returns the path of the executable, to open it or to start it again; works without `/proc`, too.
const char *_Nonnull cp_executable(void);

#include "CRecorder.h"

// MARK: notes

// The findings of a process and of its later copies, each under a key. Without memory `create` returns null, without
// room `add` returns false. `find` returns null if there is no such note, or if it is just being written.
typedef struct cp_notes cp_notes;
cp_notes *_Nullable cp_notes_create(void);
bool cp_notes_add(cp_notes *_Nonnull notes, uint64_t key, const void *_Nonnull bytes, size_t size);
const void *_Nullable cp_notes_find(const cp_notes *_Nonnull notes, uint64_t key, size_t *_Nonnull size);

// MARK: children that run ahead

typedef struct {
  int pid;    // 0 in the child, -1 when there is none
  int ended;  // readable when the child has ended; -1 if the system has no such descriptor
} cp_child;

#define CP_ENDED 0
#define CP_STALLED 1
#define CP_TOO_LARGE 2
#define CP_LATE 3

typedef struct {
  int reason;
  int signal;  // 0 when it left by `exit`
  int status;
  uint64_t peak;  // the most bytes of memory that it used, as far as the system reports
  bool is_lost;   // another wait in this process has taken how it ended
} cp_end;
// Returns the same end. If how it came is lost, fills that in from what the recorder shows.
cp_end cp_found_end(cp_end end, const cp_recorder *_Nonnull recorder);

int cp_self(void);
// Returns the number of threads of this process; 0 if it is unknown.
int cp_threads(void);
// Returns a descriptor for a child's standard error; -1 if there is none to be had.
int cp_capture_open(void);
// Reads the last bytes that were written there, at most `size`. Returns their number.
size_t cp_capture_read(int capture, char *_Nonnull buffer, size_t size);
// Copies this process, which must have one thread. The copy dies with us and of its own signals, writes no output, and
// writes its errors to `capture`. If it cannot be made, `errno` says why.
cp_child cp_fork(int capture);
// Waits for the child's end. Kills the child if `recorder` shows no progress for `stall` nanoseconds, if it uses more than `memory` bytes, or if the recorder's deadline is well over. What the child has started
// and left behind ends with it. If this process turns out to be a bad copy, it ends too.
cp_end cp_watch(cp_child child, cp_recorder *_Nonnull recorder, int64_t stall, uint64_t memory);
// Ends this process immediately.
void cp_leave(int status) __attribute__((noreturn));

// MARK: fresh processes

// Memory in which children leave their answers, one child after the other; null if there is none to be had. It has no
// descriptor, so code that closes all descriptors does not affect it.
typedef struct cp_answers cp_answers;
cp_answers *_Nullable cp_answers_create(void);
void cp_answers_destroy(cp_answers *_Nonnull answers);
void cp_answers_clear(cp_answers *_Nonnull answers);
// In the child: adds bytes after those that it has left. Returns false if there is no room for them. If the child ends
// in the middle of this, the earlier bytes remain.
bool cp_answers_leave(cp_answers *_Nonnull answers, bool is_answer, const void *_Nonnull bytes, size_t size);
// Returns what was left last, as the answer or before it; null if there is nothing.
const void *_Nullable cp_answers_find(const cp_answers *_Nonnull answers, bool is_answer, size_t *_Nonnull size);

typedef struct {
  int one;
  int other;
} cp_ends;

// Returns the two ends of a connection; -1 if there is none to be had.
cp_ends cp_connect(void);
void cp_close(int descriptor);
// Kills a child of ours and waits for its end.
void cp_end_child(cp_child child);

// MARK: copies of a process with other threads

// Returns true if no other thread of this process is running.
bool cp_others_are_asleep(void);
// Returns true if the first thread of a process waits for something other than a processor.
bool cp_is_asleep(int pid);
// Returns true if the first thread of a copy waits for a lock that it holds itself, as far as the system reports.
bool cp_waits_for_itself(int pid);
// Returns true if a thread of a copy, or of a copy of that copy, waits for a lock that another thread held when the
// copy was made. Called by the thread that made the copy, here or in the copy.
bool cp_waits_for_stranger(int pid);
// Copies this process; only the calling thread continues in the copy. The copy dies with us and of its own signals, and
// writes its errors to `capture`; with `quietly` it writes no output.
cp_child cp_copy(int capture, bool quietly);
// In such a copy: hides what it writes from here on, or shows it again.
void cp_fall_silent(void);
void cp_speak(void);
// Kills the copy; its end must still be waited for.
void cp_end_copy(cp_child copy);
// In the copy: ends it once its output has been written.
void cp_leave_copy(int status) __attribute__((noreturn));
// Copies this process, which must have one thread. The copy runs beside it and writes where this one writes. It dies with us
// and of its own signals. What it does shows in `own`, which takes the place of the recorder at `page` in the copy.
cp_child cp_beside(cp_recorder *_Nonnull page, cp_recorder *_Nonnull own);
// Writes to standard error what a copy has written to `capture`.
void cp_show_captured(int capture);
// In a copy: notes the condition of this process, such as its folder, its limits and the number of open descriptors.
void cp_note_condition(void);
// Returns true if so many executions have changed it.
bool cp_condition_has_changed(int executions);
// Returns true if a debugger follows this process.
bool cp_is_traced(void);
// Returns true if a sanitizer or code coverage is part of this process: they lose what a copy does.
bool cp_is_instrumented(void);

// MARK: workers

typedef struct {
  int pid;     // -1 when it could not be started
  int socket;  // orders and answers
  int output;  // what it writes to its standard output and error
  int ended;   // readable when it has ended; -1 if the system has no such descriptor
  int error;   // why it could not be started
} cp_worker;

// Starts this executable again with `arguments`, ended by null, with the variable `name` in its environment, and in its
// own process group.
cp_worker cp_spawn(char *_Nullable const *_Nonnull arguments, const char *_Nonnull name, const char *_Nonnull value,
                   int recorder);
// In the worker: makes it die with its parent, moves its connection to a number that other code does not use by chance,
// maps the recorder, and closes the recorder's descriptor. Returns null if any of these is gone.
cp_recorder *_Nullable cp_worker_begin(int parent);
// In the worker: returns its connection; -1 if other code has closed it, even if another file has its number now.
int cp_worker_socket(void);
// In the worker, without a connection: leaves an answer where the parent finds it. Returns false if there is no memory for it.
bool cp_worker_leave_answer(cp_recorder *_Nonnull recorder, const void *_Nonnull bytes, size_t size);
// In the parent: returns a descriptor of the answer that the worker has left; -1 if there is none.
int cp_worker_answer(int pid, const cp_recorder *_Nonnull recorder);
// From here on this process adopts processes whose parents have ended, or no longer does. Returns the previous setting;
// -1 if that cannot be.
int cp_adopts_orphans(int adopts);
// Makes a worker by copying the fork server behind `server`, a child of this process. This process must adopt orphans.
cp_worker cp_spawn_copy(int server, int recorder);
// In a worker of `parent`: makes copies of itself on request, and ends when no more are wanted. Returns only in a copy.
// Its messages, output and records (by `page`) go where its parent wanted.
void cp_serve_copies(int parent, cp_recorder *_Nonnull page);
// Kills a worker and everything that it has started.
void cp_kill(int pid);
// Kills what an ended worker has left behind.
void cp_kill_group(int pid);
// Waits for a process to end.
cp_end cp_reap(int pid);
// Returns true if the process has ended; it must still be reaped.
bool cp_has_ended(int pid);
// Returns the number of bytes of memory that a process uses; 0 if it is unknown.
uint64_t cp_memory(int pid);
// Returns the number of bytes of memory that this process may take in addition to its own, as far as the system reports.
uint64_t cp_memory_left(void);
// Returns the number of bytes of memory that this machine has.
uint64_t cp_machine_memory(void);
// Returns the number of bytes that the control group of this process may use; UINT64_MAX if nothing limits it.
uint64_t cp_group_memory(void);
// Returns the number of bytes that this process may use before its address space is used up; UINT64_MAX if nothing limits it.
uint64_t cp_address_space(void);
// Returns the number of processes that the system has killed since it started because memory was short.
uint64_t cp_memory_kills(void);
// Returns true if processes can be started whose memory is at the same addresses every time.
bool cp_can_fix_addresses(void);
// Starts this program again with such addresses. Returns if it has them already, or cannot have them.
void cp_fix_addresses(char *_Nullable const *_Nonnull arguments);
// Starts this program again with another value of a variable of its environment; NULL removes the variable. Returns if that fails.
void cp_start_again(char *_Nullable const *_Nonnull arguments, const char *_Nonnull name, const char *_Nullable value);
// The time for which a process has stood still through its own doing. Time in which it wanted a processor while the
// machine was busy with other processes does not count.
typedef struct {
  int64_t looked;     // when it was last checked
  int64_t processor;  // its processor time at that moment
  int64_t still;      // the result
} cp_stillness;

cp_stillness cp_stillness_begin(int pid);
// Checks again, some milliseconds after the last time. Returns nanoseconds.
int64_t cp_stillness_now(cp_stillness *_Nonnull stillness, int pid);
// Returns the number of characters in a line of the terminal behind `file`; 0 if it is not a terminal.
int cp_terminal_width(int file);

// Returns the number of seconds of processor time that a process may use; -1 if it is not limited.
int64_t cp_processor_seconds(void);
// Returns the number of processors that this process may use.
int cp_processors(void);

// MARK: waiting

typedef struct {
  int descriptor;
  bool ready;
} cp_wait;

// Waits, for at most so many milliseconds, until one of them can be read or has been closed.
void cp_wait_for(cp_wait *_Nonnull waits, size_t count, int milliseconds);
// Returns a descriptor that becomes readable when SIGINT, SIGTERM or SIGHUP arrives; from here on these do nothing
// else. Returns -1 if that cannot be had. A SIGHUP that was ignored before stays ignored.
int cp_signals_open(void);
// Undoes `cp_signals_open`.
void cp_signals_close(int descriptor);
// Returns the signal that has arrived.
int cp_signals_read(int descriptor);
// Reads what there is without waiting. Returns the number of bytes, 0 at the end, -1 if there is nothing yet.
long cp_read_some(int descriptor, void *_Nonnull buffer, size_t size);
// Reads or writes all of it. Returns false if that fails.
bool cp_read_all(int descriptor, void *_Nonnull buffer, size_t size);
bool cp_write_all(int descriptor, const void *_Nonnull buffer, size_t size);
int64_t cp_now(void);  // nanoseconds of a clock that never goes back
// Returns the nanoseconds of processor time of this process and of its children that have ended, over all their threads.
int64_t cp_processor_now(void);
// Returns the number of characters in a line of that terminal; 0 if it is not one.
int cp_columns(int descriptor);

// MARK: signals of writing

// From here on, a closed pipe and a file that grows too large are errors of the write instead of signals.
void cp_signals_of_writing_ignored(void);
// Restores what was set for these signals before, for code that is not the tool's own.
void cp_signals_of_writing_restored(void);

// MARK: crash reporter

// From here on, a signal that ends this process while the calling thread's recorder shows an execution first prints a
// line on standard error with that execution's schedule. Returns false if that could not be set up.
bool cp_crash_reporter(const char *_Nonnull build);
// Sets the recorder that shows what the calling thread is doing; null if it does nothing.
void cp_record_here(const cp_recorder *_Nullable recorder);
#include "CFreshProcesses.h"
#endif
