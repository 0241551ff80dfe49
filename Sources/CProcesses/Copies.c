// Copies of a process that may have other threads.
//
// Only the thread that forks continues in the copy. The C library repairs its allocator there, but any other lock that
// another thread holds at that moment is never released. So a copy is made while the other threads sleep. If the copy
// falls asleep itself, the process that waits for it takes it for a bad copy and makes another.
#define _GNU_SOURCE
#include "Private.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

bool cp_others_are_asleep(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return false;
  long self = syscall(SYS_gettid);
  bool all = true;
  for (struct dirent *entry; all && (entry = readdir(tasks));) {
    long task = strtol(entry->d_name, NULL, 10);
    if (task <= 0 || task == self) continue;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", task);
    char state = cp_state_in(path);
    // A thread that has ended in the meantime holds nothing.
    all = state == 'S' || state == 0 || state == 'Z' || state == 'X';
  }
  closedir(tasks);
  return all;
}

// Reads the lock that a thread of a process waits for: its word and, two words further, its holder. Returns false if
// the thread waits for something else, as far as the system reports.
static bool read_lock(int pid, long thread, uint32_t lock[3]) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%d/task/%ld/syscall", pid, thread);
  if (cp_read_text(path, text, sizeof text) <= 0) return false;
  char *rest;
  if (strtol(text, &rest, 10) != SYS_futex) return false;
  size_t size = 3 * sizeof *lock;
  struct iovec to = {lock, size}, from = {(void *)strtoul(rest, NULL, 16), size};
  return process_vm_readv(pid, &to, 1, &from, 1, 0) == (ssize_t)size;
}

// The lock's word is 2 if a thread waits for it.
bool cp_waits_for_itself(int pid) {
  uint32_t lock[3];
  return read_lock(pid, pid, lock) && lock[0] == 2 && lock[2] == (uint32_t)pid;
}

// The other threads that the process had when this thread last copied it. The locks that they held then are held
// forever in the copy.
enum { most_strangers = 1024 };
static _Thread_local struct {
  size_t count;
  uint32_t numbers[most_strangers];
} strangers;

static size_t list_others(uint32_t *numbers) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  uint32_t self = (uint32_t)syscall(SYS_gettid);
  size_t count = 0;
  for (struct dirent *entry; count < most_strangers && (entry = readdir(tasks));) {
    uint32_t number = (uint32_t)strtoul(entry->d_name, NULL, 10);
    if (number != 0 && number != self) numbers[count++] = number;
  }
  closedir(tasks);
  return count;
}

static bool is_stranger(int pid, uint32_t number) {
  char path[64];
  bool is_listed = false;
  for (size_t n = 0; n < strangers.count && !is_listed; n++) is_listed = strangers.numbers[n] == number;
  if (!is_listed) return false;
  // The system may have reused the number for a thread of the copy.
  snprintf(path, sizeof path, "/proc/%d/task/%u", pid, number);
  return access(path, F_OK) != 0;
}

// Some locks keep the holder's number in their word, beside two bits.
bool cp_waits_for_stranger(int pid) {
  if (strangers.count == 0) return false;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  if (!tasks) return false;
  bool waits = false;
  for (struct dirent *entry; !waits && (entry = readdir(tasks));) {
    uint32_t lock[3];
    long thread = strtol(entry->d_name, NULL, 10);
    if (thread <= 0 || !read_lock(pid, thread, lock)) continue;
    waits = is_stranger(pid, lock[0] & 0x3fffffff) || (lock[0] == 2 && is_stranger(pid, lock[2]));
  }
  closedir(tasks);
  return waits;
}

// The output and the errors of a copy while a person sees them, and `/dev/null` for the rest of the time. They are opened before the
// first execution, in a copy that is quiet too, so that files of the program get the same numbers in every execution.
static int heard_output = -1, heard_errors = -1, unheard = -1;
static bool is_heard;

static void prepare_silence(bool begins_heard) {
  unheard = cp_lifted(open("/dev/null", O_WRONLY | O_CLOEXEC));
  heard_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  heard_errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  is_heard = begins_heard && unheard >= 0;
}

// Leaves a file alone that the program has closed.
static void redirect(int file, int to) {
  if (to >= 0 && fcntl(file, F_GETFD) >= 0) dup2(to, file);
}

static void set_heard(bool hears) {
  is_heard = hears;
  // A thread that the simulation has abandoned may hold the lock of the stream forever.
  if (ftrylockfile(stdout) == 0) {
    fflush(stdout);
    funlockfile(stdout);
  }
  redirect(STDOUT_FILENO, hears ? heard_output : unheard);
  redirect(STDERR_FILENO, hears ? heard_errors : unheard);
}

void cp_fall_silent(void) {
  if (is_heard) set_heard(false);
}

void cp_speak(void) {
  if (!is_heard && unheard >= 0) set_heard(true);
}

void cp_forget_silence(void) {
  is_heard = false;
  unheard = -1;
}

cp_child cp_copy(int capture, bool quietly) {
  int parent = cp_self();
  capture = cp_emptied(capture);
  // Flushes first, so that buffered output is not written twice.
  fflush(stdout);
  strangers.count = list_others(strangers.numbers);
  cp_child_begins();
  pid_t pid = fork();
  if (pid == 0) {
    cp_become_child(parent, capture, quietly);
    prepare_silence(!quietly);
    return (cp_child){0, -1};
  }
  if (pid < 0) cp_child_is_gone();
  return (cp_child){pid, pid < 0 ? -1 : cp_end_of(pid)};
}

void cp_end_copy(cp_child copy) { kill(copy.pid, SIGKILL); }

void cp_leave_copy(int status) {
  fflush(stdout);
  _exit(status);
}

void cp_show_captured(int capture) {
  char bytes[4096];
  ssize_t count;
  for (off_t at = 0; (count = pread(capture, bytes, sizeof bytes, at)) > 0; at += count)
    if (!cp_write_all(STDERR_FILENO, bytes, (size_t)count)) return;
}

bool cp_is_traced(void) {
  char text[4096];
  if (cp_read_text("/proc/self/status", text, sizeof text) <= 0) return false;
  char *found = strstr(text, "\nTracerPid:");
  return found && atoi(found + strlen("\nTracerPid:")) != 0;
}

bool cp_is_instrumented(void) {
  static const char *const names[] = {"__tsan_init", "__asan_init", "__llvm_profile_write_file"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (dlsym(RTLD_DEFAULT, names[n])) return true;
  return false;
}

cp_child cp_beside(cp_recorder *page, cp_recorder *own) {
  int parent = cp_self();
  fflush(stdout);
  cp_child_begins();
  pid_t pid = fork();
  if (pid < 0) cp_child_is_gone();
  if (pid != 0) return (cp_child){pid, -1};
  cp_become_child(parent, STDERR_FILENO, false);
  void *moved = mremap(own, CP_RECORDER_BYTES, CP_RECORDER_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, page);
  if (moved != page) _exit(1);
  return (cp_child){0, -1};
}
