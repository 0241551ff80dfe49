// Workers: this executable, started again.
#define _GNU_SOURCE
#include "Private.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// The numbers of a worker's descriptors when it starts.
enum { given_socket = 3, given_recorder = 4 };

static int start(pid_t *pid, char *const *arguments, char *const *environment, int socket, int output, int recorder) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // Moved to higher numbers first: one of them may have the number that another is to get.
  int high_socket = fcntl(socket, F_DUPFD_CLOEXEC, 10), high_recorder = fcntl(recorder, F_DUPFD_CLOEXEC, 10);
  int high_output = fcntl(output, F_DUPFD_CLOEXEC, 10);
  int error = high_socket < 0 || high_recorder < 0 || high_output < 0 ? errno : 0;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, high_output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, high_output, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, high_socket, given_socket);
  posix_spawn_file_actions_adddup2(&actions, high_recorder, given_recorder);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  cp_signals_leave_ignored(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  // The new process inherits this setting from the thread that starts it.
  int addresses = cp_addresses_fixed();
  if (!error) error = posix_spawn(pid, cp_executable(), &actions, &attributes, arguments, environment);
  cp_addresses_restored(addresses);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (high_socket >= 0) close(high_socket);
  if (high_recorder >= 0) close(high_recorder);
  if (high_output >= 0) close(high_output);
  return error;
}

extern char **environ;

static bool is_set_here(const char *entry, const char *name) {
  size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

// Returns our environment with the entry that makes the process a worker. Backtraces are off: what a trap writes is enough.
static char **worker_environment(const char *name, const char *value, char *mark, size_t size) {
  static char quiet[] = "SWIFT_BACKTRACE=enable=no";
  size_t count = 0;
  while (environ && environ[count]) count++;
  char **copy = malloc((count + 3) * sizeof *copy);
  if (!copy) return NULL;
  size_t kept = 0;
  for (size_t n = 0; n < count; n++)
    if (!is_set_here(environ[n], name) && !is_set_here(environ[n], "SWIFT_BACKTRACE")) copy[kept++] = environ[n];
  snprintf(mark, size, "%s=%s", name, value);
  copy[kept++] = mark;
  copy[kept++] = quiet;
  copy[kept] = NULL;
  return copy;
}

static bool leaves_too_few(int highest) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)highest + 16 > limit.rlim_cur;
}

int cp_worker_ends(int sockets[2], int pipes[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return errno;
  if (pipe2(pipes, O_CLOEXEC) != 0) {
    int error = errno;
    close(sockets[0]);
    close(sockets[1]);
    return error;
  }
  sockets[0] = cp_lifted(sockets[0]);
  pipes[0] = cp_lifted(pipes[0]);
  // The tool needs some descriptors for its own files.
  return leaves_too_few(pipes[1]) ? cp_no_worker(sockets, pipes, EMFILE).error : 0;
}

cp_worker cp_new_worker(int pid, const int sockets[2], const int pipes[2]) {
  close(sockets[1]);
  close(pipes[1]);
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  return (cp_worker){pid, sockets[0], pipes[0], cp_end_of(pid), 0};
}

cp_worker cp_no_worker(const int sockets[2], const int pipes[2], int error) {
  for (int n = 0; n < 2; n++) {
    close(sockets[n]);
    close(pipes[n]);
  }
  return (cp_worker){-1, -1, -1, -1, error};
}

cp_worker cp_spawn(char *const *arguments, const char *name, const char *value, int recorder) {
  int sockets[2], pipes[2];
  int error = cp_worker_ends(sockets, pipes);
  if (error) return (cp_worker){-1, -1, -1, -1, error};
  pid_t pid = -1;
  char mark[128];
  char **environment = worker_environment(name, value, mark, sizeof mark);
  cp_child_begins();
  error = environment ? start(&pid, arguments, environment, sockets[1], pipes[1], recorder) : ENOMEM;
  if (error) cp_child_is_gone();
  free(environment);
  return error ? cp_no_worker(sockets, pipes, error) : cp_new_worker(pid, sockets, pipes);
}

// The connection of this worker, and the identity that distinguishes it from another file with its number.
static int own_socket = -1;
static struct stat own_identity;

// Moves a descriptor far from the numbers that other code gets for its files, but not so far that file tables grow large.
static int hidden(int descriptor) {
  struct rlimit limit;
  rlim_t most = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1024 ? limit.rlim_cur : 1024;
  int high = fcntl(descriptor, F_DUPFD_CLOEXEC, (int)(most > 24 ? most - 8 : 3));
  if (high < 0) high = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  close(descriptor);
  return high;
}

cp_recorder *cp_worker_begin(int parent) {
  own_socket = hidden(given_socket);
  if (own_socket < 0 || fstat(own_socket, &own_identity) != 0) return NULL;
  cp_recorder *recorder = cp_recorder_map(given_recorder);
  close(given_recorder);
  prctl(PR_SET_NAME, program_invocation_short_name);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  cp_become_watched();
  return getppid() == parent ? recorder : NULL;
}

bool cp_worker_connect(int socket) {
  return own_socket >= 0 && dup3(socket, own_socket, O_CLOEXEC) >= 0 && fstat(own_socket, &own_identity) == 0;
}

int cp_worker_socket(void) {
  struct stat now;
  bool is_own = own_socket >= 0 && fstat(own_socket, &now) == 0 && now.st_dev == own_identity.st_dev
    && now.st_ino == own_identity.st_ino;
  return is_own ? own_socket : -1;
}

bool cp_worker_leave_answer(cp_recorder *recorder, const void *bytes, size_t size) {
  int file = memfd_create("answer", MFD_CLOEXEC);
  if (file < 0 || !cp_write_all(file, bytes, size)) return false;
  recorder->answer = file;
  __atomic_store_n(&recorder->has_answer, 1, __ATOMIC_RELEASE);
  return true;
}

int cp_worker_answer(int pid, const cp_recorder *recorder) {
  char path[64];
  if (!__atomic_load_n(&recorder->has_answer, __ATOMIC_ACQUIRE)) return -1;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, recorder->answer);
  return cp_lifted(open(path, O_RDONLY | O_CLOEXEC));
}

void cp_kill(int pid) {
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
}

void cp_kill_group(int pid) { kill(-pid, SIGKILL); }

uint64_t cp_memory(int pid) {
  char path[64], text[128];
  snprintf(path, sizeof path, "/proc/%d/statm", pid);
  if (cp_read_text(path, text, sizeof text) <= 0) return 0;
  unsigned long long size = 0, resident = 0;
  if (sscanf(text, "%llu %llu", &size, &resident) != 2) return 0;
  return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static int64_t processor_time(int pid) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

bool cp_is_asleep(int pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  return cp_state_in(path) != 'R';
}

cp_stillness cp_stillness_begin(int pid) { return (cp_stillness){cp_now(), processor_time(pid), 0}; }

int64_t cp_stillness_now(cp_stillness *stillness, int pid) {
  int64_t now = cp_now(), processor = processor_time(pid);
  int64_t passed = now - stillness->looked, had = processor - stillness->processor;
  // If its processor time is unknown, all time that passes counts.
  bool counts_all = processor < 0 || stillness->processor < 0 || cp_is_asleep(pid);
  stillness->still += counts_all || had > passed ? passed : had;
  stillness->looked = now;
  stillness->processor = processor;
  return stillness->still;
}

int cp_processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}
