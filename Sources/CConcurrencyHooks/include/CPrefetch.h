// Brings memory that is needed soon into the caches. Any address is allowed: prefetching unmapped memory has no effect.
#ifndef CH_PREFETCH_H
#define CH_PREFETCH_H

static inline void ch_prefetch(const void *_Nullable memory) { __builtin_prefetch(memory, 1); }

// Prefetches the part of a job that a step uses first.
static inline void ch_prefetch_job(const void *_Nullable job) {
  for (int line = 0; line < 4; line++) __builtin_prefetch((const char *)job + 64 * line, 1);
}

// Prefetches what a step reads and writes in its task, and in the first memory for the task's frames, which follows the task.
static inline void ch_prefetch_task(const void *_Nullable task) {
  for (int line = 0; line < 12; line++) __builtin_prefetch((const char *)task + 64 * line, 1);
}

// Prefetches the frame in which a task continues, its callers' frames, and room for its callees' frames.
static inline void ch_prefetch_frames(const void *_Nullable context) {
  for (int line = -16; line < 8; line++) __builtin_prefetch((const char *)context + 64 * line, 1);
}

#endif
