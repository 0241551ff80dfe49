// The functions that `SimulatorHTTP` implements. They are null if a program does not link it.
#ifndef CSESSIONS_H
#define CSESSIONS_H

#include <stdbool.h>

#define CH_WEAK __attribute__((weak))

// Returns true if a server answers in the simulation of this thread.
bool simulator_http_serves(void) CH_WEAK;
// Returns true if this task of a session runs.
bool simulator_http_runs(void *_Nonnull task) CH_WEAK;
// These return what replaces `URLSession.shared`, which is `real`, and `HTTPCookieStorage.shared` in the execution of this thread;
// null if no server answers. The caller owns it.
void *_Nullable simulator_http_shared(void *_Nonnull real) CH_WEAK;
void *_Nullable simulator_http_cookies(void) CH_WEAK;
// Prepares a configuration that Foundation has made.
void simulator_http_configures(void *_Nonnull configuration, bool is_default) CH_WEAK;

#endif
