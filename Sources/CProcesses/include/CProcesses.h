// Processes: a record of what one is doing that outlives it, children that run ahead of it, workers, signals.
//
// Nothing here knows Swift or the simulator.
#ifndef CPROCESSES_H
#define CPROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: how this process was started

// Its arguments, ended by null, the program's name first; null where the C library does not tell.
char *_Nullable const *_Nullable cp_arguments(void);
// The file of its program, to be opened or started again; works without `/proc`, too.
const char *_Nonnull cp_executable(void);

#include "CRecorder.h"

// MARK: notes

// What a process and those that are copied from it later have found out, each thing by a key. Without memory there are none,
// without room none is added; null is found where there is none, or where it is just being written.
typedef struct cp_notes cp_notes;
cp_notes *_Nullable cp_notes_create(void);
bool cp_notes_add(cp_notes *_Nonnull notes, uint64_t key, const void *_Nonnull bytes, size_t size);
const void *_Nullable cp_notes_find(const cp_notes *_Nonnull notes, uint64_t key, size_t *_Nonnull size);

// MARK: children that run ahead

typedef struct {
  int pid;    // 0 in the child, -1 when there is none
  int ended;  // readable when the child has ended; -1 where the system has no such descriptor
} cp_child;

#define CP_ENDED 0
#define CP_STALLED 1
#define CP_TOO_LARGE 2
#define CP_LATE 3

typedef struct {
  int reason;
  int signal;  // 0 when it left by `exit`
  int status;
  uint64_t peak;  // the most bytes of memory that it used, as far as the system tells
  bool is_lost;   // another wait of this process has taken how it ended
} cp_end;
// The same end, as far as its recorder tells how it came where that is lost.
cp_end cp_found_end(cp_end end, const cp_recorder *_Nonnull recorder);

int cp_self(void);
// How many threads this process has; 0 when that cannot be told.
int cp_threads(void);
// Where a child's standard error goes; -1 when that cannot be had.
int cp_capture_open(void);
// What has been written there: at most `size` bytes, the last ones. Answers how many.
size_t cp_capture_read(int capture, char *_Nonnull buffer, size_t size);
// A copy of this process, which must have one thread. The copy dies with us, dies of its own signals, keeps quiet,
// and writes its errors to `capture`. If it cannot be made, `errno` says why.
cp_child cp_fork(int capture);
// Waits for its end. Kills it when it stands still for `stall` nanoseconds as `recorder` shows no progress, when it
// uses more than `memory` bytes, or when the recorder's deadline is well over. What it has started and left behind ends
// with it. Where this process turns out to be a bad copy, it ends too.
cp_end cp_watch(cp_child child, cp_recorder *_Nonnull recorder, int64_t stall, uint64_t memory);
// Ends this process on the spot.
void cp_leave(int status) __attribute__((noreturn));

// MARK: fresh processes

// Memory in which children leave their answers, one child after the other; null when there is none to be had. It has no
// descriptor: code that closes all there are does not come upon it.
typedef struct cp_answers cp_answers;
cp_answers *_Nullable cp_answers_create(void);
void cp_answers_destroy(cp_answers *_Nonnull answers);
void cp_answers_clear(cp_answers *_Nonnull answers);
// In the child: leaves bytes behind those that it has left. False where there is no room for them. A child that ends in the
// middle of that has left those before.
bool cp_answers_leave(cp_answers *_Nonnull answers, bool is_answer, const void *_Nonnull bytes, size_t size);
// What was left last, as the answer or before it; null where there is none.
const void *_Nullable cp_answers_find(const cp_answers *_Nonnull answers, bool is_answer, size_t *_Nonnull size);

typedef struct {
  int one;
  int other;
} cp_ends;

// Two ends of a connection; -1 when there is none to be had.
cp_ends cp_connect(void);
void cp_close(int descriptor);
// Kills a child of ours and waits for its end.
void cp_end_child(cp_child child);

// MARK: copies of a process with other threads

// Whether no other thread of this process runs.
bool cp_others_are_asleep(void);
// Whether the first thread of a process waits for something other than a processor.
bool cp_is_asleep(int pid);
// Whether the first thread of a copy waits for a lock that it holds itself, as far as the system tells.
bool cp_waits_for_itself(int pid);
// Whether a thread of a copy, or of what was copied from it, waits for a lock that another thread held when the copy was made.
// Asked by the thread that made the copy, here or in it.
bool cp_waits_for_stranger(int pid);
// A copy of this process, in which the calling thread goes on alone. The copy dies with us and of its own signals, and
// writes its errors to `capture`; with `quietly` it writes no output.
cp_child cp_copy(int capture, bool quietly);
// In such a copy: what it writes from here on is not shown, or shown again.
void cp_fall_silent(void);
void cp_speak(void);
// Kills it; its end is still to be waited for.
void cp_end_copy(cp_child copy);
// In the copy: ends it when what it has written has gone out.
void cp_leave_copy(int status) __attribute__((noreturn));
// A copy of this process, which must have one thread, that goes on beside it and writes where this one writes. The copy dies
// with us and of its own signals. What it does shows in `own`, which takes the place of the recorder at `page` in it.
cp_child cp_beside(cp_recorder *_Nonnull page, cp_recorder *_Nonnull own);
// Writes to standard error what a copy has written there.
void cp_show_captured(int capture);
// In a copy: remembers the condition of this process, as its folder, its limits and how many descriptors are open.
void cp_note_condition(void);
// Whether so many executions have changed it.
bool cp_condition_has_changed(int executions);
// Whether a debugger follows this process.
bool cp_is_traced(void);
// Whether a sanitizer, or what counts the lines that run, is part of this process: a copy is lost to them.
bool cp_is_instrumented(void);

