// Code of the executable and its libraries: where it is, and where in it a task continues.
#ifndef CH_CODE_H
#define CH_CODE_H

#include "CConcurrencyHooks.h"

// Returns the offset of the address in the executable or library that holds it, which is the same in every process.
uintptr_t ch_image_offset(uintptr_t address);
// Returns true if the code is in the executable or library that holds the hooks, which is the program's.
bool ch_is_of_image(const void *_Nullable code);

// Returns the file of the executable or library that holds the address: "" for the executable, null if nothing holds it.
const char *_Nullable ch_image_name(uintptr_t address);
// Returns true if the executable or a library has code at the address.
bool ch_is_code(uintptr_t address);
// Returns where the library with this file was loaded, or the executable for ""; 0 if it was not.
uintptr_t ch_image_base(const char *_Nonnull name);

// Returns where a suspended task continues, combined with where its caller does: the first alone is often in the runtime.
static inline uint64_t ch_resume_offset(const void *_Nonnull task) {
  uint64_t resume = ch_image_offset(ch_job_resume(task));
  uint64_t caller = ch_image_offset(ch_word((const void *)ch_word(task, CH_TASK_CONTEXT), 8));
  return resume ^ caller << 32;
}

// Finds the code that a task will run if it has not begun and has this first context: the code of the task's closure, then,
// after a 0, that of the closures which it may have captured. Returns the number of entries, at most `CH_CLOSURE_CODES`.
#define CH_CLOSURE_CODES 5
size_t ch_closure_of_task(const void *_Nonnull context, uintptr_t *_Nonnull found);

// A function: its mangled name, the library that it is part of ("" for the executable), and how far into it an address is.
typedef struct {
  const char *_Nullable name, *_Nullable library;
  uintptr_t offset;
} ch_code_symbol;
// Finds the function that holds the address. Returns false if no symbol does. The first call takes a millisecond, unless
// `ch_find_functions` was called before.
bool ch_find_function(uintptr_t address, ch_code_symbol *_Nonnull found);
void ch_find_functions(void);
// Returns the name of a function as a backtrace shows it; null if it is not mangled. The caller frees it with `free`.
char *_Nullable ch_readable_name(const char *_Nonnull mangled);
// Returns true if the compiler has written the function with this mangled name, to call another one.
bool ch_is_thunk(const char *_Nonnull mangled);

// Returns a mangled name in readable form, modules included; null if it is none. The caller frees it with `free`.
char *_Nullable ch_demangle(const char *_Nonnull mangled);

// Returns true if the module with this name is one of the simulator's own.
bool ch_is_own_module(const char *_Nonnull name);
// Returns true if the function with this mangled name is in one of those modules.
bool ch_is_own_function(const char *_Nonnull mangled);

// Called before and after the toolchain reads debug information on this thread, so that all threads share what was read. If
// `ch_begins_reading` returns false, the thread keeps its own, and `ch_ends_reading` must not be called.
bool ch_begins_reading(void);
void ch_ends_reading(void);

// `ch_find_line` finds the line of the code at an address, in a build that is not optimized, and returns one of these.
#define CH_LINE_FOUND 0
#define CH_LINE_NONE 1     // the code has no lines
#define CH_LINE_UNKNOWN 2  // the toolchain's reader may know
typedef struct {
  const char *_Nullable directory, *_Nullable name;  // the directory applies unless the name is an absolute path
  int64_t line;
} ch_source_line;
int ch_find_line(uintptr_t address, ch_source_line *_Nonnull found);

// Returns true if values of this type are copied as bits, so that nothing happens when one ends.
bool ch_is_plain(const void *_Nonnull type);
// Returns the address of what the weak references to an object refer to; 0 if there are none.
uintptr_t ch_side_table(const void *_Nonnull object);
// Returns true if this type is a structure or a tuple.
bool ch_has_fields(const void *_Nonnull type);
// Returns true if values of this type may hold objects of which the type says nothing.
bool ch_hides_parts(const void *_Nonnull type);
// Returns true if this class is not one of Swift's or Foundation's.
bool ch_is_class_of_program(const void *_Nonnull type);
// `swift_unownedRetain` keeps the memory of a dead object from being reused, until it is released.
extern void *_Nonnull swift_unownedRetain(void *_Nonnull object);
extern void swift_unownedRelease(void *_Nonnull object);

#endif
