// Hooks into the Swift runtime before `main`.
//
// There are two ways. The runtime offers hook variables, which are found by name: their symbols are protected, so a copy
// relocation would write where the runtime never reads. And user code calls functions through the PLT, which we define
// ourselves and forward.
#define _GNU_SOURCE
#include "Hooks.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>

_Thread_local ch_simulation *ch_current __attribute__((tls_model("initial-exec"))) = NULL;

static ch_installation installation = {.missing = ""};
ch_installation ch_get_installation(void) { return installation; }

static void note_missing(const char *name) {
  if (!*installation.missing) installation.missing = name;
}

void *ch_behind_us(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found) return found;
  installation.originals_found = false;
  note_missing(name);
  return NULL;
}

void ch_set_hook(const char *name, void *hook) {
  void **variable = dlsym(RTLD_DEFAULT, name);
  if (variable) { *variable = hook; return; }
  installation.hooks_found = false;
  note_missing(name);
}

// Reads a whole number below 2^32 from the environment.
static void read_hash_seed(void) {
  const char *text = getenv("SIMULATOR_HASH_SEED");
  if (!text || !*text) return;
  uint64_t seed = 0;
  for (; *text >= '0' && *text <= '9' && seed <= UINT32_MAX; text++) seed = seed * 10 + (uint64_t)(*text - '0');
  installation.hash_seed_is_bad = *text || seed > UINT32_MAX;
  installation.hash_seed = installation.hash_seed_is_bad ? 0 : (uint32_t)seed;
}

// Makes hashing the same in every process with the same seed: otherwise, the order of `Set` and `Dictionary` would differ. The runtime
// reads these parameters at the first hash.
static void fix_hashing(void) {
  struct { uint64_t seed0, seed1; bool deterministic; } *parameters =
      dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters");
  if (!parameters) {
    installation.hooks_found = false;
    note_missing("_swift_stdlib_Hashing_parameters");
    return;
  }
  read_hash_seed();
  parameters->seed0 = parameters->seed1 = installation.hash_seed;
  parameters->deterministic = true;
}

__attribute__((constructor)) static void install(void) {
  installation.hooks_found = installation.originals_found = true;
  ch_install_jobs();
  ch_install_isolation();
  ch_install_tasks();
  ch_install_continuations();
  ch_install_resumes();
  ch_install_actors();
  ch_install_executors();
  fix_hashing();
  if (simulator_prepare) {
    simulator_prepare();
    installation.prepared = true;
  }
}
#endif
