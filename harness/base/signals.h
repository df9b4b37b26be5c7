/*
 * signals: handlers that run beside the arithmetic, not on its stack.
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
