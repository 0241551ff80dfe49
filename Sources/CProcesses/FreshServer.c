// The server of fresh processes: a copy of a test process from before `main`, when it has one thread and none of the
// program has run. It waits, and copies itself on request. Such a copy continues into `main` with other arguments, so
// that the test runner runs one test in it, with the conditions and traits of that test and nothing else.
//
// It is a copy rather than a new start of the executable for two reasons: code and data have the same addresses, and a
// copy has already loaded its libraries.
#define _GNU_SOURCE
#include "Private.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most_fresh = 64, most_bytes = 1 << 16, most_arguments = 64, high_enough = 600, patience = 10000 };

// In the test process: the connection to the server, and its identity, in case other code closes it and its number is
// reused. In a fresh process: the connection to the process that wants it.
static int server = -1, here = -1;
static ino_t server_identity;

typedef void (*override)(char **arguments, int count);

static override override_arguments(void) {
  return (override)dlsym(RTLD_DEFAULT, "_swift_stdlib_overrideUnsafeArgvArgc");
}

static int lifted(int descriptor) {
  int high = descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, high_enough);
  if (high < 0) return cp_lifted(descriptor);
  close(descriptor);
  return high;
}

static ino_t identity_of(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode) ? status.st_ino : 0;
}

// MARK: messages to the server

// A message to the server: the process to end, or 0 to request a new one with these arguments, each ended by 0.
typedef struct {
  int32_t ends;
  char arguments[most_bytes];
} order;

typedef union {
  struct cmsghdr aligned;
  char bytes[CMSG_SPACE(sizeof(int))];
} control;

