// Children that run ahead of their parent: forks of a process with one thread.
#define _GNU_SOURCE
#include "CProcesses.h"

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
#include <sys/wait.h>
#include <unistd.h>

int cp_self(void) { return getpid(); }

int cp_threads(void) {
  char text[1024];
  int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  // The name of the process may hold anything; what follows the last bracket is numbers, the 18th of them this.
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

static void become_child(int parent, int capture) {
  static const int fatal[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGTERM, SIGINT};
  for (size_t n = 0; n < sizeof fatal / sizeof *fatal; n++) signal(fatal[n], SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  dup2(capture >= 0 ? capture : nowhere, STDERR_FILENO);
}

cp_child cp_fork(int capture) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return (cp_child){-1, -1};
  ends[0] = cp_lifted(ends[0]);
  ends[1] = cp_lifted(ends[1]);
  if (capture >= 0 && (ftruncate(capture, 0) != 0 || lseek(capture, 0, SEEK_SET) != 0)) capture = -1;
  int parent = getpid();
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    become_child(parent, capture);
    return (cp_child){0, ends[1]};
  }
  close(ends[1]);
  if (pid < 0) close(ends[0]);
  return (cp_child){pid, pid < 0 ? -1 : ends[0]};
}

static cp_end end_of(int reason, int status) {
  return (cp_end){
    .reason = reason,
    .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
    .status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
  };
}

static cp_end reap(int pid, int reason) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return end_of(reason, status);
}

// What changes whenever something is done.
static uint64_t progress(const volatile cp_recorder *recorder) {
  return (recorder->executions << 32) + (recorder->steps << 8) + recorder->acts + recorder->choices;
}

cp_end cp_watch(cp_child child, const cp_recorder *recorder, int64_t stall, uint64_t memory) {
  uint64_t seen = progress(recorder), held = 0;
  cp_stillness stillness = cp_stillness_begin(child.pid);
  int reason = CP_ENDED;
  while (true) {
    struct pollfd wait = {.fd = child.alive, .events = POLLIN};
    if (poll(&wait, 1, 20) > 0) break;
    uint64_t now = progress(recorder), holds = cp_memory(child.pid);
    // What grows without end is stopped for its size, on a slow machine too.
    if (now != seen || holds > held + memory / 32) {
      seen = now;
      held = holds;
      stillness = cp_stillness_begin(child.pid);
    }
    if (cp_stillness_now(&stillness, child.pid) > stall) reason = CP_STALLED;
    else if (holds > memory) reason = CP_TOO_LARGE;
    else continue;
    kill(child.pid, SIGKILL);
    break;
  }
  close(child.alive);
  return reap(child.pid, reason);
}

void cp_leave(int status) { _exit(status); }

cp_end cp_reap(int pid) { return reap(pid, CP_ENDED); }

bool cp_has_ended(int pid, cp_end *end) {
  int status = 0;
  if (waitpid(pid, &status, WNOHANG) != pid) return false;
  *end = end_of(CP_ENDED, status);
  return true;
}
