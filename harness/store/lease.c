/*
 * Takes and renews leases.  The file STORE/claims/ID, the lease of a cell,
 * names its owner, the process that works on the cell:
 *
 *     host NAME
 *     pid NUMBER
 *     start NUMBER      start time of the process (field 22 of /proc/PID/stat),
 *                       which distinguishes processes with the same pid
 *     boot UUID         the current boot of the host
 *     pids pid:[N]      the pid namespace; containers have pids of their own
 *
 * If the owner is visible in /proc (same host, boot and namespace, and /proc
 * does not hide the processes of its user), the lease is alive as long as the
 * owner runs.  Otherwise it is alive while its mtime, which the owner renews,
 * is less than STALE seconds old by the clock of the file system.  An mtime in
 * the future is set back to the present by the next process that wants the
 * cell, so that the lease can expire.
 *
 * A lease is taken under a lock on claims/.lock, which the system releases when
 * its holder dies.  So if two processes find a stale lease, only one of them
 * takes it.  A lease is written to a temporary file, which is then linked to
 * the name ID; so it exists completely or not at all.  Linking fails if the
 * name exists, so two processes never both take a lease, even if the file
 * system has no shared locks.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/store_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* After this many seconds without a heartbeat, an owner that is not visible
 * here counts as dead.  After this many seconds without a write, a temporary
 * file counts as abandoned. */
enum { STALE = 120 };

struct owner {
    char host[128], boot[40], pids[40];
    long pid;
    unsigned long long start;
};

static char *claim_path(const struct store *s, const char *id)
{
    return str_format("%s/claims/%s", s->path, id);
}

/* ---- owners ---- */

static int process_exists(long pid)
{
    return pid > 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

static const unsigned long long HIDDEN = ~0ULL;

/* Returns the start time of a process, 0 if the process does not exist or is a
 * zombie, or HIDDEN if /proc does not show it. */
static unsigned long long started(long pid)
{
    char path[64];
    OWNED(free) char *text = NULL;
    char state = 'Z';
    unsigned long long start = 0;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    if (file_read(&text, NULL, path) < 0)
        return process_exists(pid) ? HIDDEN : 0;
    /* The program name before this parenthesis may contain any characters. */
    const char *s = strrchr(text, ')');
    if (s)
        sscanf(s, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%*s %*s %*s %*s %*s %llu", &state, &start);
    return state == 'Z' || state == 'X' ? 0 : start;
}

static int self(struct owner *me)
{
    static const char boot[] = "/proc/sys/kernel/random/boot_id";
    OWNED(free) char *text = NULL;

    *me = (struct owner){.pid = (long)getpid()};
    if (gethostname(me->host, sizeof me->host - 1) || !*me->host)
        snprintf(me->host, sizeof me->host, "localhost");
    if (file_read(&text, NULL, boot) < 0)
        return err_set(ERR_IO, "%s; /proc may not be mounted (`synthbench "
                       "doctor` checks it)", err_last());
    snprintf(me->boot, sizeof me->boot, "%.*s", (int)strcspn(text, "\n"),
             text);
    if (readlink("/proc/self/ns/pid", me->pids, sizeof me->pids - 1) < 0)
        return err_errno(ERR_IO, "/proc/self/ns/pid");
    me->start = started(me->pid);
    if (!me->start || me->start == HIDDEN)
        return err_set(ERR_IO, "/proc/%ld/stat: unexpected format", me->pid);
    return OK;
}

static int same_system(const struct owner *a, const struct owner *b)
{
    return !strcmp(a->host, b->host) && !strcmp(a->boot, b->boot) &&
           !strcmp(a->pids, b->pids);
}

static int same(const struct owner *a, const struct owner *b)
{
    return same_system(a, b) && a->pid == b->pid && a->start == b->start;
}

/* ---- the file ---- */

struct claim {
    int          there;
    struct owner owner; /* pid 0: the file cannot be read */
    time_t       beat;
};

static int read_claim(struct claim *c, const char *path)
{
    struct owner *o = &c->owner;
    struct stat st;
    OWNED(free) char *text = NULL;

    *c = (struct claim){.there = 0};
    if (lstat(path, &st))
        return errno == ENOENT ? OK : err_errno(ERR_IO, "%s", path);
    c->there = 1;
    c->beat = st.st_mtime;
    if (!S_ISREG(st.st_mode) || file_read(&text, NULL, path) < 0 ||
        sscanf(text, "host %127s\npid %ld\nstart %llu\nboot %39s\npids %39s\n",
               o->host, &o->pid, &o->start, o->boot, o->pids) != 5)
        *o = (struct owner){.host = "?"};
    return OK;
}

static int alive(const struct claim *c, const struct owner *me, time_t now)
{
    unsigned long long start = HIDDEN;

    if (!c->there)
        return 0;
    if (same_system(&c->owner, me))
        start = started(c->owner.pid);
    return start == HIDDEN ? now - c->beat < STALE : start == c->owner.start;
}

/* Renames the file `tmp` to `path`.  Returns ERR_BUSY if `path` exists.  On a
 * file system without links, only the lock ensures that `path` does not appear
 * meanwhile. */
static int publish(const char *tmp, const char *path)
{
    int rc = OK;

    if (link(tmp, path) == 0)
        unlink(tmp);
    else if (errno == EEXIST || file_exists(path))
        rc = err_set(ERR_BUSY, "%s: another process has just leased this cell",
                     path);
    else if (rename(tmp, path))
        rc = err_errno(ERR_IO, "%s", path);
    return rc;
}

static int write_claim(const char *path, const struct owner *me)
{
    OWNED(free) char *tmp = file_temporary(path);
    int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0)
        return err_errno(ERR_IO, "%s", tmp);
    int n = dprintf(fd, "host %s\npid %ld\nstart %llu\nboot %s\npids %s\n",
                    me->host, me->pid, me->start, me->boot, me->pids);
    int rc = n < 0 ? err_errno(ERR_IO, "%s", tmp) : OK;
    if (close(fd) && rc == OK)
        rc = err_errno(ERR_IO, "%s", tmp);
    if (rc == OK)
        rc = publish(tmp, path);
    if (rc < 0)
        unlink(tmp);
    return rc;
}

/* ---- the lock ---- */

/* Returns the time by the clock of the file system, which stamps the leases, or
 * the time of this host if the store is not writable.  The lock file is stamped
 * by its name: opening and closing it would release a lock that this process
 * holds on it. */
static time_t now_of(const struct store *s)
{
    OWNED(free) char *path = str_format("%s/claims/.lock", s->path);
    struct stat st;

    return utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) ||
                   lstat(path, &st)
               ? time(NULL)
               : st.st_mtime;
}