static bool send_order(const order *sent, size_t size, int given) {
  struct iovec one = {(void *)sent, size};
  control space = {0};
  struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1};
  if (given >= 0) {
    message.msg_control = space.bytes;
    message.msg_controllen = sizeof space.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof given)};
    memcpy(CMSG_DATA(header), &given, sizeof given);
  }
  ssize_t count;
  while ((count = sendmsg(server, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return count == (ssize_t)size;
}

// Receives a message. Returns its number of bytes; 0 at the end of the connection.
static size_t receive_order(int from, order *got, int *given) {
  struct iovec one = {got, sizeof *got};
  control space;
  struct msghdr message = {
    .msg_iov = &one, .msg_iovlen = 1, .msg_control = space.bytes, .msg_controllen = sizeof space.bytes};
  ssize_t count;
  while ((count = recvmsg(from, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  *given = -1;
  if (header && header->cmsg_type == SCM_RIGHTS) memcpy(given, CMSG_DATA(header), sizeof *given);
  return count > 0 ? (size_t)count : 0;
}

// MARK: the server

static int living[most_fresh];
static size_t living_count;

// Ends a process. Its number is not reused before it has been waited for, so no other process ends in its place.
static void end_one(size_t index) {
  kill(-living[index], SIGKILL);
  kill(living[index], SIGKILL);
  while (waitpid(living[index], NULL, 0) < 0 && errno == EINTR) {}
  living[index] = living[--living_count];
}

static void end_fresh(int pid) {
  for (size_t n = 0; n < living_count; n++)
    if (living[n] == pid) return end_one(n);
}

static void forget_ended(void) {
  for (size_t n = living_count; n-- > 0;)
    if (waitpid(living[n], NULL, WNOHANG) == living[n]) living[n] = living[--living_count];
}

static void give_arguments(char *bytes, size_t size) {
  static char *arguments[most_arguments + 1];
  int count = 0;
  for (size_t at = 0; at < size && count < most_arguments; at += strlen(bytes + at) + 1) arguments[count++] = bytes + at;
  override_arguments()(arguments, count);
}

static void become_fresh(int parent, int connection, order *wanted, size_t size) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setpgid(0, 0);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  here = lifted(connection);
  give_arguments(wanted->arguments, size - offsetof(order, arguments));
  int32_t pid = cp_self();
  cp_write_all(here, &pid, sizeof pid);
}

// Closes all descriptors but `socket`, so that nothing stays open that others wait to see closed.
static int close_all_but(int socket) {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int standard = 0; standard < 3; standard++) dup2(nowhere, standard);
  int own = fcntl(socket, F_DUPFD_CLOEXEC, 3);
  dup2(own, 3);
  syscall(SYS_close_range, 4, ~0u, 0);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  return 3;
}

static void leave_server(void) {
  while (living_count > 0) end_one(0);
  _exit(0);
}

// Serves copies. Returns only in a copy.
static void serve(int socket, int tests) {
  static order wanted;
  int own = close_all_but(socket), end = cp_end_of(tests), self = cp_self();
  prctl(PR_SET_NAME, "fresh-server");
  while (true) {
    struct pollfd waits[2] = {{.fd = own, .events = POLLIN}, {.fd = end, .events = POLLIN}};
    if (poll(waits, 2, -1) < 0 && errno == EINTR) continue;
    if (waits[1].revents) leave_server();
    int connection;
    size_t size = receive_order(own, &wanted, &connection);
    if (size < sizeof wanted.ends) leave_server();
    forget_ended();
    if (wanted.ends) end_fresh(wanted.ends);
    pid_t pid = connection >= 0 && living_count < most_fresh ? fork() : -1;
    if (pid == 0) {
      close(own);
      close(end);
      return become_fresh(self, connection, &wanted, size);
    }
    if (connection >= 0) close(connection);
    if (pid < 0) continue;
    setpgid(pid, pid);
    living[living_count++] = pid;
  }
}

// MARK: the test process

static bool ends_in(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool runs_tests(int count, char **arguments) {
  if (count > 0 && ends_in(arguments[0], ".xctest")) return true;
  for (int n = 1; n < count; n++)
    if (strcmp(arguments[n], "--testing-library") == 0) return true;
  return false;
}

static bool may_copy(void) {
  const char *contained = getenv("SIMULATOR_CONTAINED");
  return !(contained && strcmp(contained, "0") == 0) && override_arguments() && !cp_is_traced() && !cp_is_instrumented();
}

// Starts the server. It is not a child of this process, so a program that waits for all its children does not wait for it.
__attribute__((constructor)) static void start(int count, char **arguments) {
  int sockets[2], tests = cp_self();
  if (!runs_tests(count, arguments) || !may_copy()) return;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) return;
  // The intermediate process borrows this one's memory until it ends.
  pid_t between = vfork();
  if (between == 0) {
    if (fork() == 0) return serve(sockets[1], tests);
    _exit(0);
  }
  close(sockets[1]);
  while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR) {}
  server = lifted(sockets[0]);
  server_identity = identity_of(server);
}

bool cp_fresh_is_served(void) { return server >= 0 && server_identity && identity_of(server) == server_identity; }
int cp_fresh_here(void) { return here; }

cp_fresh cp_fresh_begin(const char *arguments, size_t size) {
  int sockets[2];
  order wanted = {0};
  if (!cp_fresh_is_served() || size > sizeof wanted.arguments) return (cp_fresh){-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return (cp_fresh){-1, -1};
  memcpy(wanted.arguments, arguments, size);
  bool isAsked = send_order(&wanted, offsetof(order, arguments) + size, sockets[1]);
  close(sockets[1]);
  int32_t pid;
  struct pollfd wait = {.fd = sockets[0], .events = POLLIN};
  int ready = 0;
  while (isAsked && (ready = poll(&wait, 1, patience)) < 0 && errno == EINTR) {}
  if (ready > 0 && cp_read_all(sockets[0], &pid, sizeof pid)) return (cp_fresh){pid, lifted(sockets[0])};
  close(sockets[0]);
  return (cp_fresh){-1, -1};
}

void cp_fresh_end(cp_fresh process) {
  cp_close(process.socket);
  order ends = {.ends = process.pid};
  if (process.pid > 0 && cp_fresh_is_served()) send_order(&ends, sizeof ends.ends, -1);
}
#else
bool cp_fresh_is_served(void) { return false; }
int cp_fresh_here(void) { return -1; }
cp_fresh cp_fresh_begin(const char *arguments, size_t size) { return (cp_fresh){-1, -1}; }
void cp_fresh_end(cp_fresh process) {}
#endif
