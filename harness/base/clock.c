#include "harness/base/clock.h"

#include <time.h>

static double seconds_of(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }
double clock_cpu_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

const char *clock_iso(char out[32])
{
    time_t now = time(NULL);
    struct tm tm;

    gmtime_r(&now, &tm);
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return out;
}
