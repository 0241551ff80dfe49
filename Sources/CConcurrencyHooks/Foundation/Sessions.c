// Puts a simulated server before everything that a `URLSession` would ask, when Foundation makes its configuration.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Returns true if a protocol of the program, such as a test's `URLProtocol`, is asked before the network.
#define CLASSES "$s20FoundationNetworking23URLSessionConfigurationC15protocolClassesSayyXlXpGSgvg"
enum { array_count = 2, array_elements = 4 };  // offsets in a Swift array, in words
static bool has_own_protocol(void *configuration) {
  static void *_Atomic real;
  typedef SWIFTCC uintptr_t *getter(__attribute__((swift_context)) void *);
  uintptr_t *classes = ((getter *)ch_real(&real, CLASSES))(configuration);
  bool found = false;
  for (size_t n = 0; classes && n < classes[array_count]; n++)
    if (!ch_is_foundation((void *)classes[array_elements + n])) found = true;
  swift_release(classes);
  return found;
}

// Ends the step as an escape if no server serves the session, which would use the network. `frame` is the calling hook's.
static void needs_server(void *configuration, void *const *frame) {
  ch_simulation *s = ch_in_program();
  if (!s || (simulator_http_serves && simulator_http_serves())) return;
  if (configuration && has_own_protocol(configuration)) return;
  if (ch_leaves(s, "URLSession", frame)) ch_leave_step(s);
}

// MARK: descriptors

// True if this thread is making a session in a simulation.
static _Thread_local bool makes_session;

static void replace_resume(void);

static bool begins_session(void) {
  bool was = makes_session;
  if (ch_current) {
    makes_session = true;
    replace_resume();
  }
  return was;
}

// Returns true if the address is in libcurl or FoundationNetworking. For each session, libcurl makes descriptors that can wake
// a thread waiting in it. Foundation never waits there, and libcurl works without them. A session that an execution leaves
// behind, in a step that never ends or with a task that is never resumed, would keep them open: a long search would run out.
static bool is_of_sessions(const void *address) {
  const char *file = ch_library_of(address);
  return !strncmp(file, "libcurl", 7) || !strncmp(file, "libFoundationNetworking", 23);
}

// Returns true if the call comes from `Data(contentsOf:)`. It makes a session of its own, which asks none of the protocols
// that come before the network, and waits for it. This is the last place where the program's line is known. The caller is
// another part of Foundation then, whereas the work of an existing session comes from a queue.
static bool reads_at_once(void *const *frame) {
  ch_callers found = {.count = 0};
  ch_find_callers(frame, &found);
  int n = 0;
  while (n < found.count && is_of_sessions(found.addresses[n])) n++;
  return n < found.count && ch_is_foundation(found.addresses[n]);
}

static bool does_without(void *const *frame) {
  ch_simulation *s = ch_in_program();
  if ((!makes_session && !s) || !is_of_sessions(frame[1])) return false;
  if (!makes_session && !reads_at_once(frame)) return false;
  if (!makes_session && ch_leaves(s, "Data(contentsOf:)", frame)) ch_leave_step(s);
  errno = EMFILE;
  return true;
}

static void *_Atomic real_socketpair;
int socketpair(int domain, int type, int protocol, int pair[2]) {
  if (does_without(CH_FRAME)) return -1;
  return CH_REAL(socketpair)(domain, type, protocol, pair);
}

static void *_Atomic real_eventfd;
int eventfd(unsigned count, int flags) {
  if (does_without(CH_FRAME)) return -1;
  return CH_REAL(eventfd)(count, flags);
}

// MARK: tasks

#define TASK "$s20FoundationNetworking14URLSessionTaskC"
static void *_Atomic real_resume;

// Resumes a task that is not running. Resuming a running task has no effect, but Foundation on Linux looks up its protocol
// anyway, and ends the process if the answer is delivered at that moment. A reply over a network hardly ever comes that early.
typedef SWIFTCC void resume_function(__attribute__((swift_context)) void *task);
static SWIFTCC void resumes(__attribute__((swift_context)) void *task) {
  if (!ch_in_program() || !simulator_http_runs(task)) ((resume_function *)real_resume)(task);
}

// Replaces `resume` in the class that `accessor` returns. Callers look the function up in the class of their task.
static void replace_resume_in(const char *accessor) {
  typedef struct { uintptr_t *class; size_t state; } answer;
  typedef SWIFTCC answer accessor_function(size_t request);
  enum { size = 8, before = 9, descriptor = 5 };  // the first two in half words, the last in words
  void *_Atomic found = NULL;
  uintptr_t *class = ((accessor_function *)ch_real(&found, accessor))(0).class;
  const uint32_t *halves = (const uint32_t *)class;
  const uintptr_t *end = class + (halves[size] - halves[before]) / sizeof *class;
  for (uintptr_t *word = class + descriptor; word < end; word++)
    if (*word == (uintptr_t)real_resume) *word = (uintptr_t)resumes;
}

