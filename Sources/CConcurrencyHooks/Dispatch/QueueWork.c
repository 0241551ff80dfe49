// The work that a program hands to a Dispatch queue, and the queue on which a thread's code runs.
#define _GNU_SOURCE
#include "Queues.h"

#if CH_SUPPORTED
#include <dlfcn.h>

// Ending threads call these after the thread sanitizer has forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

CH_BEHIND(_Block_copy);
CH_BEHIND(_Block_release);
intptr_t dispatch_block_testcancel(void *block);

// A block made by `dispatch_block_create` has its data where other blocks have what they capture.
typedef struct {
  ch_block_layout layout;
  unsigned long magic, flags;
  unsigned atomic_flags, performed;
  unsigned long priority;
  void *voucher;
  ch_block_layout *made_from;
  void *group;
} made_block;
enum { block_magic = 0xD159B10C, barrier_flag = 1 };

static const made_block *as_made(const void *block) {
  static void **_Atomic special;
  if (!special) special = dlsym(RTLD_DEFAULT, "_dispatch_block_special_invoke");
  const made_block *made = block;
  return made && special && made->layout.invoke == *special && made->magic == block_magic ? made : NULL;
}

bool ch_is_made_by_dispatch(const void *block) { return as_made(block); }

bool ch_asks_for_barrier(const void *block) {
  const made_block *made = as_made(block);
  return made && made->flags & barrier_flag;
}

void ch_invoke_block(void *block) { ((ch_function *)((ch_block_layout *)block)->invoke)(block); }

// Returns where the code of the work begins. A block for a Swift closure captures the closure first.
uintptr_t ch_code_of_work(ch_work work) {
  if (work.function == ch_run_thread) return ch_code_of_thread(work.context);
  if (!work.block) return (uintptr_t)work.function;
  const ch_block_layout *block = work.block;
  const made_block *made = as_made(block);
  if (made) block = made->made_from;
  uintptr_t captured = ((const uintptr_t *)(block + 1))[0];
  return captured && ch_image_name(captured) ? captured : (uintptr_t)block->invoke;
}

ch_work ch_work_of_thread(ch_thread *thread) { return (ch_work){.function = ch_run_thread, .context = thread}; }

ch_work ch_work_again(ch_work work) {
  if (work.block) work.block = CH_REAL(_Block_copy)(work.block);
  return work;
}

void ch_forget_work(ch_work work) {
  if (work.block) CH_REAL(_Block_release)(work.block);
}

void *ch_work_item_group(ch_work work) {
  const made_block *made = as_made(work.block);
  return made ? made->group : NULL;
}

// MARK: the queue on which this thread's code runs

_Thread_local ch_queue_frame *ch_innermost __attribute__((tls_model("initial-exec")));
static _Thread_local void *task_of_block __attribute__((tls_model("initial-exec")));

void *ch_running_task(void) {
  void *task = swift_task_getCurrent();
  return task ? task : task_of_block;
}

void ch_begin_thread_of(void *task) { task_of_block = task; }

void ch_forget_queues(void) {
  ch_innermost = NULL;
  task_of_block = NULL;
}

// The frame of this function separates the program's code from the simulator's (`ch_calls_work`). So it is not inlined, and
// it does something after each call.
__attribute__((noinline)) void ch_call_work(ch_work work) {
  if (work.block) ch_invoke_block(work.block);
  else work.function(work.context);
  __asm__ volatile("" ::: "memory");
  if (work.block) CH_REAL(_Block_release)(work.block);
}

// Returns the work of which a work item was made. Dispatch passes a cancelled item over, and then counts it as run.
static ch_work begun(ch_work work) {
  work.block = CH_REAL(_Block_copy)(as_made(work.block)->made_from);
  return work;
}

void ch_run_job_on_queue(void *job, ch_executor executor, void *queue) {
  ch_queue_frame here = {queue, false, ch_innermost};
  ch_innermost = &here;
  ch_run_job(job, executor);
  ch_innermost = here.outer;
}

CH_BEHIND(dispatch_block_testcancel);
bool ch_is_cancelled_item(ch_work work) { return as_made(work.block) && CH_REAL(dispatch_block_testcancel)(work.block); }

intptr_t dispatch_block_testcancel(void *block) {
  uintptr_t item = (uintptr_t)ch_work_item_group((ch_work){block});
  if (item) ch_asks_about(item, CH_FRAME);
  return CH_REAL(dispatch_block_testcancel)(block);
}

void ch_do_work(ch_work work, bool has_begun) {
  ch_queue_frame here = {work.queue, work.is_barrier, ch_innermost};
  void *task = swift_task_getCurrent(), **word = ch_word_of_current_task(task);
  ch_innermost = &here;
  task_of_block = task;
  if (word) *word = NULL;
  if (has_begun) ch_call_work(begun(work));
  ch_call_work(work);
  if (word) *word = task;
  task_of_block = NULL;
  ch_innermost = here.outer;
}
#pragma clang attribute pop
#endif
