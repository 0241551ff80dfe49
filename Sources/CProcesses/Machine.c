// What the machine gives this process: text in system files, memory, addresses, signals.
#define _GNU_SOURCE
#include "Private.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int cp_end_of(int pid) { return cp_lifted((int)syscall(SYS_pidfd_open, pid, 0)); }

int cp_terminal_width(int file) {
  struct winsize size;
  return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// MARK: system files

ssize_t cp_read_text(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t length = 0;
  ssize_t got;
  while (length < size - 1 && (got = read(file, text + length, size - 1 - length)) > 0) length += (size_t)got;
  close(file);
  text[length] = 0;
  return (ssize_t)length;
}

char cp_state_in(const char *path) {
  char text[1024];
  if (cp_read_text(path, text, sizeof text) <= 0) return 0;
  // The process name may contain anything. The state follows the last parenthesis.
  char *rest = strrchr(text, ')');
  return rest && rest[1] ? rest[2] : 0;
}

// MARK: processors

int64_t cp_processor_seconds(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (int64_t)limit.rlim_cur : -1;
}

// MARK: memory

uint64_t cp_machine_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

// Returns the lowest limit of a group and of the groups that contain it. A container may show the group under another
// name, or only its root: a file that is missing limits nothing.
static uint64_t least(const char *mount, char *group, const char *file) {
  uint64_t limit = UINT64_MAX;
  while (true) {
    char path[PATH_MAX], text[64];
    snprintf(path, sizeof path, "%s%s/%s", mount, group, file);
    // `max` is not a number and means that there is no limit.
    if (cp_read_text(path, text, sizeof text) > 0 && text[0] >= '0' && text[0] <= '9') {
      uint64_t found = strtoull(text, NULL, 10);
      if (found < limit) limit = found;
    }
    char *slash = strrchr(group, '/');
    if (!slash) return limit;
    *slash = 0;
  }
}

uint64_t cp_group_memory(void) {
  char groups[8192];
  uint64_t limit = UINT64_MAX;
  if (cp_read_text("/proc/self/cgroup", groups, sizeof groups) <= 0) return limit;
  char *rest = NULL;
  for (char *line = strtok_r(groups, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    // `number:controllers:group`; a group without controllers is of version 2.
    char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group) continue;
    *group++ = 0;
    uint64_t found = UINT64_MAX;
    if (strcmp(controllers, ":") == 0) found = least("/sys/fs/cgroup", group, "memory.max");
    else if (strstr(controllers, "memory")) found = least("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
    if (found < limit) limit = found;
  }
  return limit;
}

uint64_t cp_address_space(void) {
  struct rlimit limit;
  char text[128];
  unsigned long long size = 0, resident = 0;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  if (cp_read_text("/proc/self/statm", text, sizeof text) <= 0) return UINT64_MAX;
  if (sscanf(text, "%llu %llu", &size, &resident) != 2) return UINT64_MAX;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), used = size * page;
  return resident * page + (limit.rlim_cur > used ? limit.rlim_cur - used : 0);
}

uint64_t cp_memory_left(void) {
  char text[2048];
  uint64_t left = cp_machine_memory(), own = cp_memory(cp_self());
  if (cp_read_text("/proc/meminfo", text, sizeof text) > 0) {
    char *found = strstr(text, "\nMemAvailable:");
    if (found) left = strtoull(found + strlen("\nMemAvailable:"), NULL, 10) << 10;
  }
  const uint64_t limits[] = {cp_group_memory(), cp_address_space()};
  for (int n = 0; n < 2; n++) {
    uint64_t rest = limits[n] > own ? limits[n] - own : 0;
    if (rest < left) left = rest;
  }
  return left;
}

uint64_t cp_memory_kills(void) {
  char text[32768];
  if (cp_read_text("/proc/vmstat", text, sizeof text) <= 0) return 0;
  char *found = strstr(text, "\noom_kill ");
  return found ? strtoull(found + strlen("\noom_kill "), NULL, 10) : 0;
}

// MARK: addresses

int cp_addresses_fixed(void) {
  int before = personality(0xffffffff);
  if (before < 0 || before & ADDR_NO_RANDOMIZE) return -1;
  return personality((unsigned long)before | ADDR_NO_RANDOMIZE) < 0 ? -1 : before;
}

void cp_addresses_restored(int before) {
  if (before >= 0) personality((unsigned long)before);
}

static bool are_fixed(void) {
  int now = personality(0xffffffff);
  return now >= 0 && now & ADDR_NO_RANDOMIZE;
}

bool cp_can_fix_addresses(void) {
  if (are_fixed()) return true;
  int before = cp_addresses_fixed();
  bool can = are_fixed();
  cp_addresses_restored(before);
  return can;
}

void cp_fix_addresses(char *const *arguments) {
  if (are_fixed()) return;
  int before = cp_addresses_fixed();
  if (are_fixed()) execv(cp_executable(), arguments);
  cp_addresses_restored(before);
}

void cp_start_again(char *const *arguments, const char *name, const char *value) {
  int failed = value ? setenv(name, value, 1) : unsetenv(name);
  if (!failed) execv(cp_executable(), arguments);
}

// MARK: signals of writing

static const int of_writing[] = {SIGPIPE, SIGXFSZ};
enum { count_of_writing = sizeof of_writing / sizeof *of_writing };
static struct sigaction outside[count_of_writing];
static bool are_known;

void cp_signals_of_writing_ignored(void) {
  for (int n = 0; n < count_of_writing; n++) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(of_writing[n], &ignore, are_known ? NULL : &outside[n]);
  }
  are_known = true;
}

void cp_signals_of_writing_restored(void) {
  for (int n = 0; are_known && n < count_of_writing; n++) sigaction(of_writing[n], &outside[n], NULL);
}

void cp_signals_leave_ignored(sigset_t *set) {
  for (int n = 0; are_known && n < count_of_writing; n++)
    if (outside[n].sa_handler == SIG_IGN) sigdelset(set, of_writing[n]);
}
