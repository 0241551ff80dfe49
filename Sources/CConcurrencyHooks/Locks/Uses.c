// Reports which step uses which lock, condition, semaphore or atomic, for the reduced search over preemptible steps. Also
// reports where each is made: from then on, it has a name that is the same in every execution.
#define _GNU_SOURCE
#include "Exits.h"

#if CH_SUPPORTED
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

// An ending thread may call these functions after the thread sanitizer has forgotten it.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

static ch_simulation *told(void) {
  ch_simulation *s = ch_current;
  return s && s->execution.follows_dependencies && ch_is_followed(s) && !ch_untold_locks ? s : NULL;
}

void ch_uses(uintptr_t object, const char *name) {
  ch_simulation *s = told();
  if (s) simulator_uses(s->scheduler, object, false);
  else if (name && ch_current && !ch_current->execution.overlaps) ch_shares_unseen(name);
}

void ch_reads(uintptr_t atomic) {
  ch_simulation *s = told();
  if (s) simulator_uses(s->scheduler, atomic, true);
}

// Notes that an object was made, for every strategy. Its memory may have held another lock before, and when memory is reused
// depends on what else has been freed.
static void is_made(uintptr_t object) {
  ch_simulation *s = ch_current;
  if (s && ch_is_followed(s) && !ch_untold_locks) simulator_made(s->scheduler, object);
}

#define MADE(name, type, ...)                   \
  CH_BEHIND(name);                              \
  static int name##_told(type *object MORE_##name) { \
    is_made((uintptr_t)object);                 \
    return CH_REAL(name)(object __VA_ARGS__);   \
  }
#define MORE_pthread_mutex_init , const pthread_mutexattr_t *with
#define MORE_pthread_cond_init , const pthread_condattr_t *with
#define MORE_pthread_rwlock_init , const pthread_rwlockattr_t *with
#define MORE_sem_init , int shared, unsigned value
MADE(pthread_mutex_init, pthread_mutex_t, , with)
MADE(pthread_cond_init, pthread_cond_t, , with)
MADE(pthread_rwlock_init, pthread_rwlock_t, , with)
MADE(sem_init, sem_t, , shared, value)

// The next object at this address may be a lock whose creation is not seen. It must not be taken for the destroyed one, because
// then the name of a lock would depend on how memory is reused.
#define UNMADE(name, type)                      \
  CH_BEHIND(name);                              \
  static int name##_told(type *object) {        \
    ch_simulation *s = ch_current;              \
    if (s && ch_is_followed(s) && !ch_untold_locks) simulator_unmade(s->scheduler, (uintptr_t)object); \
    return CH_REAL(name)(object);               \
  }
UNMADE(pthread_mutex_destroy, pthread_mutex_t)
UNMADE(pthread_cond_destroy, pthread_cond_t)
UNMADE(pthread_rwlock_destroy, pthread_rwlock_t)
UNMADE(sem_destroy, sem_t)

// Other ways to share state, which the reduced search does not follow.
#define UNSEEN(name, declared, ...)                              \
  CH_BEHIND(name);                                               \
  static int name##_told declared {                              \
    ch_shares_unseen("`" #name "`");                             \
    return CH_REAL(name)(__VA_ARGS__);                           \
  }
UNSEEN(pthread_spin_lock, (pthread_spinlock_t *l), l)
UNSEEN(pthread_spin_trylock, (pthread_spinlock_t *l), l)

static struct link_map *library_of(const void *address) {
  Dl_info info;
  struct link_map *library = NULL;
  return address && dladdr1(address, &info, (void **)&library, RTLD_DL_LINKMAP) ? library : NULL;
}

static void redirect(const struct link_map *library) {
  if (!library) return;
  ch_redirect_imports(library, "pthread_mutex_init", (void *)pthread_mutex_init_told);
  ch_redirect_imports(library, "pthread_cond_init", (void *)pthread_cond_init_told);
  ch_redirect_imports(library, "pthread_rwlock_init", (void *)pthread_rwlock_init_told);
  ch_redirect_imports(library, "sem_init", (void *)sem_init_told);
  ch_redirect_imports(library, "pthread_mutex_destroy", (void *)pthread_mutex_destroy_told);
  ch_redirect_imports(library, "pthread_cond_destroy", (void *)pthread_cond_destroy_told);
  ch_redirect_imports(library, "pthread_rwlock_destroy", (void *)pthread_rwlock_destroy_told);
  ch_redirect_imports(library, "sem_destroy", (void *)sem_destroy_told);
}

__attribute__((constructor)) static void install(void) {
  // Find the real functions before the calls are redirected.
  CH_REAL(pthread_mutex_init);
  CH_REAL(pthread_cond_init);
  CH_REAL(pthread_rwlock_init);
  CH_REAL(sem_init);
  CH_REAL(pthread_mutex_destroy);
  CH_REAL(pthread_cond_destroy);
  CH_REAL(pthread_rwlock_destroy);
  CH_REAL(sem_destroy);
  CH_REAL(pthread_spin_lock);
  CH_REAL(pthread_spin_trylock);
  struct link_map *program = library_of((void *)install);
  redirect(program);
  if (program) {
    ch_redirect_imports(program, "pthread_spin_lock", (void *)pthread_spin_lock_told);
    ch_redirect_imports(program, "pthread_spin_trylock", (void *)pthread_spin_trylock_told);
  }
  for (const struct link_map *library = program; library; library = library->l_next)
    if (strstr(library->l_name, "/libFoundation")) redirect(library);
}
#pragma clang attribute pop
#endif
