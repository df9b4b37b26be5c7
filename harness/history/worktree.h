/*
 * worktree: checks out and builds another commit of a repository.
 *
 * It uses a separate `git worktree`, so that the user's checkout, changes and
 * index are not touched.  Hooks of the repository do not run.
 *
 *     OWNED(worktree_close) struct worktree w = {0};
 *     PASS(worktree_open(&w, NULL, "HEAD~3", NULL));
 *     PASS(worktree_build(&w));
 *     ... w.program ...
 *
 * A worktree can be kept or temporary.  A kept worktree has its files in
 * FOLDER/COMMIT and the output of git and make in FOLDER/COMMIT.log, where
 * FOLDER is `kept` of worktree_open; make rebuilds it incrementally.  A
 * temporary worktree is in a folder of $TMPDIR.  worktree_close removes it, and
 * git's record of it, but keeps the log if the commit could not be built.
 * worktree_open catches signals (base/signals.h), so that an interrupted
 * program also cleans up.
 */
#pragma once

#include "harness/base/owned.h"

struct worktree {
    char *repository; /* the top folder of the repository                   */
    char *commit;     /* 40 hexadecimal digits                              */
    char *folder;     /* where the commit is checked out                    */
    char *program;    /* FOLDER/build/MODE/synthbench; MODE is that of make
                         in this environment, by default release            */
    char *log;
    char *own;        /* temporary folder to remove, or NULL                */
    int   failed, lock; /* `failed` is 1 if the commit could not be checked
                           out or built; `lock` is the locked descriptor of a
                           kept worktree, or -1                             */
};

/* Sets *out to the top folder of the repository that contains `folder` (NULL:
 * the working directory); the caller frees it.  Returns ERR_USAGE if there is
 * no repository. */
int worktree_top(char **out, const char *folder);

/* Sets *out to the commit (40 digits) named by `revision` in the repository at
 * `top`; the caller frees it.  Returns ERR_USAGE if there is no such commit. */
int worktree_commit(char **out, const char *top, const char *revision);

/* Checks out a revision ("HEAD~3", "v1", "0123abc").  `repository` is a folder
 * in the repository; NULL means the working directory.  `kept` is the folder of
 * kept worktrees; NULL means that the worktree is temporary.  If another
 * process builds the same kept worktree, waits until that process is done.
 * Returns ERR_USAGE if there is no such repository or commit, ERR_STOPPED after
 * a signal, or else ERR_IO.  Call worktree_close in any case. */
int worktree_open(struct worktree *out, const char *repository,
                  const char *revision, const char *kept);

/* Runs `make all` in w->folder, with MODE, CC and CFLAGS from the environment,
 * and releases w->lock.  Returns ERR_EMPTY if the commit does not build (the
 * message names the command and the log), ERR_STOPPED after a signal, or else
 * ERR_IO. */
int worktree_build(struct worktree *w);

/* Removes the worktree if it is temporary, and frees `w`, which may be {0}. */
void worktree_close(struct worktree *w);
OWNER_OF_VALUE(worktree_close, struct worktree)
