// The symbols of the executable, including those local to one file.
#ifndef CH_SYMBOLS_H
#define CH_SYMBOLS_H

#include "Hooks.h"

#if CH_SUPPORTED
#include <elf.h>
#include <link.h>

typedef ElfW(Sym) ch_symbol;

// Calls `visit` with each symbol; with none if the executable has been stripped. The names stay.
void ch_for_each_symbol(void (*visit)(const char *name, const ch_symbol *symbol));

// Returns the name of the executable's function in which the address is, and how far into it the address is; NULL if it is in
// none. Of several names it is the one that `precedes` the others.
const char *ch_name_of_function(uintptr_t address, bool (*precedes)(const char *, const char *), uintptr_t *offset);

// `ch_has_called_mutex` returns true if a `Mutex`, whose calls are redirected to the simulator, was used on this thread since
// `ch_forget_mutex_call`.
void ch_forget_mutex_call(void);
bool ch_has_called_mutex(void);

// Returns true if the address is that of a variable in which compiled code caches an answer of the runtime: the metadata of
// a type, or its conformance to a protocol. Only compiled code reads and writes it, with atomics of its own.
bool ch_is_cache(uintptr_t address);
// Finds these variables. Must be called before `ch_is_cache`.
void ch_find_caches(void);
#endif
#endif
