// The flight recorder: what a process is doing, in memory that outlives it.
#ifndef CRECORDER_H
#define CRECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#define CP_SENDS 1   // it sends itself a signal
#define CP_ABORTS 2  // it calls `abort`
#define CP_EXITS 3   // it calls `exit`, or the like
#define CP_DIES 4    // a signal of the system's ends it

// What a program does that may end its process, as it does so.
typedef struct {
  uint32_t way;
  int32_t number;  // of the signal, or the status
  cp_callers callers;
} cp_ending;

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
  uint32_t has_place;     // what it was doing has been noted under `death`, because that was asked
  uintptr_t tape;         // where the choices are, in the process that writes them
  int32_t answer;         // a worker whose connection is gone: the descriptor of a file in memory that holds its answer
  uint32_t has_answer;    // whether it is there
  uint32_t was_patient;   // a step was given all the time that one may take, and has not ended
  uint32_t was_filled;    // all the memory was used up that may be
  uint32_t is_bad_copy;   // it waits for a lock that a thread held which only the copied process has
  uint64_t longest;       // for how many nanoseconds a step has stood still, at most, that ended
  int64_t deadline;       // when, by `cp_now`, everything is to have come to an end; 0 for never
  cp_callers death;       // the code that ran when a signal ended the process
  cp_callers earlier;     // the code that had done before what ends the process when it is done again
  cp_failures failures;   // of the moment at which the last was told
  cp_ending ending;       // the last thing done that may end the process
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

// The program calls what may end this process: a signal to itself, `abort` or `exit`.
void cp_note_ending(cp_recorder *_Nonnull recorder, int way, int number, void *_Nullable const *_Nonnull callers,
                    size_t count);
// The code that called it. False where that is not what an end by `signal`, or by `status` if that is 0, came from.
bool cp_read_ending(const cp_recorder *_Nonnull recorder, int signal, int status, uintptr_t *_Nonnull addresses,
                    uint32_t *_Nonnull count);
// The signal that the program has sent itself, if that led to an end by `signal`; else 0.
int cp_sent(const cp_recorder *_Nonnull recorder, int signal);
// Whether a signal stops a process that does nothing about it.
bool cp_stops(int number);
// The name of a signal without `SIG`; null where it has none.
const char *_Nullable cp_signal_name(int number);

// What does so when it is done again is done now.
void cp_write_earlier(cp_recorder *_Nonnull recorder, void *_Nullable const *_Nonnull callers, size_t count);
// The code that had done it before.
uint32_t cp_read_earlier(const cp_recorder *_Nonnull recorder, uintptr_t *_Nonnull addresses);

// Adds text to the failures of this moment, if there is room; those of an earlier moment are forgotten.
bool cp_write_failure(cp_recorder *_Nonnull recorder, const char *_Nonnull text, size_t size);
// The failures of the moment at which the recorder stands; at most `CP_MOST_FAILURES` bytes.
size_t cp_read_failures(const cp_recorder *_Nonnull recorder, char *_Nonnull text);

#endif
