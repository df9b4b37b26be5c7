#define _GNU_SOURCE /* fopencookie */
#include "harness/base/streams.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static ssize_t put_stream(void *fd, const char *data, size_t bytes)
{
    return file_put(*(int *)fd, data, bytes) ? 0 : (ssize_t)bytes;
}

/* Replaces a stream by one that writes all output even if its descriptor is
 * non-blocking; stdio would drop output that is not accepted at once.  A parent
 * or a terminal may set a shared descriptor to non-blocking at any time. */
static void patient(FILE **stream, int fd, int buffering)
{
    static int own[3] = {0, 1, 2};
    const cookie_io_functions_t io = {.write = put_stream};

    *stream = fopencookie(&own[fd], "w", io);
    setvbuf(*stream, NULL, buffering, BUFSIZ);
}

int streams_open(void)
{
    static const int mode[] = {O_WRONLY, O_RDONLY, O_WRONLY};

    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode[fd]) != fd)
            return err_errno(ERR_IO, "/dev/null");
    patient(&stdout, 1, isatty(1) ? _IOLBF : _IOFBF);
    patient(&stderr, 2, _IONBF);
    return OK;
}

/* If an earlier write failed, errno may have changed since, so EIO is
 * assumed. */
int streams_flush(void)
{
    errno = EIO;
    if (!fflush(stdout) && !ferror(stdout))
        return OK;
    return errno == EPIPE ? err_set(ERR_PIPE, "stdout: closed by its reader")
                          : err_errno(ERR_IO, "stdout");
}

int streams_close(int rc)
{
    if (rc < 0)
        return rc;
    PASS(streams_flush());
    return rc;
}

int streams_moves(int fd)
{
    const char *term = getenv("TERM");

    return isatty(fd) && term && *term && strcmp(term, "dumb");
}

/* NO_COLOR is defined at https://no-color.org. */
int streams_colours(int fd)
{
    const char *no = getenv("NO_COLOR");

    return streams_moves(fd) && !(no && *no);
}

int streams_width(int fd)
{
    const char *value = getenv("COLUMNS");
    struct winsize size;
    long long n;

    if (value && !str_to_int(value, &n) && n > 0 && n <= INT_MAX)
        return (int)n;
    return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

/* Uses newlocale because setlocale() would change the meaning of characters for
 * all computations. */
int streams_ascii(void)
{
    locale_t of = newlocale(LC_CTYPE_MASK, "", (locale_t)0);

    if (!of)
        return 1; /* the locale is not installed, so C is in use */
    int ascii = strcmp(nl_langinfo_l(CODESET, of), "UTF-8") != 0;
    freelocale(of);
    return ascii;
}
