/*
 * signals: catches signals that request termination, and moves all handlers
 * into a thread of their own.  A program calls signals_aside before its first
 * matrix product, and signals_catch if it can save its state.
 *
 * The kernel writes the frame of a handler below the stack pointer of whichever
 * thread it picks.  oneDNN's kernels (2.6, AVX-512) use that register for
 * numbers of their own: a signal during a product overwrote weights, and a few
 * in a hundred ended in a crash.
 */
#pragma once

/* Moves the handlers of this process into a thread that does nothing else: the
 * calling thread, and those that it creates, receive no signals.  Call it
 * before the first product; further calls have no effect. */
void signals_aside(void);

struct sigaction;

/* Installs a handler for the signals that request termination: SIGINT, SIGTERM,
 * and SIGHUP unless the parent process has it ignored (nohup). */
void signals_end(const struct sigaction *act);

/* Counts these signals from now on: they interrupt system calls that wait
 * (EINTR), but do not end the process.  Ignores SIGPIPE. */
void signals_catch(void);
int  signals_caught(void); /* the first one, or 0 */
int  signals_count(void);  /* their number            */
