#include "harness/store/lock.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 20, WAITS = 500 }; /* ten seconds */

int store_lock(struct store_lock *out, const char *store)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000L};
    char *path = str_format("%s/lock", store);
    int rc = OK;

    out->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (out->fd < 0)
        TRY(err_errno(ERR_IO, "%s", path));
    for (int i = 0; fcntl(out->fd, F_SETLK, &whole); i++) {
        if (errno != EACCES && errno != EAGAIN && errno != EINTR)
            TRY(err_errno(ERR_IO, "%s: no lock", path));
        if (i == WAITS)
            TRY(err_set(ERR_BUSY, "%s: another process holds it; try again "
                        "when that has ended", path));
        nanosleep(&pause, NULL);
    }
out:
    if (rc < 0)
        store_unlock(out);
    free(path);
    return rc;
}

void store_unlock(struct store_lock *l)
{
    if (l->fd >= 0)
        close(l->fd);
    *l = STORE_UNLOCKED;
}
