// The kind and target of a Dispatch queue, and queues that are made and redirected inside a simulation.
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

static void *main_queue(void) {
  static void *_Atomic queue;
  if (!queue) queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
  return queue;
}

// The width of a queue, the number of blocks that it runs at once, is the low half of a word in the queue. Its target is
// another word. Their offsets are found in queues of known width and target.
enum { serial_width = 1, concurrent_width = 0xffe, no_offset = -1, searched = 128 };
static int width_offset = no_offset, target_offset = no_offset;

static uint16_t half_at(const void *queue, int offset) {
  uint16_t half;
  memcpy(&half, (const char *)queue + offset, sizeof half);
  return half;
}

static void *word_at(const void *queue, int offset) {
  void *word;
  memcpy(&word, (const char *)queue + offset, sizeof word);
  return word;
}

static void find_offsets(void) {
  void *(*make)(const char *, void *, void *) =
      (void *(*)(const char *, void *, void *))dlsym(RTLD_DEFAULT, "dispatch_queue_create_with_target");
  void *concurrent_attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
  if (!make || !concurrent_attribute) return;
  void *serial = make("a serial queue", NULL, NULL);
  const void *concurrent = make("a concurrent queue", concurrent_attribute, serial);
  for (int offset = 0; offset < searched; offset += 4)
    if (half_at(serial, offset) == serial_width && half_at(concurrent, offset) == concurrent_width) {
      width_offset = offset;
      break;
    }
  for (int offset = 0; offset < searched; offset += 8)
    if (word_at(concurrent, offset) == serial) {
      target_offset = offset;
      break;
    }
}

static void know_queues(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ch_simulation *s = ch_current;
  ch_set_current(NULL);
  pthread_once(&once, find_offsets);
  ch_set_current(s);
}

// The global queues, like the main queue, are part of the library.
bool ch_is_global_queue(const void *queue) {
  return queue != main_queue() && !strncmp(ch_library_of(queue), "libdispatch.so", 14);
}

int ch_kind_of_queue(const void *queue) {
  if (queue == main_queue()) return CH_MAIN_QUEUE;
  if (ch_is_global_queue(queue)) return CH_GLOBAL_QUEUE;
  know_queues();
  return width_offset == no_offset || half_at(queue, width_offset) == serial_width ? CH_SERIAL_QUEUE
                                                                                   : CH_CONCURRENT_QUEUE;
}

void *ch_target_of_queue(const void *queue) {
  know_queues();
  if (target_offset == no_offset || queue == main_queue() || ch_is_global_queue(queue)) return NULL;
  void *target = word_at(queue, target_offset);
  return target && !ch_is_global_queue(target) ? target : NULL;
}

unsigned ch_quality_of_queue(const void *queue) {
  static unsigned (*_Atomic quality)(const void *, int *);
  if (!quality) quality = (unsigned (*)(const void *, int *))dlsym(RTLD_DEFAULT, "dispatch_queue_get_qos_class");
  know_queues();
  while (queue && quality && queue != main_queue()) {
    unsigned found = quality(queue, NULL);
    if (found || target_offset == no_offset || ch_is_global_queue(queue)) return found ? found : 21;
    queue = word_at(queue, target_offset);
  }
  return 21;
}

void *ch_main_queue(void) { return main_queue(); }

static void *timers, *blocks;
static void make_queues(void) {
  void *(*make)(const char *, void *) = (void *(*)(const char *, void *))dlsym(RTLD_DEFAULT, "dispatch_queue_create");
  timers = make("timers of Dispatch", NULL);
  blocks = make("blocks for the main run loop", NULL);
}
static void *made_once(void **queue) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ch_simulation *s = ch_current;
  ch_set_current(NULL);
  pthread_once(&once, make_queues);
  ch_set_current(s);
  return *queue;
}
void *ch_timer_queue(void) { return made_once(&timers); }
void *ch_run_loop_queue(void) { return made_once(&blocks); }

// MARK: queues that are made and redirected

void *dispatch_queue_create(const char *label, void *attribute);
CH_BEHIND(dispatch_queue_create);
void *dispatch_queue_create(const char *label, void *attribute) {
  void *made = CH_REAL(dispatch_queue_create)(label, attribute);
  ch_simulation *s = ch_in_program();
  if (s) simulator_queue_made(s->scheduler, made);
  return made;
}

void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target);
CH_BEHIND(dispatch_queue_create_with_target);
void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target) {
  void *made = CH_REAL(dispatch_queue_create_with_target)(label, attribute, target);
  ch_simulation *s = ch_in_program();
  if (s) simulator_queue_made(s->scheduler, made);
  return made;
}

void dispatch_set_target_queue(void *object, void *target);
CH_BEHIND(dispatch_set_target_queue);
void dispatch_set_target_queue(void *object, void *target) {
  if (ch_retargets_source(object, target)) return;
  CH_REAL(dispatch_set_target_queue)(object, target);
  ch_simulation *s = ch_simulation_of(CH_FRAME);
  if (s && ch_is_queue(object)) simulator_retargets(s->scheduler, object, target && !ch_is_global_queue(target) ? target : NULL);
}

// The first word of each Dispatch object points to what describes its kind. Two queues are made to learn the kinds of queues.
bool ch_is_queue(const void *object) {
  if (object == main_queue() || ch_is_global_queue(object)) return true;
  static const void *_Atomic kinds[2];
  if (!kinds[0]) {
    void *(*make)(const char *, void *) = (void *(*)(const char *, void *))dlsym(RTLD_DEFAULT, "dispatch_queue_create");
    void *concurrent_attribute = dlsym(RTLD_DEFAULT, "_dispatch_queue_attr_concurrent");
    ch_simulation *s = ch_current;
    ch_set_current(NULL);
    if (make && concurrent_attribute) {
      kinds[1] = *(const void **)make("a concurrent queue", concurrent_attribute);
      kinds[0] = *(const void **)make("a serial queue", NULL);
    }
    ch_set_current(s);
  }
  const void *kind = *(const void *const *)object;
  return kind == kinds[0] || kind == kinds[1];
}
#pragma clang attribute pop
#endif
