#include "harness/base/err.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char message[2048];

int err_set(int code, const char *fmt, ...)
{
    char new[sizeof message]; /* arguments may point into `message` */
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(new, sizeof new, fmt, ap);
    va_end(ap);
    memcpy(message, new, sizeof new);
    return code;
}

int err_errno(int code, const char *fmt, ...)
{
    int cause = errno;
    char what[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (cause == ENOSPC || cause == EDQUOT || cause == EFBIG ||
        cause == ENOMEM)
        code = ERR_SPACE;
    return err_set(code, "%s: %s", what, strerror(cause));
}

int err_wrap(int code, const char *fmt, ...)
{
    char outer[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(outer, sizeof outer, fmt, ap);
    va_end(ap);
    return err_set(code, "%s: %s", outer, message);
}

const char *err_last(void) { return message; }

int err_exit_code(int code)
{
    switch (code) {
    case ERR_IO: return -ERR_SPACE;
    case ERR_DIVERGED: return 1;
    case ERR_STOPPED: return 128 + SIGINT;
    case ERR_PIPE: return 128 + SIGPIPE;
    default: return code < 0 ? -code : code;
    }
}

/* Uses neither stdio's streams nor malloc: they may have failed, or may be
 * locked by the caller that requested memory. */
static _Noreturn void leave(const char *fmt, size_t bytes)
{
    char line[256];
    int n = snprintf(line, sizeof line, fmt, bytes);
    ssize_t written = write(STDERR_FILENO, line, (size_t)n);

    (void)written;
    _exit(-ERR_SPACE);
}

void err_no_memory(size_t bytes)
{
    leave("synthbench: out of memory: cannot allocate %zu bytes; reduce batch, "
          "N or -j (`synthbench plan` estimates what is needed)\n", bytes);
}

void err_no_thread(void)
{
    leave("synthbench: cannot create a thread: out of memory, or over a limit "
          "(`ulimit -u`); reduce threads or -j\n", 0);
}

void err_abort(const char *file, int line, const char *cond, const char *fmt,
               ...)
{
    va_list ap;

    fprintf(stderr, "%s:%d: bug: %s: ", file, line, cond);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}