// MARK: workers

typedef struct {
  int pid;     // -1 when it could not be started
  int socket;  // orders and answers
  int output;  // what it writes to its standard output and error
  int ended;   // readable when it has ended; -1 where the system has no such descriptor
  int error;   // why it could not be started
} cp_worker;

// Starts this executable again with `arguments`, ended by null, and with the variable `name` in its environment, in a
// process group of its own.
cp_worker cp_spawn(char *_Nullable const *_Nonnull arguments, const char *_Nonnull name, const char *_Nonnull value,
                   int recorder);
// In the worker: it does not outlive its parent, its connection goes where other code does not come upon it by chance,
// and the recorder is mapped and has no descriptor any more. Null when one of them is gone.
cp_recorder *_Nullable cp_worker_begin(int parent);
// In the worker: its connection; -1 when other code has closed it, even if something else has its number now.
int cp_worker_socket(void);
// In the worker, without a connection: leaves an answer where the parent finds it. False when there is no memory for it.
bool cp_worker_leave_answer(cp_recorder *_Nonnull recorder, const void *_Nonnull bytes, size_t size);
// In the parent: a descriptor of the answer that the worker has left; -1 when there is none.
int cp_worker_answer(int pid, const cp_recorder *_Nonnull recorder);
// From here on this process is told the end of processes whose parents have ended, or no longer. What was set before;
// -1 where that cannot be.
int cp_adopts_orphans(int adopts);
// A worker that is a copy of the fork server behind `server`, a child of this process, which adopts orphans.
cp_worker cp_spawn_copy(int server, int recorder);
// In a worker of `parent`: makes copies of itself for it, and ends when nobody wants more. Returns only in a copy: what it
// says, writes and records, by `page`, goes where its parent wanted.
void cp_serve_copies(int parent, cp_recorder *_Nonnull page);
// Kills a worker and all that it has started.
void cp_kill(int pid);
// Kills what a worker that has ended has left behind.
void cp_kill_group(int pid);
// Waits for its end.
cp_end cp_reap(int pid);
// Whether it has ended; it is still to be reaped.
bool cp_has_ended(int pid);
// How many bytes of memory a process uses; 0 when that cannot be told.
uint64_t cp_memory(int pid);
// How many bytes of memory this process may take beside what it has, as far as the system tells.
uint64_t cp_memory_left(void);
// How many bytes of memory this machine has.
uint64_t cp_machine_memory(void);
// How many bytes the group of processes in which this one is may use; UINT64_MAX when nothing limits it.
uint64_t cp_group_memory(void);
// How many bytes of memory this process may use before its address space is used up; UINT64_MAX when nothing limits it.
uint64_t cp_address_space(void);
// How many processes the system has killed for want of memory since it was started.
uint64_t cp_memory_kills(void);
// Whether processes can be started whose memory is at the same addresses every time.
bool cp_can_fix_addresses(void);
// Starts this program again with such addresses, unless it has them; returns where that cannot be.
void cp_fix_addresses(char *_Nullable const *_Nonnull arguments);
// For how long a process has stood still, as far as that is its own doing: time in which it wanted a processor and the
// machine was busy with others does not count.
typedef struct {
  int64_t looked;     // when it was looked at last
  int64_t processor;  // how much time of a processor it had had then
  int64_t still;      // the answer
} cp_stillness;

cp_stillness cp_stillness_begin(int pid);
// Looks again, some milliseconds after the last time; answers in nanoseconds.
int64_t cp_stillness_now(cp_stillness *_Nonnull stillness, int pid);
// How many characters a line of the terminal behind `file` holds; 0 where that is no terminal.
int cp_terminal_width(int file);

// How many seconds of processor time a process may use; -1 if that is not limited.
int64_t cp_processor_seconds(void);
// How many processors this process may use.
int cp_processors(void);

// MARK: waiting

typedef struct {
  int descriptor;
  bool ready;
} cp_wait;

// Waits until one of them can be read or has been closed, at most so many milliseconds.
void cp_wait_for(cp_wait *_Nonnull waits, size_t count, int milliseconds);
// A descriptor that can be read when SIGINT, SIGTERM or SIGHUP has come; these do nothing else from here on. -1 when
// that cannot be had. A SIGHUP that was ignored before stays so.
int cp_signals_open(void);
// Undoes that.
void cp_signals_close(int descriptor);
// The signal that has come.
int cp_signals_read(int descriptor);
// What can be read without waiting: the number of bytes, 0 at the end, -1 when there is nothing for now.
long cp_read_some(int descriptor, void *_Nonnull buffer, size_t size);
// Whether all of it could be read or written.
bool cp_read_all(int descriptor, void *_Nonnull buffer, size_t size);
bool cp_write_all(int descriptor, const void *_Nonnull buffer, size_t size);
int64_t cp_now(void);  // nanoseconds of a clock that never goes back
// Nanoseconds for which this process and its children that have ended had a processor, all their threads together.
int64_t cp_processor_now(void);
// How many characters a line of that terminal has; 0 when it is none.
int cp_columns(int descriptor);

// MARK: signals of writing

// From here on, a closed pipe and a file that grows too large are errors of the write.
void cp_signals_of_writing_ignored(void);
// As they were before that, for code that is not the tool's own.
void cp_signals_of_writing_restored(void);

// MARK: crash reporter

// From here on, a signal that ends this process while the calling thread's recorder shows an execution is preceded by a
// line on standard error with that execution's schedule. Says whether that could be had.
bool cp_crash_reporter(const char *_Nonnull build);
// What the calling thread is doing; null for nothing.
void cp_record_here(const cp_recorder *_Nullable recorder);
#include "CFreshProcesses.h"
#endif
