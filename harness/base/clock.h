/* clock: monotonic time, CPU time, and the time of day as ISO 8601 UTC.
 * clock_lap and clock_lap_end measure a stretch of work. */
#pragma once

double      clock_seconds(void);       /* monotonic */
double      clock_cpu_seconds(void);   /* of all threads of this process */
/* Writes "2026-11-21T10:02:03Z" and returns `out`. */
const char *clock_iso(char out[32]);

/* The duration of a stretch of work in seconds: `wall` is elapsed time, `cpu`
 * is processor time of all threads together.  `stopped` is 1 if the process was
 * stopped and resumed (SIGCONT) meanwhile; `wall` is then meaningless. */
struct lap { double wall, cpu; unsigned stopped; };

/* Starts counting SIGCONT, for `stopped`.  Call it once. */
void       clock_watch_stops(void);
/* clock_lap starts a lap; clock_lap_end sets its members at the end of the
 * work. */
struct lap clock_lap(void);
void       clock_lap_end(struct lap *l);
