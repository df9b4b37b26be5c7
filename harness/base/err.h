/*
 * err: the one way this program reports failure.
 *
 * Two kinds, never mixed:
 *
 *   The world failed (no such file, HDF5 refused, disk full, loss is NaN).
 *   The function returns a negative enum err; the message is kept, per
 *   thread, until the next err_set.  Callers PASS it on, and what they have is
 *   OWNED (owned.h); where more is to be done on the way out, they TRY and have
 *   one label `out:`.
 *   The message says what, where (file:line) and what to do about it.
 *
 *   The program is wrong (shapes do not fit, NULL where the header forbids
 *   it).  REQUIRE prints both sides and aborts.  Never returned, never
 *   caught: each cell runs in its own process.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

/* Codes -2 to -9 are the exit codes of the program, negated
 * (harness/cmd/README.md); ERR_IO's is 9 too. */
enum err {
    OK = 0,
    ERR_USAGE = -2,     /* arguments, experiment files, configuration      */
    ERR_STORE = -5,     /* a results store is damaged, newer, or refuses   */
    ERR_BUSY = -6,      /* somebody else holds it                          */
    ERR_EMPTY = -7,     /* nothing selected, nothing measured              */
    ERR_DATA = -8,      /* data missing or wrong                           */
    ERR_SPACE = -9,     /* out of disk or memory                           */
    ERR_IO = -10,       /* any other refusal of the operating system       */
    ERR_DIVERGED = -11, /* training left the finite numbers                */
    ERR_STOPPED = -12,  /* a signal asked for the end; state is saved      */
    ERR_UNREAD = -13,   /* the reader of stdout is gone (| head); no fault   */
    ERR_DEVICE = -14    /* a worker's GPU is full, or was lost in a run    */
};

/* Record a message and return `code`, so: return err_set(ERR_IO, ...). */
int err_set(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* As err_set, with ": <strerror(errno)>" behind; ENOSPC, EDQUOT, EFBIG and
 * ENOMEM turn `code` into ERR_SPACE. */
int err_errno(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Put "what: " in front of the kept message; returns `code`. */
int err_wrap(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

const char *err_last(void);
int err_exit_code(int code); /* of the process: 0, or 1 to 9, 130, 141 */

/* Too little memory is the world's failure, but nobody can go on from it: says
 * so, ends the process with exit code 9.  A cell has a process of its own.
 * harness/base/memory.c calls them: malloc and its kin never return NULL. */
_Noreturn void err_no_memory(size_t bytes);
_Noreturn void err_no_thread(void);

/* A failure is the caller's too. */
#define PASS(call)                                                            \
    do {                                                                      \
        int passed = (call);                                                  \
        if (passed < 0)                                                       \
            return passed;                                                    \
    } while (0)

/* Needs `int rc` and a label `out:` in the enclosing function. */
#define TRY(call)                                                             \
    do {                                                                      \
        rc = (call);                                                          \
        if (rc < 0)                                                           \
            goto out;                                                         \
    } while (0)

#define REQUIRE(cond, ...)                                                    \
    do {                                                                      \
        if (!(cond))                                                          \
            err_abort(__FILE__, __LINE__, #cond, __VA_ARGS__);                \
    } while (0)

_Noreturn void err_abort(const char *file, int line, const char *cond,
                         const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
