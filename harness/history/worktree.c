#include "harness/history/worktree.h"

#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- the repository ---- */

/* Runs git and sets *out to the first line that it prints; the caller frees it.
 */
static int ask(char **out, const char *const argv[])
{
    OWNED(free) char *said = NULL;
    int rc = child_work(&said, NULL, argv);

    *out = NULL;
    if (rc)
        return rc < 0 ? rc : err_wrap(ERR_USAGE, "git failed");
    said[strcspn(said, "\n")] = 0;
    return MOVE_OUT(out, said);
}

int worktree_top(char **out, const char *folder)
{
    const char *const argv[] = {"git", "-C", folder ? folder : ".",
                                "rev-parse", "--show-toplevel", NULL};

    return ask(out, argv);
}

int worktree_commit(char **out, const char *top, const char *revision)
{
    OWNED(free) char *of = str_format("%s^{commit}", revision);
    const char *const argv[] = {"git", "-C", top, "rev-parse", "--verify",
                                "--end-of-options", of, NULL};
    int rc = *revision ? ask(out, argv) : ERR_USAGE;

    return rc == ERR_USAGE
               ? err_set(rc, "'%s' is not a commit of %s", revision, top)
               : rc;
}

/* ---- a worktree ---- */

/* Runs git in a folder, without the hooks of the repository. */
#define GIT(w, ...)                                                           \
    work(w, (const char *const[]){"git", "-c", "core.hooksPath=/dev/null",    \
                                  "-C", __VA_ARGS__, NULL})

static int work(struct worktree *w, const char *const argv[])
{
    int rc = child_work(NULL, w->log, argv);

    return rc > 0 ? ERR_IO : rc;
}

/* Locks the worktree, and waits while another process builds it.  If a process
 * dies, the kernel releases its lock. */
static int lock(struct worktree *w)
{
    OWNED(free) char *path = str_format("%s.lock", w->folder);

    w->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (w->lock < 0)
        return err_errno(ERR_IO, "%s", path);
    if (flock(w->lock, LOCK_EX | LOCK_NB) == 0)
        return OK;
    if (errno != EWOULDBLOCK)
        return err_errno(ERR_IO, "%s", path);
    say("%s: waiting for another process that builds it", w->folder);
    if (flock(w->lock, LOCK_EX))
        return errno == EINTR ? err_set(ERR_STOPPED, "%s: stopped while "
                                        "waiting for it", path)
                              : err_errno(ERR_IO, "%s", path);
    return OK;
}

/* Returns 1 if w->folder is the top of a worktree.  For a plain folder inside
 * another worktree, git reports the top of the other worktree. */
static int is_there(const struct worktree *w)
{
    OWNED(free) char *top = NULL, *real = realpath(w->folder, NULL);

    return real && worktree_top(&top, w->folder) == OK && !strcmp(top, real);
}

/* Removes the worktree and git's record of it. */
static void forget(struct worktree *w)
{
    GIT(w, w->repository, "worktree", "remove", "--force", "--force",
        w->folder);
    folder_remove(w->folder);
}

static int check_out(struct worktree *w)
{
    if (is_there(w) &&
        GIT(w, w->folder, "checkout", "-q", "--force", "--detach",
            w->commit) == OK)
        return OK;
    if (signals_caught())
        return err_set(ERR_STOPPED, "%s: stopped", w->folder);
    forget(w);
    return GIT(w, w->repository, "worktree", "add", "-q", "--force", "--force",
               "--detach", w->folder, w->commit);
}

/* Sets the folder and the log of the worktree.  If the worktree is to be kept,
 * locks it. */
static int find_place(struct worktree *w, const char *folder)
{
    OWNED(free) char *parent = NULL;

    if (!folder) {
        PASS(folder_make(&w->own, "worktree"));
        w->folder = str_format("%s/tree", w->own);
        w->log = str_format("%s/log", w->own);
        return OK;
    }
    PASS(file_mkdirs(folder));
    parent = realpath(folder, NULL);
    if (!parent)
        return err_errno(ERR_IO, "%s", folder);
    w->folder = str_format("%s/%s", parent, w->commit);
    w->log = str_format("%s.log", w->folder);
    PASS(lock(w));
    if (unlink(w->log) && errno != ENOENT)
        return err_errno(ERR_IO, "%s", w->log);
    return OK;
}

static char *program_in(const char *folder)
{
    const char *mode = getenv("MODE");

    return str_format("%s/build/%s/synthbench", folder,
                      mode && *mode ? mode : "release");
}

int worktree_open(struct worktree *out, const char *repository,
                  const char *revision, const char *kept)
{
    *out = (struct worktree){.lock = -1};
    signals_catch();
    PASS(worktree_top(&out->repository, repository));
    PASS(worktree_commit(&out->commit, out->repository, revision));
    PASS(find_place(out, kept));
    int rc = check_out(out);
    out->failed = rc == ERR_IO;
    PASS(rc);
    out->program = program_in(out->folder);
    return OK;
}

/* ---- building ---- */

static int make(struct worktree *w)
{
    OWNED(free) char *jobs = str_format("-j%ld",
                                        sysconf(_SC_NPROCESSORS_ONLN));
    const char *const argv[] = {"make", "-C", w->folder, jobs, "all", NULL};
    int rc = child_work(NULL, w->log, argv);

    if (rc < 0)
        return rc;
    if (rc > 0)
        return err_wrap(ERR_EMPTY, "commit %.12s does not build", w->commit);
    return access(w->program, X_OK) == 0
               ? OK
               : err_set(ERR_EMPTY, "commit %.12s does not build: `make all` "
                         "there did not create %s", w->commit, w->program);
}

static void unlock(struct worktree *w)
{
    if (w->lock >= 0)
        close(w->lock);
    w->lock = -1;
}

int worktree_build(struct worktree *w)
{
    int rc = make(w);

    w->failed = rc == ERR_EMPTY;
    unlock(w);
    return rc;
}

void worktree_close(struct worktree *w)
{
    if (w->own)
        forget(w);
    else if (w->commit)
        unlock(w);
    if (!w->failed)
        folder_remove(w->own);
    free(w->repository);
    free(w->commit);
    free(w->folder);
    free(w->program);
    free(w->log);
    free(w->own);
    *w = (struct worktree){.lock = -1};
}
