#include "harness/base/signals.h"

#include "harness/base/err.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

static _Noreturn void *listen(void *mask)
{
    pthread_sigmask(SIG_SETMASK, mask, NULL);
    for (;;)
        pause();
}

/* Sets *out to all signals except those that the fault of a thread raises: they
 * must be delivered to the thread with the fault. */
static void all_but_faults(sigset_t *out)
{
    static const int fault[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
                                SIGTRAP, SIGSYS};

    sigfillset(out);
    for (size_t i = 0; i < sizeof fault / sizeof *fault; i++)
        sigdelset(out, fault[i]);
}

void signals_aside(void)
{
    static sigset_t none; /* static, because the new thread reads it */
    static pid_t done;    /* the process with the thread; a fork has none */
    pthread_t thread;
    sigset_t all;

    if (done == getpid())
        return;
    done = getpid();
    all_but_faults(&all);
    sigemptyset(&none);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    int bad = pthread_create(&thread, NULL, listen, &none);
    REQUIRE(!bad, "cannot create the thread for signals: error %d", bad);
    pthread_detach(thread);
}

static volatile sig_atomic_t caught, count;

static void on_signal(int number)
{
    caught = caught ? caught : number;
    count++;
}

int signals_caught(void) { return caught; }
int signals_count(void) { return count; }

void signals_end(const struct sigaction *act)
{
    struct sigaction before;

    sigaction(SIGINT, act, NULL);
    sigaction(SIGTERM, act, NULL);
    sigaction(SIGHUP, NULL, &before);
    if (before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, act, NULL);
}

void signals_catch(void)
{
    struct sigaction act = {.sa_handler = on_signal}; /* without SA_RESTART */

    signals_end(&act);
    signal(SIGPIPE, SIG_IGN);
}
