/*
 * official: the examples of a task from the files of its own distribution.
 *
 * Rows are those of harness/corpora, without the words that T5 puts in front;
 * texts of a list are joined by blanks.
 * A corpus without a validation split gives one training row in twenty, by the
 * hash of its text.  Pairs and texts are shuffled by a fixed seed, so that the
 * first ones are of every corpus; running text is taken in its order, as much
 * as the rows asked for can need.
 */
#ifndef TASKS_OFFICIAL_H
#define TASKS_OFFICIAL_H

#include "harness/base/hash.h"
#include "harness/corpora/corpus.h"
#include "harness/tasks/recipe.h"

struct official {
    const struct corpus *corpus;
    const char *split[SPLITS];   /* of the corpus; valid NULL: of train */
    const char *source, *target; /* keys of its rows; NULL: no such side */
    const char *prefix;          /* of the source: left out; or NULL */
    const char *before;          /* key of what stands before the source, as
                                    "KEY: text "; or NULL */
    int cut;                     /* as in struct recipe */
};

/* The data of a task at full scale. */
int official_open(struct dataset *out, const struct task *t,
                  const struct task_opts *o);

/* SHA-256 of the names and bytes of all files.  ERR_DATA: some are missing;
 * the message says which. */
int official_digest(char digest[HASH_HEX], const struct official *f,
                    const struct task_opts *o);

/* Texts are in arena a; `source` says what was read, and whether it is all. */
int official_gather(struct items out[SPLITS], char source[256],
                    const struct official *f, const struct task_opts *o,
                    enum task_kind kind, struct arena *a);

#endif
