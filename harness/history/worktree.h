/*
 * worktree: checks out and builds another commit of a repository.
 *
 * Uses a separate `git worktree`, so that the user's checkout, changes and
 * index are not touched.  Hooks of the repository do not run.
 *
 *     OWNED(worktree_close) struct worktree w = {0};
 *     PASS(worktree_open(&w, NULL, "HEAD~3", NULL));
 *     PASS(worktree_build(&w));
 *     ... w.program ...
 *
 * A worktree that is kept has its tree in FOLDER/COMMIT and the output of git
 * and make in FOLDER/COMMIT.log; make rebuilds it incrementally.  Any other is
 * in a folder of $TMPDIR and is removed when closed, with git's record of it;
 * its log stays if it could not be built.  worktree_open catches signals
 * (base/signals.h), so that an interrupted program cleans up, too.
 */
#pragma once

#include "harness/base/owned.h"

struct worktree {
    char *repository; /* its top folder                                     */
    char *commit;     /* 40 digits                                          */
    char *folder;     /* where the commit is checked out                    */
    char *program;    /* FOLDER/build/MODE/synthbench; MODE: as make takes it
                         from the environment, by default release           */
    char *log;
    char *own;        /* temporary folder to remove, or NULL                */
    int   failed, lock; /* failed: 1 if the commit could not be checked out or
                           built; lock: descriptor of a kept one, or -1     */
};

/* Sets *out to the top folder of the repository that contains `folder` (NULL:
 * the working directory); the caller frees it.  Returns ERR_USAGE if there is
 * no repository. */
int worktree_top(char **out, const char *folder);

/* Sets *out to the commit (40 digits) that `revision` names in the repository
 * at `top`; the caller frees it.  Returns ERR_USAGE if there is none. */
int worktree_commit(char **out, const char *top, const char *revision);

/* Checks out a revision ("HEAD~3", "v1", "0123abc") of the repository that
 * contains a folder (NULL: the working directory).  kept: the folder of kept
 * worktrees; NULL: it is temporary.  If another process builds the same kept
 * worktree, waits for it.  Returns ERR_USAGE if there is no such repository or
 * commit, ERR_IO, or ERR_STOPPED.  Call worktree_close in any case. */
int worktree_open(struct worktree *out, const char *repository,
                  const char *revision, const char *kept);

/* Runs `make all` in w->folder, with MODE, CC and CFLAGS of the environment,
 * and releases the lock.  Returns ERR_EMPTY if the commit does not build (the
 * message names the command and the log), ERR_IO, or ERR_STOPPED. */
int worktree_build(struct worktree *w);

/* Removes a temporary worktree and frees w; {0} is fine. */
void worktree_close(struct worktree *w);
OWNER_OF_VALUE(worktree_close, struct worktree)
