// The pool of the real runtime with more threads than the machine has cores.
#ifndef CTHREADS_H
#define CTHREADS_H

// How many cores the pool is told of: so many threads it has of each priority.
int threads_of_pool(void);
#endif
