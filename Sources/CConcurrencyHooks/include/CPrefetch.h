// What is needed soon is brought into the caches meanwhile. Any address may be given: nothing is read that is not there.
#ifndef CH_PREFETCH_H
#define CH_PREFETCH_H

static inline void ch_prefetch(const void *_Nullable memory) { __builtin_prefetch(memory, 1); }

// As much of a job as a step begins with.
static inline void ch_prefetch_job(const void *_Nullable job) {
  for (int line = 0; line < 4; line++) __builtin_prefetch((const char *)job + 64 * line, 1);
}

#endif
