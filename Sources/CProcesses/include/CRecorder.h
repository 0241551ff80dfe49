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

// The failures that were reported of the program, and when. The text comes from other code.
typedef struct {
  uint64_t steps, acts;
  uint32_t phase;
  uint32_t size;
  char text[CP_MOST_FAILURES];
} cp_failures;

#define CP_SENDS 1   // it sends itself a signal
#define CP_ABORTS 2  // it calls `abort`
#define CP_EXITS 3   // it calls `exit`, or the like
#define CP_DIES 4    // a signal from the system ends it

// An action of the program that may end its process, noted as it happens.
typedef struct {
  uint32_t way;
  int32_t number;  // of the signal, or the status
  cp_callers callers;
} cp_ending;

// Written as things happen, at a store each; read by another process, or by this one's signal handler.
typedef struct {
  uint64_t executions;  // the number that have begun
  uint64_t steps;       // of the execution in progress: the number that have begun
  uint64_t acts;        // the number of actions that have happened between its steps
  uint64_t choices;     // the length of its tape; only the first `CP_TAPE_LENGTH` are kept
  uint64_t digest;      // of its trace, when its last step began
  int64_t now;          // its virtual time at that moment, in nanoseconds
  uint64_t schedules;   // the number of schedules that the exploration in progress has tried
  uint64_t number;      // of the schedule that is being tried, or comes next
  uint64_t behaviors;  // the number of schedules that behaved differently
  uint64_t work;        // the number of steps that those took
  uint32_t phase;
  uint32_t tearing_down;  // the execution is over, and what is left of it is being run out
  uint32_t watches;       // this process watches a child of its own
  uint32_t stop;          // the exploration must end as soon as it can
  uint32_t left;          // a child that ran ahead has ended as planned
  uint32_t parked;        // the number of parked steps
  uint32_t others;        // when the last step began: the number of others that could run, or waited for time to pass
  uint32_t threads;       // the number of threads when a child was last wanted
  uint32_t has_place;     // what the process was doing has been noted under `death`, on request
  uintptr_t tape;         // the address of the choices, in the process that writes them
  int32_t answer;         // for a worker whose connection is gone: the descriptor of a file in memory that holds its answer
  uint32_t has_answer;    // that answer is there
  uint32_t was_patient;   // a step got all the time that one may take, and has not ended
  uint32_t was_filled;    // all the memory that may be used was used up
  uint32_t is_bad_copy;   // it waits for a lock held by a thread that only the copied process has
  uint64_t longest;       // the most nanoseconds for which a step stood still and then ended
  int64_t deadline;       // the time, by `cp_now`, at which everything must have ended; 0 for never
  cp_callers death;       // the code that ran when a signal ended the process
  cp_callers earlier;     // the code that did first what ends the process when it is done again
  cp_failures failures;   // of the moment at which the last one was reported
  cp_ending ending;       // the last action that may end the process
} cp_recorder;

#define CP_TAPE_OFFSET 4096
#define CP_TAPE_LENGTH (1u << 20)
_Static_assert(sizeof(cp_recorder) <= CP_TAPE_OFFSET, "the tape stands behind the recorder");
#define CP_RECORDER_BYTES (CP_TAPE_OFFSET + CP_TAPE_LENGTH * sizeof(cp_choice))

// Returns a recorder in memory that this process and its children share; null if there is none to be had.
cp_recorder *_Nullable cp_recorder_create(void);
// Maps the recorder behind a descriptor that `cp_recorder_descriptor` returned in this or another process.
cp_recorder *_Nullable cp_recorder_map(int descriptor);
// Returns the descriptor of a new recorder; -1 if there is none to be had.
int cp_recorder_descriptor(void);
// Moves a descriptor away from the numbers of standard input, output and error, which may be closed. Returns its number.
int cp_lifted(int descriptor);
void cp_recorder_unmap(cp_recorder *_Nonnull recorder);

// Reads the code that ran when a signal ended the process. Returns the number of addresses.
uint32_t cp_read_death(const cp_recorder *_Nonnull recorder, uintptr_t *_Nonnull addresses);

// Notes that the program calls something that may end this process: a signal to itself, `abort` or `exit`.
void cp_note_ending(cp_recorder *_Nonnull recorder, int way, int number, void *_Nullable const *_Nonnull callers,
                    size_t count);
// Reads the code that made that call. Returns false if the end by `signal`, or by `status` if that is 0, did not come from it.
bool cp_read_ending(const cp_recorder *_Nonnull recorder, int signal, int status, uintptr_t *_Nonnull addresses,
                    uint32_t *_Nonnull count);
// Returns the signal that the program has sent itself, if that led to an end by `signal`; otherwise 0.
int cp_sent(const cp_recorder *_Nonnull recorder, int signal);
// Returns true if a signal stops a process that does nothing about it.
bool cp_stops(int number);
// Returns the name of a signal without `SIG`; null if it has none.
const char *_Nullable cp_signal_name(int number);

// Notes the code that did first what is now done again and ends the process.
void cp_write_earlier(cp_recorder *_Nonnull recorder, void *_Nullable const *_Nonnull callers, size_t count);
// Reads that code. Returns the number of addresses.
uint32_t cp_read_earlier(const cp_recorder *_Nonnull recorder, uintptr_t *_Nonnull addresses);

// Adds text to the failures of this moment, if there is room; those of an earlier moment are dropped.
bool cp_write_failure(cp_recorder *_Nonnull recorder, const char *_Nonnull text, size_t size);
// Reads the failures of the recorder's current moment, at most `CP_MOST_FAILURES` bytes. Returns their size.
size_t cp_read_failures(const cp_recorder *_Nonnull recorder, char *_Nonnull text);

#endif
