/*
 * signals: those that ask for the end, and handlers that run beside the
 * arithmetic, not on its stack.
 *
 * A handler's frame is written below the stack pointer of whatever thread the
 * system picks.  oneDNN's kernels (2.6, AVX-512) use that register for numbers
 * of their own: a signal in the middle of a product overwrote weights, and a
 * few in a hundred ended in a crash.
 */
#pragma once

/* From now on the handlers of this process run in a thread that does nothing
 * else: the calling thread, and those that it makes, take no signals.  Call it
 * before the first product; once more does nothing. */
void signals_aside(void);

struct sigaction;

/* What asks for the end: SIGINT, SIGTERM, and SIGHUP unless whoever started
 * this process has it ignored (nohup). */
void signals_end(const struct sigaction *act);

/* From now on these are counted and end what waits (EINTR), not the process;
 * and nobody need read what we say (SIGPIPE). */
void signals_catch(void);
int  signals_caught(void); /* the first of them, or 0 */
int  signals_count(void);  /* how many                */
