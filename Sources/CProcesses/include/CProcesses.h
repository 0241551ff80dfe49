// Processes: a record of what one is doing that outlives it, children that run ahead of it, workers, signals.
//
// Nothing here knows Swift or the simulator.
#ifndef CPROCESSES_H
#define CPROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: the flight recorder

typedef struct {
  uint32_t options;
  uint32_t taken;
  uint32_t kind;
} cp_choice;

#define CP_IDLE 0     // between executions
#define CP_STEP 1     // in a step
#define CP_BETWEEN 2  // between two steps of an execution
#define CP_ACTING 3   // in an action that happens between two steps

#define CP_MOST_CALLERS 24

// Addresses of code, innermost first.
typedef struct {
  uint32_t count;
  uintptr_t addresses[CP_MOST_CALLERS];
} cp_callers;

#define CP_MOST_FAILURES 1536

// What a program was said to have done wrong, and when: text of others' making.
typedef struct {
  uint64_t steps, acts;
  uint32_t phase;
  uint32_t size;
  char text[CP_MOST_FAILURES];
} cp_failures;

// Written as things happen, at a store each; read by another process, or by this one's signal handler.
typedef struct {
  uint64_t executions;  // how many have begun
  uint64_t steps;       // of the execution in progress
  uint64_t acts;        // how many actions have happened between its steps
  uint64_t choices;     // its length of the tape; only the first `CP_TAPE_LENGTH` are kept
  uint64_t digest;      // of its trace, as its last step began
  int64_t now;          // its virtual time then, in nanoseconds
  uint64_t schedules;   // how many schedules the exploration in progress has tried
  uint64_t number;      // of the schedule that is tried, or comes next
  uint64_t behaviours;  // how many schedules behaved differently
  uint64_t work;        // how many steps those took
  uint32_t phase;
  uint32_t tearing_down;  // the execution is over, and what is left of it is run out
  uint32_t watches;       // this process watches a child of its own
  uint32_t stop;          // the exploration is to end as soon as it can
  uint32_t left;          // a child that ran ahead has come to its end as planned
  uint32_t standing;      // how many steps stand in their middle
  uint32_t others;        // as the last step began: what else could run, or waited for time to pass
  uint32_t threads;       // how many threads there were when a child was last wanted
  uintptr_t tape;         // where the choices are, in the process that writes them
  int32_t answer;         // a worker whose connection is gone: the descriptor of a file in memory that holds its answer
  uint32_t has_answer;    // whether it is there
  cp_callers death;       // the code that ran when a signal ended the process
  cp_callers earlier;     // the code that had done before what ends the process when it is done again
  cp_failures failures;   // of the moment at which the last was told
} cp_recorder;

#define CP_TAPE_OFFSET 4096
#define CP_TAPE_LENGTH (1u << 20)
_Static_assert(sizeof(cp_recorder) <= CP_TAPE_OFFSET, "the tape stands behind the recorder");
#define CP_RECORDER_BYTES (CP_TAPE_OFFSET + CP_TAPE_LENGTH * sizeof(cp_choice))

// A recorder in memory that this process and its children share; null when there is none to be had.
cp_recorder *_Nullable cp_recorder_create(void);
// The recorder behind a descriptor that `cp_recorder_descriptor` answered in this or another process.
cp_recorder *_Nullable cp_recorder_map(int descriptor);
// -1 when there is none to be had.
int cp_recorder_descriptor(void);
// The same descriptor where nobody takes it for the standard input, output or error, which may be closed.
int cp_lifted(int descriptor);
void cp_recorder_unmap(cp_recorder *_Nonnull recorder);

// The code that ran when a signal ended the process; answers how many addresses there are.
uint32_t cp_read_death(const cp_recorder *_Nonnull recorder, uintptr_t *_Nonnull addresses);

// What does so when it is done again is done now.
void cp_write_earlier(cp_recorder *_Nonnull recorder, void *_Nullable const *_Nonnull callers, size_t count);
// The code that had done it before.
uint32_t cp_read_earlier(const cp_recorder *_Nonnull recorder, uintptr_t *_Nonnull addresses);

// Adds text to the failures of this moment, if there is room; those of an earlier moment are forgotten.
bool cp_write_failure(cp_recorder *_Nonnull recorder, const char *_Nonnull text, size_t size);
// The failures of the moment at which the recorder stands; at most `CP_MOST_FAILURES` bytes.
size_t cp_read_failures(const cp_recorder *_Nonnull recorder, char *_Nonnull text);

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

#define CP_KILLED 9  // the signal that nothing can handle

typedef struct {
  int reason;
  int signal;  // 0 when it left by `exit`
  int status;
  uint64_t peak;  // the most bytes of memory that it used, as far as the system tells
} cp_end;

int cp_self(void);
// How many threads this process has; 0 when that cannot be told.
int cp_threads(void);
// Where a child's standard error goes; -1 when that cannot be had.
int cp_capture_open(void);
// What has been written there: at most `size` bytes, the last ones. Answers how many.
size_t cp_capture_read(int capture, char *_Nonnull buffer, size_t size);
// A copy of this process, which must have one thread. The copy dies with us, dies of its own signals, keeps quiet,
// and writes its errors to `capture`.
cp_child cp_fork(int capture);
// Waits for its end. Kills it when it stands still for `stall` nanoseconds as `recorder` shows no progress, or when it
// uses more than `memory` bytes. What it has started and left behind ends with it.
cp_end cp_watch(cp_child child, const cp_recorder *_Nonnull recorder, int64_t stall, uint64_t memory);
// Ends this process on the spot.
void cp_leave(int status) __attribute__((noreturn));

// MARK: fresh processes

// Memory in which a child leaves its answer; -1 when there is none to be had.
int cp_answer_open(void);
void cp_answer_clear(int answer);
bool cp_answer_write(int answer, const void *_Nonnull bytes, size_t size);
size_t cp_answer_size(int answer);
bool cp_answer_read(int answer, void *_Nonnull buffer, size_t size);

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
// Whether the first thread of a process waits for a lock that it holds itself, as far as the system tells.
bool cp_waits_for_itself(int pid);
// A copy of this process, in which the calling thread goes on alone. The copy dies with us and of its own signals, and
// writes its errors to `capture`; with `quietly` it writes no output.
cp_child cp_copy(int capture, bool quietly);
// Kills it; its end is still to be waited for.
void cp_end_copy(cp_child copy);
// In the copy: ends it when what it has written has gone out.
void cp_leave_copy(int status) __attribute__((noreturn));
// A copy of this process, which must have one thread, that goes on beside it and writes where this one writes. The copy dies
// with us and of its own signals. What it does shows in `own`, which takes the place of the recorder at `page` in it.
cp_child cp_beside(cp_recorder *_Nonnull page, cp_recorder *_Nonnull own);
// Writes to standard error what a copy has written there.
void cp_show_captured(int capture);
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
