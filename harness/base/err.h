/*
 * err: error codes and messages.  Every module reports failures with them.
 *
 * There are two kinds of errors, which are never mixed:
 *
 *   Environment errors: a file does not exist, HDF5 fails, the disk is full,
 *   the loss is NaN.  The function returns a negative enum err and records a
 *   message, which its thread keeps until the next err_set.  Callers propagate
 *   the code with PASS and release what they own with OWNED (owned.h).  If more
 *   cleanup is needed, they use GOTO_IF_ERR and a single label `out:`.  The
 *   message says what happened, where (file:line) and what to do.
 *
 *   Programming errors: shapes do not match, an argument is NULL where the
 *   header forbids it.  REQUIRE prints the condition and a message and aborts.
 *   Such an error is never returned and never caught: each cell runs in its own
 *   process.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

/* Codes -2 to -9 are the exit codes of the program, negated
 * (harness/cmd/README.md).  err_exit_code maps the other codes; for ERR_IO, the
 * exit code is 9, too. */
enum err {
    OK = 0,
    ERR_USAGE = -2,     /* arguments, experiment files, configuration      */
    ERR_STORE = -5,     /* a store, or another file that this program wrote, is
                           damaged or of a later version */
    ERR_BUSY = -6,      /* another process holds a lock or lease           */
    ERR_EMPTY = -7,     /* nothing selected, nothing measured              */
    ERR_DATA = -8,      /* data are missing or wrong                       */
    ERR_SPACE = -9,     /* out of disk or memory                           */
    ERR_IO = -10,       /* any other error of the operating system         */
    ERR_DIVERGED = -11, /* training diverged: numbers are not finite       */
    ERR_STOPPED = -12,  /* ended by a signal; state is saved               */
    /* Stdout was closed by its reader (| head), which is no fault. */
    ERR_PIPE = -13,
    ERR_DEVICE = -14    /* a worker's GPU is out of memory, or was lost    */
};

/* Records a message and returns `code`, for `return err_set(ERR_IO, ...)`. */
int err_set(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Does the same as err_set, but appends ": <strerror(errno)>" to the message.
 * If errno is ENOSPC, EDQUOT, EFBIG or ENOMEM, the code is ERR_SPACE instead of
 * `code`. */
int err_errno(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts the formatted text and ": " in front of the recorded message and returns
 * `code`. */
int err_wrap(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the recorded message of this thread. */
const char *err_last(void);
/* Returns the exit code of the process for an error: 0 for OK, 1 for
 * ERR_DIVERGED, 2 to 9, 14 for ERR_DEVICE, 130 for ERR_STOPPED or 141 for
 * ERR_PIPE.  A positive `code` is returned unchanged. */
int err_exit_code(int code);

/* These functions report that memory is exhausted, or that no thread could be
 * created, and end the process with exit code 9.  Both are environment errors,
 * but no caller could continue, and each cell has a process of its own.
 * harness/base/memory.c calls err_no_memory, so malloc and its relatives never
 * return NULL. */
_Noreturn void err_no_memory(size_t bytes);
_Noreturn void err_no_thread(void);

/* Evaluates the call; if its result is an error code, returns it from the
 * enclosing function. */
#define PASS(call)                                                            \
    do {                                                                      \
        int passed = (call);                                                  \
        if (passed < 0)                                                       \
            return passed;                                                    \
    } while (0)

/* Jumps to `out:` if the call failed.  Needs `int rc` and the label `out:` in
 * the enclosing function. */
#define GOTO_IF_ERR(call)                                                     \
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
