// Ctrl-C: a handler in front of Python's own that stops what runs in the main thread.

#include "bridge.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

// A signal handler has no other way to know whom to interrupt. Python raises KeyboardInterrupt in its main thread, so what runs
// there is what stops.
static _Atomic(rico_context *) listening;
static atomic_bool heard;
static uintptr_t main_thread;
static struct sigaction behind;


static void on_interrupt(int number, siginfo_t *info, void *context)
{
    rico_context *ctx = atomic_load(&listening);
    if (ctx) {
        atomic_store(&heard, true);
        rico_context_interrupt(ctx);
    }
    if (behind.sa_flags & SA_SIGINFO)
        behind.sa_sigaction(number, info, context);
    else
        behind.sa_handler(number);
}


void rico_py_main_thread(uintptr_t thread)
{
    main_thread = thread;
}


static bool on_main_thread(void)
{
    return (uintptr_t)pthread_self() == main_thread;
}


bool rico_py_listen(void)
{
    struct sigaction now;
    if (!on_main_thread() || sigaction(SIGINT, NULL, &now) != 0) return false;
    if (now.sa_flags & SA_SIGINFO) {
        if (now.sa_sigaction == on_interrupt) return true;
    } else if (now.sa_handler == SIG_IGN || now.sa_handler == SIG_DFL) {
        return false; // whoever set that wants no KeyboardInterrupt
    }
    behind = now;
    struct sigaction ours = {.sa_sigaction = on_interrupt, .sa_mask = now.sa_mask};
    ours.sa_flags = (now.sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
    return sigaction(SIGINT, &ours, NULL) == 0;
}


bool rico_py_heard(void)
{
    return atomic_exchange(&heard, false);
}


void *rico_py_enter(rico_context *ctx)
{
    if (!on_main_thread()) return NULL;
    atomic_store(&heard, false);
    return atomic_exchange(&listening, ctx);
}


void rico_py_leave(rico_context *ctx, void *outer)
{
    if (!on_main_thread()) return;
    atomic_store(&listening, (rico_context *)outer);
    // one that came too late to stop anything must not stop what comes next
    if (atomic_load(&heard)) rico_context_clear_interrupt(ctx);
}
