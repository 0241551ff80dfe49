// Code of the executable and its libraries: where it is, and where a task goes on in it.
#ifndef CH_CODE_H
#define CH_CODE_H

#include "CConcurrencyHooks.h"

// The address within the executable or library that holds it: the same in every process.
uintptr_t ch_image_offset(uintptr_t address);

// The file of the executable or library that holds the address, "" for the executable; null when nothing does.
const char *_Nullable ch_image_name(uintptr_t address);
// Whether an executable or library has code there.
bool ch_is_code(uintptr_t address);
// Where the executable or library of that file was loaded; 0 when it was not.
uintptr_t ch_image_base(const char *_Nonnull name);

// Where a suspended task goes on, and its caller: the first alone is often the runtime's own.
static inline uint64_t ch_resume_offset(const void *_Nonnull task) {
  uint64_t resume = ch_image_offset(ch_job_resume(task));
  uint64_t caller = ch_image_offset(ch_word((const void *)ch_word(task, CH_TASK_CONTEXT), 8));
  return resume ^ caller << 32;
}

// The code that a task will run that has not begun and has this first context: that of the closure as the task knows it; then,
// behind a 0, those of the closures that it may have captured. How many, at most `CH_CLOSURE_CODES`.
#define CH_CLOSURE_CODES 5
size_t ch_closure_of_task(const void *_Nonnull context, uintptr_t *_Nonnull found);

// A mangled name as people read it, modules included, for `free`; null where it is none.
char *_Nullable ch_demangle(const char *_Nonnull mangled);

// Around what this thread lets the toolchain read of the debug information, so that all threads keep the same. False, and not to
// be ended, where it keeps its own.
bool ch_begins_reading(void);
void ch_ends_reading(void);

// The line of the code there, in a build that is not optimized.
#define CH_LINE_FOUND 0
#define CH_LINE_NONE 1     // the code has no lines
#define CH_LINE_UNKNOWN 2  // the toolchain's reader may know
typedef struct {
  const char *_Nullable directory, *_Nullable name;  // the directory counts unless the name is a path from the root
  int64_t line;
} ch_source_line;
int ch_find_line(uintptr_t address, ch_source_line *_Nonnull found);

// Keeps the memory of a dead object from being used again.
extern void *_Nonnull swift_unownedRetain(void *_Nonnull object);
extern void swift_unownedRelease(void *_Nonnull object);

#endif
