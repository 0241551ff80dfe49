// Records which tasks have accessed which memory, and in which order. A suspected data race is a pair of accesses by
// different tasks to the same memory: at least one writes, and nothing known orders them.
//
// After C. Flanagan and S. N. Freund, “FastTrack: efficient and precise dynamic race detection” (2009). It is only a
// suspicion, because not everything that orders tasks is observed. The search confirms it by a schedule in which one step is
// parked before its access when another step reaches the same memory.
#define _GNU_SOURCE
#include "CodePoints.h"
#include "Exits.h"
#include "ParkedAccesses.h"
#include "WeakMemory.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// An access to some bytes of a granule of eight.
typedef struct {
  uintptr_t place;  // the address of the code that accesses; 0 if there is none
  uint32_t task, tick, number;
  uint8_t bytes;
  bool writes;
} access;

enum { most_accesses = 4, most_suspicions = 32, most_dismissed = 32, granule = 8, most_granules = 1 << 12 };

typedef struct {
  uintptr_t granule;  // its address; 0 in a free slot
  uint32_t execution;
  uint32_t oldest;
  access accesses[most_accesses];
} cell;

struct ch_accesses {
  ch_order order;  // first: see `Order.c`
  ch_points points;
  ch_parked_accesses parked;
  cell *cells;  // hashed by address
  size_t room, count;
  ch_known_place engine[CH_KNOWN_PLACES];  // a cache of whether places are in the simulator's own code
  uint32_t execution;
  uint32_t number;  // the number of the last access
  uint32_t sought;
  size_t suspicion_count;
  ch_suspicion suspicions[most_suspicions];
  size_t dismissed_count;
  uintptr_t dismissed[most_dismissed];  // places in the program at which the simulator itself was running
};

// MARK: cells

static size_t slot_of(uintptr_t granule, size_t room) { return (granule * 0x9e3779b97f4a7c15ull >> 16) & (room - 1); }

static bool is_used(const struct ch_accesses *a, const cell *found) {
  return found->granule && found->execution == a->execution;
}

// Returns the cell of a granule, and makes it if `makes` is true. Cells are never removed during an execution, and a slot
// from an earlier execution is free.
static cell *find(struct ch_accesses *a, uintptr_t address, bool makes) {
  if (!a->room) return NULL;
  for (size_t at = slot_of(address, a->room);; at = (at + 1) & (a->room - 1)) {
    cell *found = &a->cells[at];
    if (is_used(a, found)) {
      if (found->granule == address) return found;
      continue;
    }
    if (!makes) return NULL;
    memset(found, 0, sizeof *found);
    found->granule = address;
    found->execution = a->execution;
    a->count++;
    return found;
  }
}

static bool grow(struct ch_accesses *a) {
  size_t room = a->room ? a->room * 2 : 1 << 12;
  cell *old = a->cells, *larger = calloc(room, sizeof *larger);
  if (!larger) return false;
  size_t old_room = a->room;
  a->cells = larger;
  a->room = room;
  for (size_t n = 0; n < old_room; n++) {
    if (!is_used(a, &old[n])) continue;
    size_t at = slot_of(old[n].granule, room);
    while (larger[at].granule) at = (at + 1) & (room - 1);
    larger[at] = old[n];
  }
  free(old);
  return true;
}

// MARK: an access

// Returns true if the simulator itself has called the code: the linker may bind its calls to a copy of a library function
// that was compiled with the program. The simulator also calls blocks, timer handlers and run loops, which are the program's.
static bool is_in_engine(void *const *frame) {
  ch_callers callers = {.count = 0};
  ch_find_callers_in_step(frame, &callers);
  for (int n = 0; n < callers.count; n++) {
    uintptr_t place = (uintptr_t)callers.addresses[n] - 1;
    if (ch_calls_work(place)) return false;
    if (ch_is_engine(place)) return true;
  }
  return false;
}

static bool is_dismissed(struct ch_accesses *a, uintptr_t place, void *const *frame) {
  for (size_t n = 0; n < a->dismissed_count; n++)
    if (a->dismissed[n] == place) return true;
  if (!is_in_engine(frame)) return false;
  if (a->dismissed_count < most_dismissed) a->dismissed[a->dismissed_count++] = place;
  return true;
}

