/* clock: seconds that only grow, and the time of day as ISO 8601 UTC. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double      clock_seconds(void);       /* monotonic */
const char *clock_iso(char out[32]);   /* "2026-11-21T10:02:03Z" */

#endif
