// Read-write locks, when steps are preemptible. They are taken by the calls that do not wait. If no step of this execution holds
// a lock that is taken, a thread outside the simulation holds it.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

// Threads that end call these when the thread sanitizer has already forgotten them.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

bool ch_tells_its_writer(const pthread_rwlock_t *lock) {
#if defined(__GLIBC__)
  return lock->__data.__cur_writer == gettid();
#else
  return false;
#endif
}

#define READ_WRITE_LOCK(name, try_name, kind, subject)                                      \
  CH_BEHIND(name);                                                                          \
  CH_BEHIND(try_name);                                                                      \
  static int name##_of_program(pthread_rwlock_t *lock) {                                    \
    ch_is_touched((uintptr_t)lock);                                                         \
    ch_simulation *s = ch_current;                                                          \
    if (ch_is_followed(s)) ch_takes_another(lock, CH_FRAME);                                \
    ch_uses((uintptr_t)lock, "`" #name "`");                                                \
    if (!ch_is_followed(s)) return CH_REAL(name)(lock);                                     \
    int error;                                                                              \
    while ((error = CH_REAL(try_name)(lock)) == EBUSY && !ch_tells_its_writer(lock) && ch_can_park(s) && \
           simulator_is_held(s->scheduler, (uintptr_t)lock)) {                              \
      simulator_waits(s->scheduler, subject, (uintptr_t)lock, INT64_MAX);                   \
      ch_uses((uintptr_t)lock, NULL);                                                       \
    }                                                                                       \
    if (error == EBUSY) error = CH_REAL(name)(lock);                                        \
    if (!error) ch_took(s, (uintptr_t)lock, kind, CH_FRAME);                                \
    return error;                                                                           \
  }                                                                                         \
  static int try_name##_of_program(pthread_rwlock_t *lock) {                                \
    ch_is_touched((uintptr_t)lock);                                                         \
    ch_tries(ch_current, lock, CH_FRAME);                                                   \
    ch_uses((uintptr_t)lock, "`" #try_name "`");                                            \
    int error = CH_REAL(try_name)(lock);                                                    \
    if (!ch_is_followed(ch_current)) return error;                                          \
    if (error == EBUSY) ch_has_missed(ch_current, lock, CH_FRAME);                          \
    else if (error) return error;                                                           \
    else ch_took(ch_current, (uintptr_t)lock, kind, CH_FRAME);                              \
    return error;                                                                           \
  }
READ_WRITE_LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, CH_LOCK_FOR_READING, CH_WAITS_TO_READ)
READ_WRITE_LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, CH_LOCK_FOR_WRITING, CH_WAITS_TO_WRITE)

CH_BEHIND(pthread_rwlock_unlock);
static int unlock_of_program(pthread_rwlock_t *lock) {
  ch_uses((uintptr_t)lock, "`pthread_rwlock_unlock`");
  int error = CH_REAL(pthread_rwlock_unlock)(lock);
  ch_simulation *s = ch_current;
  if (error || !ch_is_followed(s)) return error;
  s->point_frame = CH_FRAME;
  ch_opened(s, (uintptr_t)lock);
  ch_preemption_point_without_locks(s, CH_FRAME);
  return 0;
}

// Resets the lock, because only the thread that has locked it could unlock it. Its attributes stay.
void ch_reset_read_write_lock(uintptr_t address) {
  pthread_rwlock_t *lock = (pthread_rwlock_t *)address;
  pthread_rwlock_t fresh = PTHREAD_RWLOCK_INITIALIZER;
#if defined(__GLIBC__)
  fresh.__data.__flags = lock->__data.__flags;
  fresh.__data.__shared = lock->__data.__shared;
#endif
  *lock = fresh;
}

__attribute__((constructor)) static void install(void) {
  Dl_info info;
  struct link_map *program = NULL;
  if (!dladdr1((void *)install, &info, (void **)&program, RTLD_DL_LINKMAP) || !program) return;
  // Resolved before they are redirected.
  CH_REAL(pthread_rwlock_rdlock);
  CH_REAL(pthread_rwlock_tryrdlock);
  CH_REAL(pthread_rwlock_wrlock);
  CH_REAL(pthread_rwlock_trywrlock);
  CH_REAL(pthread_rwlock_unlock);
  ch_redirect_imports(program, "pthread_rwlock_rdlock", (void *)pthread_rwlock_rdlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_tryrdlock", (void *)pthread_rwlock_tryrdlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_wrlock", (void *)pthread_rwlock_wrlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_trywrlock", (void *)pthread_rwlock_trywrlock_of_program);
  ch_redirect_imports(program, "pthread_rwlock_unlock", (void *)unlock_of_program);
}
#pragma clang attribute pop
#endif