/* Takes the lock and sets *now to the time by the clock of the file system. */
static int lock(int *fd, time_t *now, const struct store *s)
{
    struct stat st;

    PASS(store_lock(fd, s->path, "claims/.lock"));
    if (futimens(*fd, NULL) || fstat(*fd, &st))
        return err_errno(ERR_IO, "%s/claims/.lock", s->path);
    *now = st.st_mtime;
    return OK;
}

/* ---- the interface ---- */

/* Sets *out to the process that took the leases: this process, or the process
 * that forked it. */
static int claimer(const struct store *s, struct owner *out)
{
    if (!s->me)
        return self(out);
    *out = *s->me;
    return OK;
}

static void remember(struct store *s, const struct owner *me)
{
    if (!s->me)
        s->me = arena_take(s->memory, sizeof *s->me);
    *s->me = *me;
}

int store_claim(struct store *s, const char *id)
{
    OWNED(free) char *path = claim_path(s, id);
    struct claim c;
    struct owner me;
    time_t now = 0;
    OWNED(close) int fd = -1;

    PASS(self(&me));
    PASS(lock(&fd, &now, s));
    PASS(read_claim(&c, path));
    if (alive(&c, &me, now)) {
        if (c.beat > now)
            utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
        return err_set(ERR_BUSY, "%s: locked by process %ld on %s (last "
                       "heartbeat %ld s ago)", path, c.owner.pid,
                       c.owner.host,
                       now > c.beat ? (long)(now - c.beat) : 0);
    }
    if (c.there && unlink(path))
        return err_errno(ERR_IO, "%s", path);
    PASS(write_claim(path, &me));
    remember(s, &me);
    int rc = store_prepare(s, id);
    if (rc < 0)
        unlink(path);
    return rc;
}

int store_heartbeat(struct store *s, const char *id)
{
    OWNED(free) char *path = claim_path(s, id);
    struct claim c;
    struct owner me;

    PASS(claimer(s, &me));
    PASS(read_claim(&c, path));
    if (!c.there || !same(&c.owner, &me))
        return err_set(ERR_BUSY, "%s: the lease is lost; another process "
                       "considered this one dead and took over the cell", path);
    if (utimensat(AT_FDCWD, path, NULL, 0))
        return err_errno(ERR_IO, "%s", path);
    return OK;
}

/* Returns 1 if this process owns the lease and renewed it so recently that no
 * other process will consider it stale before it is removed.  Then the lease
 * can be removed without the lock; waiting for it would delay the end of a
 * run. */
static int surely_ours(const struct claim *c, const struct owner *me,
                       const struct store *s)
{
    return c->there && same(&c->owner, me) &&
           labs((long)(now_of(s) - c->beat)) < STALE / 2;
}

void store_release(struct store *s, const char *id)
{
    OWNED(free) char *path = claim_path(s, id);
    struct claim c;
    struct owner me;
    time_t now = 0;
    OWNED(close) int fd = -1;

    /* A lease that cannot be removed becomes stale when this process ends. */
    if (claimer(s, &me) < 0 || read_claim(&c, path) < 0)
        return;
    if (surely_ours(&c, &me, s)) {
        unlink(path);
    } else if (lock(&fd, &now, s) == OK) {
        if (read_claim(&c, path) == OK && c.there && same(&c.owner, &me))
            unlink(path);
    }
}

