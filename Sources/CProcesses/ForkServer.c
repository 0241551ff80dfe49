// The fork server (the term is AFL's): a worker that has started, takes no orders, and is copied to make other workers.
// A copy costs a fraction of starting this executable again and preparing it.
//
// A copy is made through an intermediate process that ends at once, so that the copy becomes a child of the process
// that wants it.
#define _GNU_SOURCE
#include "Private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int cp_adopts_orphans(int adopts) {
  int before = 0;
  if (prctl(PR_GET_CHILD_SUBREAPER, &before) != 0 || prctl(PR_SET_CHILD_SUBREAPER, adopts) != 0) return -1;
  return before;
}

// The descriptors of a new worker, as they are sent to the server.
typedef struct {
  int socket, output, recorder;
} given;

typedef union {
  struct cmsghdr aligned;
  char bytes[CMSG_SPACE(sizeof(given))];
} control;

static struct msghdr message(struct iovec *one, control *space) {
  return (struct msghdr){
    .msg_iov = one, .msg_iovlen = 1, .msg_control = space->bytes, .msg_controllen = sizeof space->bytes};
}

static bool send_given(int to, given all) {
  char byte = 1;
  struct iovec one = {&byte, 1};
  control space = {0};
  struct msghdr sent = message(&one, &space);
  struct cmsghdr *header = CMSG_FIRSTHDR(&sent);
  *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof all)};
  memcpy(CMSG_DATA(header), &all, sizeof all);
  return sendmsg(to, &sent, MSG_NOSIGNAL) == 1;
}

// Receives a worker's descriptors. Returns false at the end of the connection.
static bool receive_given(int from, given *all) {
  char byte;
  struct iovec one = {&byte, 1};
  control space;
  struct msghdr got = message(&one, &space);
  ssize_t count;
  while ((count = recvmsg(from, &got, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  struct cmsghdr *header = count == 1 ? CMSG_FIRSTHDR(&got) : NULL;
  if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof *all)) return false;
  memcpy(all, CMSG_DATA(header), sizeof *all);
  return true;
}

static void close_given(given all) {
  close(all.socket);
  close(all.output);
  close(all.recorder);
}

// Sends the process ID of the copy, or a negative error code. Called in whichever process knows the answer.
static void tell(int socket, int32_t answer) { cp_write_all(socket, &answer, sizeof answer); }

// The number of milliseconds that the server may take to answer. It prepares itself when it starts.
enum { patience = 20000 };

static int32_t answer_of(int server) {
  int32_t answer;
  struct pollfd wait = {.fd = server, .events = POLLIN};
  int ready;
  while ((ready = poll(&wait, 1, patience)) < 0 && errno == EINTR) {}
  if (ready == 0) return -ETIMEDOUT;
  return cp_read_all(server, &answer, sizeof answer) ? answer : -EPIPE;
}

cp_worker cp_spawn_copy(int server, int recorder) {
  int sockets[2], pipes[2];
  int error = cp_worker_ends(sockets, pipes);
  if (error) return (cp_worker){-1, -1, -1, -1, error};
  cp_child_begins();
  bool isAsked = send_given(server, (given){sockets[1], pipes[1], recorder});
  int32_t answer = isAsked ? answer_of(server) : -EPIPE;
  if (answer <= 0) cp_child_is_gone();
  return answer > 0 ? cp_new_worker(answer, sockets, pipes) : cp_no_worker(sockets, pipes, -answer);
}

// Waits until this copy is a child of `parent`, the server's own parent. It becomes one when the intermediate process
// has ended.
static bool comes_to(int parent) {
  for (int n = 0; n < 20000 && getppid() != parent; n++) usleep(n < 100 ? 20 : 500);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == parent;
}

// Makes this copy a worker. It sends its process ID only as a child of the process that wants it, which could not see
// it end before.
static void become_worker(int parent, cp_recorder *page, given all) {
  int server = cp_worker_socket();
  setpgid(0, 0);
  bool isWhole = comes_to(parent) && dup2(all.output, STDOUT_FILENO) >= 0 && dup2(all.output, STDERR_FILENO) >= 0
    && mmap(page, CP_RECORDER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, all.recorder, 0) == page;
  tell(server, isWhole ? cp_self() : -ECHILD);
  if (!isWhole || !cp_worker_connect(all.socket)) _exit(1);
  close_given(all);
}

// Copies this process. Returns true in the copy.
static bool copied(int parent, cp_recorder *page, given all) {
  // The intermediate process borrows this one's memory until it ends: copying that memory twice would take twice as long.
  pid_t between = vfork();
  if (between == 0) {
    pid_t copy = fork();
    if (copy == 0) {
      become_worker(parent, page, all);
      return true;
    }
    if (copy < 0) tell(cp_worker_socket(), -errno);
    _exit(0);
  }
  if (between < 0) tell(cp_worker_socket(), -errno);
  while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR) {}
  close_given(all);
  return false;
}

void cp_serve_copies(int parent, cp_recorder *page) {
  given all;
  while (cp_threads() == 1 && receive_given(cp_worker_socket(), &all))
    if (copied(parent, page, all)) return;
  _exit(0);
}
