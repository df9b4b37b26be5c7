/* clock: seconds that only grow, and the time of day as ISO 8601 UTC. */
#pragma once

double      clock_seconds(void);       /* monotonic */
double      clock_cpu_seconds(void);   /* of this process, all threads */
const char *clock_iso(char out[32]);   /* "2026-11-21T10:02:03Z" */

/* A stretch of work: by the wall, and of processors, all threads together.
 * stopped: the process was stopped in between and went on (SIGCONT), so that
 * the wall says nothing about the work. */
struct lap { double wall, cpu; unsigned stopped; };

void       clock_watch_stops(void);    /* once: from now on, SIGCONT is seen */
struct lap clock_lap(void);            /* its beginning */
void       clock_lap_end(struct lap *l);
