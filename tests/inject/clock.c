/*
 * clock: a shared object that is loaded before the C library and makes timings
 * equal on every machine: a clock advances by a thousandth of a second with
 * each call of a thread, and the load is constant.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { TICK_NS = 1000000, SECOND_NS = 1000000000 };

static _Thread_local long long ticks;

int clock_gettime(clockid_t which, struct timespec *t)
{
    long long ns = TICK_NS * ++ticks;

    (void)which;
    *t = (struct timespec){ns / SECOND_NS, ns % SECOND_NS};
    return 0;
}

int getloadavg(double load[], int n)
{
    for (int i = 0; i < n; i++)
        load[i] = 1;
    return n;
}

int getrusage(__rusage_who_t who, struct rusage *u)
{
    (void)who;
    *u = (struct rusage){.ru_maxrss = 65536};
    return 0;
}
