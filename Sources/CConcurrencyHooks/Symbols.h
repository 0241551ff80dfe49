// The symbols of the executable, those that no other file sees included.
#ifndef CH_SYMBOLS_H
#define CH_SYMBOLS_H

#include "Hooks.h"

#if CH_SUPPORTED
#include <elf.h>
#include <link.h>

typedef ElfW(Sym) ch_symbol;

// Calls `visit` with each; with none where the executable has been stripped.
void ch_for_each_symbol(void (*visit)(const char *name, const ch_symbol *symbol));

// Was a `Mutex` used on this thread, where its calls are led to the simulator?
void ch_forget_mutex_call(void);
bool ch_has_called_mutex(void);

// Whether the address is that of a variable in which compiled code keeps what it has asked the runtime for once: the
// metadata of a type, or how it conforms to a protocol. Only compiled code reads and writes it, with atomics of its own.
bool ch_is_cache(uintptr_t address);
// To be called once before.
void ch_find_caches(void);
#endif
#endif
