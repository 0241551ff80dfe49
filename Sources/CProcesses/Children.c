// Children that run ahead of their parent: forks of a process with one thread.
#define _GNU_SOURCE
#include "Private.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The C library's own function: a simulated program gets a different process ID. Resolved ahead of time, because a
// signal handler calls it.
static pid_t (*real_getpid)(void);
__attribute__((constructor)) static void find_getpid(void) { real_getpid = (pid_t (*)(void))dlsym(RTLD_NEXT, "getpid"); }

int cp_self(void) { return real_getpid ? real_getpid() : getpid(); }

int cp_threads(void) {
  char text[1024];
  if (cp_read_text("/proc/self/stat", text, sizeof text) <= 0) return 0;
  // The process name may contain anything. Fields follow the last parenthesis; the 18th is the number of threads.
  char *rest = strrchr(text, ')');
  for (int field = 0; rest && field < 18; field++) rest = strchr(rest + 1, ' ');
  return rest ? atoi(rest + 1) : 0;
}

int cp_capture_open(void) { return cp_lifted(memfd_create("errors", MFD_CLOEXEC)); }

size_t cp_capture_read(int capture, char *buffer, size_t size) {
  off_t length = lseek(capture, 0, SEEK_END);
  if (length <= 0) return 0;
  off_t start = length > (off_t)size ? length - (off_t)size : 0;
  ssize_t got = pread(capture, buffer, size, start);
  return got > 0 ? (size_t)got : 0;
}

int cp_emptied(int capture) {
  return capture >= 0 && ftruncate(capture, 0) == 0 && lseek(capture, 0, SEEK_SET) == 0 ? capture : -1;
}

