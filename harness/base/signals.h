/*
 * signals: catches signals that request termination, and runs all handlers in a
 * separate thread.  A process calls signals_aside before its first matrix
 * product, and signals_catch if it can save its state.
 *
 * Without the separate thread, the kernel runs a handler on the stack of any
 * thread, below its stack pointer.  But the matrix products of oneDNN (2.6,
 * AVX-512) use the stack pointer for other data: a signal during a product
 * overwrote weights, and a few signals in a hundred caused a crash.
 */
#pragma once

/* Starts a thread that only runs the handlers of this process.  The calling
 * thread, and the threads that it creates later, receive no signals except
 * those of their own faults, such as SIGSEGV.  Call it before the first matrix
 * product; further calls have no effect. */
void signals_aside(void);

struct sigaction;

/* Installs a handler for the signals that request termination: SIGINT, SIGTERM,
 * and SIGHUP unless the parent process made this one ignore it (nohup). */
void signals_end(const struct sigaction *act);

/* From now on, counts the signals of signals_end, which then do not end the
 * process.  Ignores SIGPIPE.  A counted signal interrupts a system call that
 * waits (EINTR) only in a thread that receives signals; the threads of a
 * process that has called signals_aside must call signals_caught from time to
 * time. */
void signals_catch(void);
int  signals_caught(void); /* returns the first caught signal, or 0 */
int  signals_count(void);  /* returns the number of caught signals  */
