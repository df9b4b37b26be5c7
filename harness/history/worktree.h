/*
 * worktree: another commit of a repository, checked out and built beside it.
 *
 * A `git worktree` of its own: what the user has checked out, changed or
 * staged is not touched.  Hooks of the repository do not run.
 *
 *     OWNED(worktree_close) struct worktree w = {0};
 *     PASS(worktree_open(&w, NULL, "HEAD~3", NULL));
 *     PASS(worktree_build(&w));
 *     ... w.program ...
 *
 * Kept ones lie in a folder, FOLDER/COMMIT the tree and FOLDER/COMMIT.log what
 * git and make said, and are built again by make alone.  Others lie in a
 * folder of $TMPDIR and are gone when closed, with what git notes of them;
 * their log stays where they could not be built.  Signals are caught from
 * worktree_open on (base/signals.h), so that this holds then too.
 */
#pragma once

#include "harness/base/owned.h"

struct worktree {
    char *repository; /* its top                                            */
    char *commit;     /* 40 digits                                          */
    char *folder;     /* where it is checked out                            */
    char *program;    /* FOLDER/build/MODE/synthbench, MODE of the
                         environment, as make has it; release               */
    char *log;
    char *own;        /* NULL, or the folder that is removed with it        */
    int   failed, lock;
};

/* *out: the top folder of the repository that `folder` is in, NULL: the
 * working directory; ERR_USAGE.  The commit of a revision; ERR_USAGE: it has
 * no such commit.  The caller frees. */
int worktree_top(char **out, const char *folder);
int worktree_commit(char **out, const char *top, const char *revision);

/* Of the repository that a folder is in (NULL: the working directory), what git
 * names so ("HEAD~3", "v1", "0123abc"); kept: where it is, NULL: it is not.
 * ERR_USAGE: no such repository or commit; ERR_BUSY: another process uses a
 * kept one; ERR_IO; ERR_STOPPED.  worktree_close in any case. */
int worktree_open(struct worktree *out, const char *repository,
                  const char *revision, const char *kept);

/* `make all` of what is checked out in w->folder; MODE, CC and CFLAGS of the
 * environment hold.  ERR_EMPTY: it does not build, and the message names the
 * command and the log; ERR_IO; ERR_STOPPED. */
int worktree_build(struct worktree *w);

void worktree_close(struct worktree *w); /* {0} is fine */
OWNER_OF_VALUE(worktree_close, struct worktree)
