// What is needed soon is brought into the caches meanwhile. Any address may be given: nothing is read that is not there.
#ifndef CH_PREFETCH_H
#define CH_PREFETCH_H

static inline void ch_prefetch(const void *_Nullable memory) { __builtin_prefetch(memory, 1); }

// As much of a job as a step begins with.
static inline void ch_prefetch_job(const void *_Nullable job) {
  for (int line = 0; line < 4; line++) __builtin_prefetch((const char *)job + 64 * line, 1);
}

// What a step of a task reads and writes in the task itself, and in the first memory for its frames, which lies behind it.
static inline void ch_prefetch_task(const void *_Nullable task) {
  for (int line = 0; line < 12; line++) __builtin_prefetch((const char *)task + 64 * line, 1);
}

// The frame in which a task goes on, those that called it, and room for those that it calls.
static inline void ch_prefetch_frames(const void *_Nullable context) {
  for (int line = -16; line < 8; line++) __builtin_prefetch((const char *)context + 64 * line, 1);
}

#endif
