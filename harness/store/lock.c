#include "harness/store/store.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 10.0 /* seconds */
enum { SOON = 1000 * 1000, LATE = 50 * SOON }; /* ns between two attempts */

/* Returns the error for a lock that was not obtained.  The message names the
 * process that holds the lock, if its pid is known.  The pid is unknown if the
 * process is in another pid namespace, or if the lock belongs to an open file
 * description. */
static int refuse(int fd, const char *path, int stopped)
{
    struct flock who = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char name[64] = "a process of another host or container";

    if (fcntl(fd, F_GETLK, &who) == 0 && who.l_type != F_UNLCK &&
        who.l_pid > 0)
        snprintf(name, sizeof name, "process %ld", (long)who.l_pid);
    if (stopped)
        return err_set(ERR_STOPPED, "%s: stopped while waiting for %s, which "
                       "holds this lock", path, name);
    return err_set(ERR_BUSY, "%s: %s has held this lock for %g s; it may be "
                   "suspended, or its disk may hang: resume or end it", path,
                   name, PATIENCE);
}

/* Waits for the lock.  A termination signal that arrives during the wait ends
 * the wait.  A signal that arrived earlier does not, because the process must
 * still write its last journal line. */
static int wait_for(int fd, const char *path)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    double began = clock_seconds();
    int asked = signals_count();
    long ns = SOON;

    while (fcntl(fd, F_SETLK, &whole)) {
        struct timespec t = {0, ns};

        if (errno != EACCES && errno != EAGAIN && errno != EINTR)
            return err_errno(ERR_IO, "%s: cannot be locked", path);
        if (clock_seconds() - began > PATIENCE)
            return refuse(fd, path, signals_caught());
        if (nanosleep(&t, NULL) || signals_count() != asked)
            return refuse(fd, path, 1);
        ns = 2 * ns < LATE ? 2 * ns : LATE;
    }
    return OK;
}

static int open_lock(int *fd, char **path, const char *store, const char *name)
{
    struct stat st;

    *path = str_format("%s/%s", store, name);
    *fd = open(*path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW |
                          O_NONBLOCK, 0666);
    if (*fd < 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
        return err_errno(ERR_IO, "%s: cannot be opened for writing (get write "
                         "access to the store, or work on a copy)", *path);
    if (*fd < 0 || fstat(*fd, &st))
        return err_errno(ERR_IO, "%s", *path);
    return S_ISREG(st.st_mode)
               ? OK
               : err_set(ERR_STORE, "%s: is not a file: remove it", *path);
}

int store_lock(int *fd, const char *store, const char *name)
{
    OWNED(free) char *path = NULL;
    OWNED(close) int own = -1;

    *fd = -1;
    PASS(open_lock(&own, &path, store, name));
    PASS(wait_for(own, path));
    *fd = own;
    own = -1;
    return OK;
}

int store_try_lock(int *fd, const char *store, const char *name)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    OWNED(free) char *path = NULL;
    OWNED(close) int own = -1;

    *fd = -1;
    PASS(open_lock(&own, &path, store, name));
    if (fcntl(own, F_SETLK, &whole))
        return err_errno(ERR_BUSY, "%s", path);
    *fd = own;
    own = -1;
    return OK;
}
