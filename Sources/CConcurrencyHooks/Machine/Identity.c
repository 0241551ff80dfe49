// Hides what differs from process to process, and from one moment of a machine to another: a program that asks sees the same
// in every process, at every time.
//
// The thread's number stays as it is, because locks depend on it. So do the lasting properties of the machine: its name, its
// number of cores, and the size of its memory.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <elf.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sysinfo.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

// Returns the simulation whose program asks, or null if other code asks.
static ch_simulation *asked(const void *caller) {
  ch_simulation *s = ch_in_program();
  return s && !ch_is_runtime(caller) ? s : NULL;
}
#define ASKED asked(CH_FRAME[1])

// Does only this much, because a sanitizer calls it before it is ready for more.
static void *plain(void *_Atomic *cache, const char *name) {
  if (!*cache) *cache = dlsym(RTLD_NEXT, name);
  return *cache;
}
#define PLAIN(name) ((__typeof__(&name))plain(&real_##name, #name))

// MARK: processes

CH_BEHIND(getpid);
pid_t getpid(void) { return ASKED ? ch_pid_of_program : CH_REAL(getpid)(); }
pid_t ch_own_pid(void) { return CH_REAL(getpid)(); }

// The parent seems to have gone, as for a process that runs on by itself.
CH_BEHIND(getppid);
pid_t getppid(void) { return ASKED ? 1 : CH_REAL(getppid)(); }

// The process seems to be a group and a session of its own.
CH_BEHIND(getpgrp);
pid_t getpgrp(void) { return ASKED ? ch_pid_of_program : CH_REAL(getpgrp)(); }
pid_t ch_own_group(void) { return CH_REAL(getpgrp)(); }

static bool is_own(pid_t process) { return process == 0 || process == ch_pid_of_program || process == ch_own_pid(); }

CH_BEHIND(getpgid);
pid_t getpgid(pid_t process) { return ASKED && is_own(process) ? ch_pid_of_program : CH_REAL(getpgid)(process); }

CH_BEHIND(getsid);
pid_t getsid(pid_t process) { return ASKED && is_own(process) ? ch_pid_of_program : CH_REAL(getsid)(process); }

// MARK: the state of the machine

CH_BEHIND(sched_getcpu);
int sched_getcpu(void) { return ASKED ? 0 : CH_REAL(sched_getcpu)(); }
int ch_real_core(void) { return CH_REAL(sched_getcpu)(); }

CH_BEHIND(getcpu);
int getcpu(unsigned *core, unsigned *node) {
  if (!ASKED) return CH_REAL(getcpu)(core, node);
  if (core) *core = 0;
  if (node) *node = 0;
  return 0;
}

// Nothing else seems to run on the machine.
CH_BEHIND(getloadavg);
int getloadavg(double *loads, int count) {
  if (!ASKED) return CH_REAL(getloadavg)(loads, count);
  int told = count < 3 ? count : 3;
  for (int n = 0; n < told; n++) loads[n] = 0;
  return told;
}

CH_BEHIND(sysinfo);
int sysinfo(struct sysinfo *out) {
  ch_simulation *s = ASKED;
  int error = CH_REAL(sysinfo)(out);
  if (!s || error) return error;
  *out = (struct sysinfo){
    .uptime = ch_reads_clock(s, ch_monotonic_epoch) / 1000000000, .totalram = out->totalram, .freeram = out->totalram,
    .totalswap = out->totalswap, .freeswap = out->totalswap, .procs = 1, .totalhigh = out->totalhigh,
    .freehigh = out->totalhigh, .mem_unit = out->mem_unit};
  return 0;
}

CH_BEHIND(sysconf);
// Weak, so that a program may define its own, for example to choose how many threads its pool has.
__attribute__((weak)) long sysconf(int name) { return PLAIN(sysconf)(name == _SC_AVPHYS_PAGES && ASKED ? _SC_PHYS_PAGES : name); }

CH_BEHIND(get_avphys_pages);
long get_avphys_pages(void) { return ASKED ? get_phys_pages() : CH_REAL(get_avphys_pages)(); }

// MARK: what the process was given at its start

CH_BEHIND(getauxval);
unsigned long getauxval(unsigned long type) {
  static const unsigned char bytes[16] = {0x52, 0x41, 0x43, 0x45};
  return type == AT_RANDOM && ASKED ? (unsigned long)bytes : PLAIN(getauxval)(type);
}
#pragma clang attribute pop
#endif
