// The stores to each atomic that a load may still answer: see `WeakMemory.c`.
#ifndef CH_HISTORIES_H
#define CH_HISTORIES_H

#include "WeakMemory.h"

#if CH_SUPPORTED

enum { ch_most_stores = 8 };
#define CH_NO_TASK UINT32_MAX

// A store, with what an acquiring load of it takes over.
typedef struct {
  uint64_t value;
  uint32_t task, tick;  // who stored it, and when; `CH_NO_TASK` if it was there before
  ch_clock view;
} ch_store;

// Notes that `task` has read the store with this number, or may read no older one; and how often when there was a newer one.
typedef struct {
  uint32_t task, tick, number, times;
} ch_mark;

// The stores to one address. They are numbered from 0, and the last few of them are kept.
typedef struct {
  uintptr_t address;      // 0 in a free slot
  uint64_t serial;        // another one for what lies at the same address later
  uint32_t size, count;
  uint32_t floor;         // no load answers a store with a lower number
  uint32_t last_seq_cst;  // the number of the last sequentially consistent store, plus one; 0 if there is none
  bool is_lock;           // each load answers the newest store
  ch_store stores[ch_most_stores];  // each at its number modulo their number
  ch_mark *marks;
  uint32_t mark_count, mark_room;
} ch_history;

typedef struct {
  ch_clock pending;   // what relaxed loads have seen, which an acquire fence takes over
  ch_clock released;  // what the task had done at its last release fence
} ch_storing_task;

// What a task has done to an atomic, or what has ordered it with other tasks.
typedef enum { CH_LOAD, CH_STORE, CH_UPDATE, CH_FENCE, CH_RELEASE, CH_ACQUIRE } ch_event_kind;
typedef struct {
  ch_event_kind kind;
  uint32_t task;
  uint64_t object;  // the serial of the atomic, or what orders
  uint32_t number;  // of the store that was made or read
} ch_event;

enum { ch_most_events = 1024 };

struct ch_weak_memory {
  bool is_on;
  uint64_t serials;
  ch_event *events;
  uint32_t event_count;  // may be above `ch_most_events`, which are kept
  ch_history *histories;  // hashed by address
  size_t room, count;
  ch_storing_task *tasks;
  uint32_t task_room;
  ch_clock fences;  // what tasks had done at their sequentially consistent fences
};

static inline ch_store *ch_store_of(ch_history *h, uint32_t number) { return &h->stores[number % ch_most_stores]; }
static inline uint32_t ch_oldest_store(const ch_history *h) { return h->count > ch_most_stores ? h->count - ch_most_stores : 0; }

ch_history *ch_history_of(struct ch_weak_memory *m, const ch_atomic *atomic);
// Returns the history at this address; null if there is none.
ch_history *ch_known_history(struct ch_weak_memory *m, uintptr_t address);
ch_storing_task *ch_storing_task_of(struct ch_weak_memory *m, uint32_t task);
void ch_add_mark(ch_history *h, ch_mark mark);
void ch_forget_histories(struct ch_weak_memory *m);

void ch_note_event(struct ch_weak_memory *m, ch_event event);

#endif
#endif
