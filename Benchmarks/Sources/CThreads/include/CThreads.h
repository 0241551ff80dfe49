// The pool of the real runtime with more threads than the machine has cores.
#ifndef CTHREADS_H
#define CTHREADS_H

#include <stddef.h>

// How many cores the pool is told of: so many threads it has of each priority.
int threads_of_pool(void);

// From here on a thread that has handed a job to the pool is held back before it goes on, in one of so many cases drawn by
// chance; 0 for never. Only runtime code stands there, at which no program can wait.
void threads_held_back(unsigned one_in);

// Notes that simulated tasks take one at a time. In C, so that the build flag tells the simulator nothing of them: in Swift
// they would be a data race of the program, and behind a lock a scheduling point.
typedef struct notes notes;
notes *_Nonnull notes_make(void);
void notes_add(notes *_Nonnull to, long note);
size_t notes_count(const notes *_Nonnull of);
long notes_at(const notes *_Nonnull of, size_t index);
void notes_free(notes *_Nonnull gone);

#endif