void cp_become_child(int parent, int capture, bool quietly) {
  cp_forget_silence();
  cp_become_watched();
  cp_forget_children();
  cp_keep_handlers_of_program();
  cp_note_deaths();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (quietly && nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  dup2(capture >= 0 ? capture : nowhere, STDERR_FILENO);
}

// Lists the children of this process, as many as fit. Returns 0 if the system does not report them.
enum { most_children = 64 };

static size_t children(int *pids) {
  char path[64], text[most_children * 12];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", cp_self());
  if (cp_read_text(path, text, sizeof text) <= 0) return 0;
  size_t count = 0;
  for (char *at = text, *end; count < most_children; at = end) {
    long pid = strtol(at, &end, 10);
    if (end == at) break;
    pids[count++] = (int)pid;
  }
  return count;
}

// There is one child at a time. These are the children that existed before it, and whether this process adopted orphans
// before.
static int before[most_children];
static size_t before_count;
static int adopted_before;

static bool was_there_before(int pid) {
  for (size_t n = 0; n < before_count; n++)
    if (before[n] == pid) return true;
  return false;
}

// Kills what the child has started. When a process ends, its children become children of this process, and end too.
static void end_orphans(void) {
  for (int round = 0; round < 100; round++) {
    int now[most_children];
    size_t count = children(now), ended = 0;
    for (size_t n = 0; n < count; n++) {
      if (was_there_before(now[n])) continue;
      kill(now[n], SIGKILL);
      while (waitpid(now[n], NULL, 0) < 0 && errno == EINTR) {}
      ended++;
    }
    if (ended == 0) break;
  }
  prctl(PR_SET_CHILD_SUBREAPER, adopted_before);
}

cp_child cp_fork(int capture) {
  capture = cp_emptied(capture);
  int parent = cp_self();
  before_count = children(before);
  prctl(PR_GET_CHILD_SUBREAPER, &adopted_before);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  cp_child_begins();
  pid_t pid = fork();
  int error = errno;
  if (pid == 0) {
    cp_become_child(parent, capture, true);
    return (cp_child){0, -1};
  }
  if (pid > 0) return (cp_child){pid, cp_end_of(pid)};
  cp_child_is_gone();
  prctl(PR_SET_CHILD_SUBREAPER, adopted_before);
  errno = error;
  return (cp_child){pid, -1};
}

static cp_end reap(int pid, int reason) {
  int status = 0;
  struct rusage usage = {0};
  pid_t got;
  while ((got = wait4(pid, &status, 0, &usage)) < 0 && errno == EINTR) {}
  cp_child_is_gone();
  return (cp_end){
    .is_lost = got < 0,
    .reason = reason,
    .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
    .status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
    .peak = (uint64_t)usage.ru_maxrss * 1024,
  };
}

bool cp_has_ended(int pid) {
  siginfo_t info = {.si_pid = 0};
  int got = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
  return got == 0 ? info.si_pid == pid : errno == ECHILD;
}

// Returns a value that changes whenever something is done.
static uint64_t progress(const volatile cp_recorder *recorder) {
  return (recorder->executions << 32) + (recorder->steps << 8) + recorder->acts + recorder->choices;
}

// The time in nanoseconds that a child may take to stop after the deadline, which it checks itself between two executions.
static const int64_t grace = 250000000;

// Returns true if the child has stood still for so long that it is time to check what it waits for: after a quarter of
// a second, and then ever more rarely, since the child may have many threads.
static bool is_suspicious(int64_t still, int64_t *asked) {
  static const int64_t patience = 250000000;
  if (still < patience) *asked = patience / 2;
  if (still <= 2 * *asked) return false;
  *asked = still;
  return true;
}

cp_end cp_watch(cp_child child, cp_recorder *recorder, int64_t stall, uint64_t memory) {
  uint64_t seen = progress(recorder), held = 0;
  int64_t still = 0, asked = 0;
  cp_stillness stillness = cp_stillness_begin(child.pid), late = stillness;
  int reason = CP_ENDED;
  while (true) {
    // Asks the system if the child has ended, because processes that the child has started may keep its descriptors open.
    struct pollfd wait = {.fd = child.ended, .events = POLLIN};
    if (poll(&wait, 1, 20) > 0 && wait.revents & POLLNVAL) child.ended = -1;
    if (cp_has_ended(child.pid)) break;
    uint64_t now = progress(recorder), holds = cp_memory(child.pid);
    // A child that grows does not count as still. If it grows without end, its size stops it, even on a slow machine.
    if (now != seen || holds > held + memory / 32) {
      if (now != seen && (uint64_t)still > recorder->longest) recorder->longest = (uint64_t)still;
      seen = now;
      held = holds;
      stillness = cp_stillness_begin(child.pid);
    }
    still = cp_stillness_now(&stillness, child.pid);
    if (is_suspicious(still, &asked) && cp_waits_for_stranger(child.pid)) recorder->is_bad_copy = 1;
    bool is_over = recorder->deadline && cp_now() > recorder->deadline;
    if (!is_over) late = cp_stillness_begin(child.pid);
    if (recorder->is_bad_copy || still > stall) reason = CP_STALLED;
    else if (holds > memory) reason = CP_TOO_LARGE;
    else if (is_over && cp_stillness_now(&late, child.pid) > grace) reason = CP_LATE;
    else continue;
    if (reason != CP_LATE && !recorder->is_bad_copy) cp_ask_for_place(child.pid, recorder);
    kill(child.pid, SIGKILL);
    break;
  }
  if (child.ended >= 0) close(child.ended);
  cp_end end = cp_found_end(reap(child.pid, reason), recorder);
  end_orphans();
  // Then this process is a bad copy too, and can learn nothing more.
  if (recorder->is_bad_copy) _exit(1);
  // The child may have grown too fast to be noticed, and ended because memory ran out.
  if (end.reason == CP_ENDED && (end.signal != 0 || end.status != 0) && end.peak > memory) end.reason = CP_TOO_LARGE;
  return end;
}

void cp_leave(int status) { _exit(status); }

cp_end cp_reap(int pid) { return reap(pid, CP_ENDED); }