static void replace_resume(void) {
  static _Atomic bool is_replaced;
  if (is_replaced || !simulator_http_runs) return;
  ch_real(&real_resume, TASK "6resumeyyF");
  replace_resume_in(TASK "Ma");
  replace_resume_in("$s20FoundationNetworking18URLSessionDataTaskCMa");
  replace_resume_in("$s20FoundationNetworking20URLSessionUploadTaskCMa");
  replace_resume_in("$s20FoundationNetworking22URLSessionDownloadTaskCMa");
  is_replaced = true;
}

// MARK: sessions

// Each execution has a shared session of its own. Only its queue guards what a session knows about its tasks, and a queue in
// one execution does not exclude work in another.
#define SHARED "$s20FoundationNetworking10URLSessionC6sharedACvgZ"
typedef SWIFTCC void *shared_function(__attribute__((swift_context)) void *);
SWIFTCC void *ch_shared_session(__attribute__((swift_context)) void *type) __asm__(SHARED);
SWIFTCC void *ch_shared_session(__attribute__((swift_context)) void *type) {
  static void *_Atomic real;
  needs_server(NULL, CH_FRAME);
  ch_simulation *s = ch_in_program();
  // The real session is made once per process, so it must not belong to one simulation.
  if (s) ch_set_current(NULL);
  void *session = ((shared_function *)ch_real(&real, SHARED))(type);
  if (!s) return session;
  ch_set_current(s);
  void *own = simulator_http_shared ? simulator_http_shared(session) : NULL;
  if (!own) return session;
  swift_release(session);
  return own;
}

// An optimized program, or a subclass, allocates the session itself and calls the inner initializer (`fc`).
#define SESSION "$s20FoundationNetworking10URLSessionC13configurationAcA0C13ConfigurationC_tc"
#define MAKES_SESSION(function, name)                                                                         \
  SWIFTCC void *function(void *configuration, __attribute__((swift_context)) void *context) __asm__(name);    \
  SWIFTCC void *function(void *configuration, __attribute__((swift_context)) void *context) {                 \
    static void *_Atomic real;                                                                                \
    typedef SWIFTCC void *initializer(void *, __attribute__((swift_context)) void *);                         \
    needs_server(configuration, CH_FRAME);                                                                    \
    bool was = begins_session();                                                                              \
    void *made = ((initializer *)ch_real(&real, name))(configuration, context);                               \
    makes_session = was;                                                                                      \
    return made;                                                                                              \
  }
MAKES_SESSION(ch_made_session, SESSION "fC")
MAKES_SESSION(ch_initialized_session, SESSION "fc")

// The delegate is two words: the object and its conformance.
#define SESSION_WITH_DELEGATE                                                                   \
  "$s20FoundationNetworking10URLSessionC13configuration8delegate0E5QueueAcA0C13ConfigurationC_" \
  "AA0C8Delegate_pSg0A009OperationF0CSgtc"
#define MAKES_SESSION_WITH_DELEGATE(function, name)                                                           \
  SWIFTCC void *function(void *configuration, void *delegate, void *conformance, void *queue,                 \
                         __attribute__((swift_context)) void *context) __asm__(name);                         \
  SWIFTCC void *function(void *configuration, void *delegate, void *conformance, void *queue,                 \
                         __attribute__((swift_context)) void *context) {                                      \
    static void *_Atomic real;                                                                                \
    typedef SWIFTCC void *initializer(void *, void *, void *, void *, __attribute__((swift_context)) void *); \
    needs_server(configuration, CH_FRAME);                                                                    \
    bool was = begins_session();                                                                              \
    void *made = ((initializer *)ch_real(&real, name))(configuration, delegate, conformance, queue, context); \
    makes_session = was;                                                                                      \
    return made;                                                                                              \
  }
MAKES_SESSION_WITH_DELEGATE(ch_made_session_with_delegate, SESSION_WITH_DELEGATE "fC")
MAKES_SESSION_WITH_DELEGATE(ch_initialized_session_with_delegate, SESSION_WITH_DELEGATE "fc")

#define COOKIES "$s20FoundationNetworking17HTTPCookieStorageC6sharedACvgZ"
SWIFTCC void *ch_shared_cookies(__attribute__((swift_context)) void *type) __asm__(COOKIES);
SWIFTCC void *ch_shared_cookies(__attribute__((swift_context)) void *type) {
  static void *_Atomic real;
  void *own = ch_in_program() && simulator_http_cookies ? simulator_http_cookies() : NULL;
  return own ? own : ((shared_function *)ch_real(&real, COOKIES))(type);
}

#define CONFIGURATION(function, name, is_default)                                                    \
  SWIFTCC void *function(__attribute__((swift_context)) void *type) __asm__(name);                   \
  SWIFTCC void *function(__attribute__((swift_context)) void *type) {                                \
    static void *_Atomic real;                                                                       \
    typedef SWIFTCC void *getter(__attribute__((swift_context)) void *);                             \
    void *made = ((getter *)ch_real(&real, name))(type);                                             \
    if (simulator_http_configures) simulator_http_configures(made, is_default);                      \
    return made;                                                                                     \
  }
CONFIGURATION(ch_default_configuration, "$s20FoundationNetworking23URLSessionConfigurationC7defaultACvgZ", true)
CONFIGURATION(ch_ephemeral_configuration, "$s20FoundationNetworking23URLSessionConfigurationC9ephemeralACvgZ", false)
#endif