static void suspect(ch_simulation *s, struct ch_accesses *a, const access *first, const access *second,
                    void *const *frame) {
  if (a->suspicion_count == most_suspicions) return;
  ch_suspicion found = {.first = ch_code_point_of(first->place), .second = ch_code_point_of(second->place),
                        .number = first->number, .places = {first->place, second->place},
                        .writes = {first->writes, second->writes},
                        .is_relaxed = ch_is_only_relaxed(&a->order, first->task, first->tick, second->task)};
  for (size_t n = 0; n < a->suspicion_count; n++) {
    ch_suspicion *known = &a->suspicions[n];
    if (!ch_is_same_code(known->first, found.first) || !ch_is_same_code(known->second, found.second)) continue;
    known->is_relaxed = known->is_relaxed && found.is_relaxed;
    return;
  }
  if (is_dismissed(a, second->place, frame)) return;
  if (s->execution.watches_sharing) s->execution.shares = true;
  a->suspicions[a->suspicion_count++] = found;
}

static access *place_for(cell *at, const access *new, const ch_clock *clock) {
  for (int n = 0; n < most_accesses; n++) {
    access *old = &at->accesses[n];
    bool is_covered = (old->bytes & ~new->bytes) == 0 && (new->writes || !old->writes);
    if (!old->place || (is_covered && ch_knows(clock, old->task, old->tick))) return old;
  }
  return &at->accesses[at->oldest++ % most_accesses];
}

static void note(ch_simulation *s, struct ch_accesses *a, cell *at, const access *new, const ch_clock *clock,
                 void *const *frame) {
  for (int n = 0; n < most_accesses; n++) {
    const access *old = &at->accesses[n];
    if (!old->place || old->task == new->task || !(old->bytes & new->bytes) || !(old->writes || new->writes)) continue;
    if (!ch_knows(clock, old->task, old->tick)) suspect(s, a, old, new, frame);
  }
  *place_for(at, new, clock) = *new;
}

static uint8_t bytes_of(uintptr_t address, size_t size, uintptr_t at) {
  uintptr_t low = address > at ? address - at : 0;
  uintptr_t high = address + size < at + granule ? address + size - at : granule;
  return (uint8_t)(((1u << high) - 1) & ~((1u << low) - 1));
}

static void note_all(ch_simulation *s, struct ch_accesses *a, uintptr_t address, size_t size, access *new,
                     void *const *frame) {
  const ch_clock *clock = ch_clock_of(&a->order, new->task);
  if (!clock || a->order.is_lost) return;
  new->tick = clock->ticks[new->task];
  uintptr_t at = address & ~(uintptr_t)(granule - 1);
  for (size_t n = 0; n < most_granules && at < address + size; n++, at += granule) {
    if (a->count * 2 >= a->room && !grow(a)) return;
    new->bytes = bytes_of(address, size, at);
    note(s, a, find(a, at, true), new, clock, frame);
  }
}

static void may_race(ch_simulation *s, uintptr_t address, size_t size, bool writes, bool frees, uintptr_t place,
                     void *const *frame) {
  if (!ch_meets_parked_access(&s->accesses->parked, address, size, writes) || is_in_engine(frame)) return;
  s->point_frame = frame;
  if (simulator_races(s->scheduler, address, size, writes, frees, place)) ch_leave_step(s);
}

void ch_accesses_value(uintptr_t address, bool writes, uintptr_t place, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!s || !s->execution.follows_accesses || !ch_in_step(s)) return;
  ch_known_place *known = ch_known_slot(s->accesses->engine, place);
  if (known->place != place) *known = (ch_known_place){place, ch_is_engine(place)};
  if (!known->is_point) ch_accesses_memory(address, 1, writes, place, frame);
}

void ch_accesses_memory(uintptr_t address, size_t size, bool writes, uintptr_t place, void *const *frame) {
  ch_simulation *s = ch_current;
  if (!s || !s->execution.follows_accesses || !ch_in_step(s)) return;
  if (writes) ch_weak_forgets(s, address, size);
  if (ch_is_on_stack(address)) return;
  const ch_execution *e = &s->execution;
  if (ch_untold_locks || e->creating || e->deinitializing) return;
  void *task = ch_running_task();
  if (!task || ch_tag_of(ch_job_record(task)) != e->tag) return;
  may_race(s, address, size, writes, false, place, frame);
  struct ch_accesses *a = s->accesses;
  access new = {.place = place, .task = ch_index_of(ch_job_record(task)), .number = ++a->number, .writes = writes};
  if (e->overlaps && ch_is_point(&a->points, place) && !is_in_engine(frame)) {
    s->point_frame = frame;
    simulator_at_access(s->scheduler, address, (uint32_t)size, writes, place, new.number == a->sought);
  }
  note_all(s, a, address, size, &new, frame);
}

