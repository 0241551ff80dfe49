// The pool of the real runtime with more threads than the machine has cores.
#ifndef CTHREADS_H
#define CTHREADS_H

// How many cores the pool is told of: so many threads it has of each priority.
int threads_of_pool(void);

// From here on a thread that has handed a job to the pool is held back before it goes on, in one of so many cases drawn by
// chance; 0 for never. Only runtime code stands there, at which no program can wait.
void threads_held_back(unsigned one_in);
#endif