int store_claimed(struct store *s, const char *id)
{
    OWNED(free) char *path = claim_path(s, id);
    struct claim c;
    struct owner me;

    return self(&me) == OK && read_claim(&c, path) == OK && c.there &&
           alive(&c, &me, now_of(s));
}

/* Returns 1 if a temporary file of a store can have the name `name` in the
 * folder `folder` of the store ("" is the store itself).  Only such files are
 * removed, because a folder with unrelated files may be in use as a store. */
static int is_temporary(const char *folder, const char *name)
{
    size_t n = strlen(name), id = strspn(name, "0123456789abcdef");

    if (n <= 4 || strcmp(name + n - 4, ".tmp"))
        return 0;
    return *folder ? id && name[id] == '.'
                   : !strncmp(name, "index.h5.", 9) ||
                         !strncmp(name, "experiment.json.", 16);
}

int store_at_work(struct store *s, char *who, size_t bytes)
{
    OWNED(free) char *folder = str_format("%s/claims", s->path);
    OWNED(closedir) DIR *d = opendir(folder);
    int n = 0;

    for (struct dirent *e; d && (e = readdir(d));) {
        OWNED(free) char *path = claim_path(s, e->d_name);
        struct claim c;

        if (*e->d_name == '.' || is_temporary("claims", e->d_name) ||
            !store_claimed(s, e->d_name) || read_claim(&c, path) < 0)
            continue;
        n++;
        snprintf(who, bytes, "process %ld on %s", c.owner.pid,
                 c.owner.host);
    }
    return n;
}

int store_alone(struct store *s, void (*that)(void *arg), void *arg)
{
    char who[256];
    time_t now = 0;
    OWNED(close) int fd = -1;

    PASS(lock(&fd, &now, s));
    if (!store_at_work(s, who, sizeof who))
        that(arg);
    return OK;
}

/* ---- files of dead processes ---- */

/* Removes stale leases and temporary files of leases.  Leases are written under
 * the lock, which this process holds, so none is being written now.  A file
 * whose name is neither the id of a cell nor that of a temporary file is not
 * removed. */
static void sweep_claims(struct store *s, const struct owner *me, time_t now)
{
    OWNED(free) char *folder = str_format("%s/claims", s->path);
    OWNED(closedir) DIR *d = opendir(folder);

    for (struct dirent *e; d && (e = readdir(d));) {
        OWNED(free) char *path = claim_path(s, e->d_name);
        struct claim c;

        if (is_temporary("claims", e->d_name) ||
            (cell_is_id(e->d_name) && read_claim(&c, path) == OK && c.there &&
             !alive(&c, me, now)))
            unlink(path);
    }
}

/* ---- temporary files of dead processes: NAME.RANDOM.PID.tmp (named by
 * file_temporary), NAME.PID.tmp (earlier versions) and checkpoints/ID.tmp ----
 */

/* Returns 1 if the cell to which the file `name` belongs is leased.  All files
 * of a cell are written under its lease. */
static int written_under_claim(struct store *s, const char *name)
{
    OWNED(free) char *id = str_format("%.*s", (int)strcspn(name, "."), name);

    return store_claimed(s, id);
}

static long writer(const char *name)
{
    const char *end = name + strlen(name) - strlen(".tmp"), *at = end;
    long pid = 0;

    while (at > name && at[-1] != '.')
        at--;
    return sscanf(at, "%ld.tmp", &pid) == 1 ? pid : 0;
}

/* Returns 1 if a temporary file that is not written under a lease may still be
 * in use: the process that its name contains exists on this host, or the file
 * was written within the last STALE seconds. */
static int is_written(int folder, const char *name, time_t now)
{
    struct stat st;

    return process_exists(writer(name)) ||
           fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) ||
           now - st.st_mtime < STALE;
}

int store_written(struct store *s, const char *folder, const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", s->path, folder);
    OWNED(close) int at = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (strcmp(folder, "claims") && *folder)
        return written_under_claim(s, name);
    return is_written(at, name, now_of(s));
}

static void sweep_folder(struct store *s, const char *name, time_t now)
{
    OWNED(free) char *path = str_format("%s/%s", s->path, name);
    OWNED(closedir) DIR *d = opendir(path);

    for (struct dirent *e; d && (e = readdir(d));) {
        if (!is_temporary(name, e->d_name))
            continue;
        if (*name ? !written_under_claim(s, e->d_name)
                  : !is_written(dirfd(d), e->d_name, now))
            unlinkat(dirfd(d), e->d_name, 0);
    }
}

static void sweep_temporary(struct store *s, time_t now)
{
    static const char *const folder[] = {"cells", "checkpoints", "failed",
                                         "weights", ""};

    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++)
        sweep_folder(s, folder[i], now);
}

int store_sweep(struct store *s)
{
    struct owner me;
    time_t now = 0;
    OWNED(close) int fd = -1;

    PASS(self(&me));
    PASS(lock(&fd, &now, s));
    sweep_claims(s, &me, now);
    sweep_temporary(s, now);
    return OK;
}