// MARK: freed memory
//
// The next owner of memory has nothing to do with its former owner. The libraries whose memory tasks use have their calls to
// `free` redirected once accesses are followed. Until then, none of their calls come here.

static void (*real_free)(void *);

static void forget(ch_simulation *s, uintptr_t address, size_t size) {
  struct ch_accesses *a = s->accesses;
  if (size > a->count * granule * 4) size = 0;  // a block this large is not worth the time
  for (uintptr_t at = address & ~(uintptr_t)(granule - 1); at < address + size; at += granule) {
    cell *found = find(a, at, false);
    if (found) memset(found->accesses, 0, sizeof found->accesses);
  }
}

static void told_free(void *memory) {
  ch_simulation *s = ch_current;
  if (memory && s && s->execution.follows_accesses) {
    size_t size = malloc_usable_size(memory);
    if (ch_in_step(s)) may_race(s, (uintptr_t)memory, size, true, true, (uintptr_t)__builtin_return_address(0), CH_FRAME);
    forget(s, (uintptr_t)memory, size);
    ch_weak_forgets(s, (uintptr_t)memory, size);
  }
  real_free(memory);
}

static void redirect(const void *code) {
  Dl_info info;
  struct link_map *library = NULL;
  if (code && dladdr1(code, &info, (void **)&library, RTLD_DL_LINKMAP) && library)
    ch_redirect_imports(library, "free", (void *)told_free);
}

static void install(void) {
  real_free = (void (*)(void *))dlsym(RTLD_DEFAULT, "free");
  if (!real_free) abort();
  redirect((void *)install);
  redirect(dlsym(RTLD_DEFAULT, "swift_allocObject"));
  redirect(dlsym(RTLD_DEFAULT, "swift_task_alloc"));
  redirect(dlsym(RTLD_DEFAULT, "$s10Foundation6NSLockC4lockyyF"));
  redirect(dlsym(RTLD_DEFAULT, "_Block_copy"));
}

// MARK: from execution to execution

void ch_follow_accesses(ch_simulation *s, bool has_weak_memory) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  if (!s->accesses && !(s->accesses = calloc(1, sizeof *s->accesses))) abort();
  struct ch_accesses *a = s->accesses;
  ch_forget_order(&a->order);
  ch_begin_weak_memory(s, has_weak_memory);
  // The number wraps around after four billion executions. By then, every slot has been written again.
  a->execution++;
  a->number = a->sought = 0;
  a->parked.count = 0;
  a->count = a->suspicion_count = a->dismissed_count = 0;
  s->execution.follows_accesses = true;
}

void ch_forget_accesses(ch_simulation *s) {
  if (!s->accesses) return;
  ch_free_weak_memory(s);
  ch_free_order(&s->accesses->order);
  ch_free_points(&s->accesses->points);
  free(s->accesses->cells);
  free(s->accesses);
  s->accesses = NULL;
}

void ch_set_access_points(ch_simulation *s, const ch_code_point *points, size_t count) {
  ch_set_points(&s->accesses->points, points, count);
}
void ch_parks_before_access(ch_simulation *s, uintptr_t address, size_t size, bool writes, bool parks) {
  ch_parked_access access = {address, address + size, writes};
  (parks ? ch_add_parked_access : ch_remove_parked_access)(&s->accesses->parked, access);
}
void ch_seek_access(ch_simulation *s, uint32_t number) { s->accesses->sought = number; }

size_t ch_suspicions(const ch_simulation *s, ch_suspicion *found, size_t room) {
  const struct ch_accesses *a = s->accesses;
  size_t count = !a ? 0 : a->suspicion_count < room ? a->suspicion_count : room;
  if (count) memcpy(found, a->suspicions, count * sizeof *found);
  return count;
}
#endif
