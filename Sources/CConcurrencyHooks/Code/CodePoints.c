// Identifies places in code so that they are the same in every process, and in a build in which other functions have changed:
// by the name of a function and the offset in it.
#define _GNU_SOURCE
#include "CodePoints.h"
#include "Symbols.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// FNV-1a.
static uint32_t hash(const char *text) {
  uint32_t result = 2166136261u;
  for (; *text; text++) result = (result ^ (uint8_t)*text) * 16777619u;
  return result;
}

// The simulator's own modules, as mangled names begin.
static const char *const own_modules[] = {
  "$s9Simulator", "$s13SimulatorCore", "$s26SimulatorStrategyInterface", "$s19SimulatorStrategies", "$s19SimulatorInvariants",
  "$s15SimulatorKernel", "$s14SimulatorFakes", "$s16SimulatorReports", "$s13SimulatorHTTP", "$s20SimulatorTestSupport",
  "$s16SimulatorTesting", "$s15SimulatorXCTest", "$s14SimulatorFiles", "$s13ScenarioFiles", "$s9Scenarios",
};
enum { own_module_count = sizeof own_modules / sizeof *own_modules };

bool ch_is_own_module(const char *name) {
  for (size_t n = 0; n < own_module_count; n++)
    if (!strcmp(own_modules[n] + strspn(own_modules[n], "$s0123456789"), name)) return true;
  return false;
}

static bool ends_with(const char *name, const char *end) {
  size_t length = strlen(name), size = strlen(end);
  return length >= size && !strcmp(name + length - size, end);
}

// A type of ours in the name says nothing: a program's own functions take a `Simulation` too. Two kinds of functions belong to no
// module. A generic function of the standard library that was compiled for our types is ours, so that its accesses are not told
// as the program's. A thunk, whose name begins with the types that it converts, is not.
bool ch_is_own_function(const char *name) {
  if (ends_with(name, "TR") || ends_with(name, "TRTA")) return false;
  bool is_of_library = !strncmp(name, "$sS", 3) || !strncmp(name, "$ss", 3);
  for (size_t n = 0; n < own_module_count; n++) {
    const char *module = own_modules[n] + strlen("$s"), *found = strstr(name, module);
    bool is_whole = found && found > name && (found[-1] < '0' || found[-1] > '9');
    if (is_whole && (is_of_library || found == name + strlen("$s"))) return true;
  }
  return false;
}

// MARK: places

// If a function has several names, the same one always comes first.
static bool precedes(const char *name, const char *other) { return hash(name) < hash(other); }

bool ch_is_engine(uintptr_t place) {
  uintptr_t offset;
  const char *name = ch_name_of_function(place, precedes, &offset);
  return name && ch_is_own_function(name);
}

bool ch_calls_work(uintptr_t place) {
  uintptr_t offset;
  const char *name = ch_name_of_function(place, precedes, &offset);
  return name && !strcmp(name, "ch_call_work");
}

ch_code_point ch_code_point_of(uintptr_t place) {
  uintptr_t offset;
  const char *name = ch_name_of_function(place, precedes, &offset);
  if (name) return (ch_code_point){hash(name), (uint32_t)offset};
  Dl_info info;
  if (!dladdr((void *)place, &info)) return (ch_code_point){0, 0};
  if (info.dli_sname) return (ch_code_point){hash(info.dli_sname), (uint32_t)(place - (uintptr_t)info.dli_saddr)};
  const char *file = strrchr(info.dli_fname, '/');
  return (ch_code_point){hash(file ? file + 1 : info.dli_fname), (uint32_t)(place - (uintptr_t)info.dli_fbase)};
}

// MARK: preemption points before memory accesses

void ch_set_points(ch_points *points, const ch_code_point *new, size_t count) {
  if (count == points->count && (!count || !memcmp(points->all, new, count * sizeof *new))) return;
  ch_free_points(points);
  if (!count) return;
  points->all = malloc(count * sizeof *new);
  points->known = calloc(CH_KNOWN_PLACES, sizeof *points->known);
  if (!points->all || !points->known) abort();
  memcpy(points->all, new, count * sizeof *new);
  points->count = count;
}

void ch_free_points(ch_points *points) {
  free(points->all);
  free(points->known);
  *points = (ch_points){.count = 0};
}

bool ch_is_point(ch_points *points, uintptr_t place) {
  if (!points->count) return false;
  ch_known_place *known = ch_known_slot(points->known, place);
  if (known->place != place) {
    ch_code_point here = ch_code_point_of(place);
    *known = (ch_known_place){.place = place};
    for (size_t n = 0; n < points->count; n++)
      if (points->all[n].function == here.function && points->all[n].offset == here.offset) known->is_point = true;
  }
  return known->is_point;
}
#endif
