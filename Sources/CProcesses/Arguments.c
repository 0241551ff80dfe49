// How this process was started: its arguments and its executable.
#define _GNU_SOURCE
#include "Private.h"

#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

static char *const *arguments;

#if defined(__GLIBC__)
// The C library passes the arguments to functions that run before `main`. Swift's standard library reads them from
// `/proc` instead, and has none if that is not mounted.
__attribute__((constructor)) static void note(int count, char **given) { arguments = count > 0 ? given : 0; }
#endif

char *const *cp_arguments(void) { return arguments; }

const char *cp_executable(void) {
  static const char link[] = "/proc/self/exe";
  if (access(link, F_OK) == 0) return link;
#if defined(__linux__)
  const char *path = (const char *)getauxval(AT_EXECFN);
  if (path) return path;
#endif
  return arguments ? arguments[0] : "";
}
