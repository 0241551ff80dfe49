// The condition of a process: state that all of its code shares and any of it can change.
#define _GNU_SOURCE
#include "Private.h"

#include <dirent.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const int resources[] = {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CPU, RLIMIT_NPROC};
enum { resource_count = sizeof resources / sizeof *resources };

static struct {
  struct rlimit limits[resource_count];
  dev_t device;
  ino_t folder;
  pid_t session;
  int descriptors;
} before;

// Counts the open descriptors. Returns -1 if that is not possible, for example because none can be opened.
static int open_descriptors(void) {
  DIR *all = opendir("/proc/self/fd");
  if (!all) return -1;
  int count = 0;
  while (readdir(all)) count++;
  closedir(all);
  return count;
}

void cp_note_condition(void) {
  struct stat folder = {0};
  if (stat(".", &folder) == 0) before.device = folder.st_dev, before.folder = folder.st_ino;
  for (int n = 0; n < resource_count; n++) getrlimit(resources[n], &before.limits[n]);
  before.session = getsid(0);
  before.descriptors = open_descriptors();
}

bool cp_condition_has_changed(int executions) {
  // The number of descriptors that each execution may leave open, and an allowance for our own.
  enum { few = 8, own = 16 };
  struct stat folder = {0};
  struct rlimit limit;
  if (before.folder == 0) return false;
  if (stat(".", &folder) != 0 || folder.st_dev != before.device || folder.st_ino != before.folder) return true;
  for (int n = 0; n < resource_count; n++)
    if (getrlimit(resources[n], &limit) != 0 || memcmp(&limit, &before.limits[n], sizeof limit) != 0) return true;
  int now = open_descriptors();
  return getsid(0) != before.session || now < 0 || now - before.descriptors - own > few * executions;
}
