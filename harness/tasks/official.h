/*
 * official: the examples of a task from the files of its own distribution, row
 * by row: memory does not grow with them.
 *
 * Rows are those of harness/corpora, without the words that T5 puts in front
 * of a single task; texts of a list are joined by blanks.
 * A corpus without a validation split, and one whose test labels are hidden,
 * so that its validation split is the test here as in the paper, gives one
 * training row in twenty to validation, by the hash of its text.
 * Where fewer examples are asked for than there are, each is as likely to be
 * taken; running text is taken from its beginning.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/corpora/corpus.h"
#include "harness/tasks/items.h"
#include "harness/tasks/task.h"

enum { OFFICIAL_PARTS = 12 };

/* What an answer is held against in evaluation. */
enum official_scoring {
    SCORED_ALONE,
    SCORED_BY_QUERY, /* with the answers of the same question */
    SCORED_ANY,      /* a question comes once; its answers, one a line */
    SCORED_REFERENT  /* "True" or "False" and, on a second line, whom the
                        pronoun may mean: T5's simple form of WSC */
};

struct official_part {
    const char *name;            /* of the subtask; NULL: there is one      */
    const char *corpus;          /* its name; NULL: the end of the list     */
    const char *split[SPLITS];   /* of the corpus; train NULL: none are for
                                    training; valid NULL: of train          */
    const char *source, *target; /* keys of its rows; NULL: no such side    */
    const char *prefix;          /* of the source: left out; or NULL        */
    const char *vocabulary;      /* split of the corpus, a word a row: what the
                                    target has of others is UNK; or NULL    */
    const char *before;          /* key of what stands before the source, as
                                    "KEY: text "; or NULL                   */
    enum official_scoring scoring;
};

/* What has been published of the lengths of training rows. */
struct typical {
    double source, target; /* words a row, on average; 0: not known */
    const char *from;
};

struct official {
    int (*target)(int length); /* as in struct task */
    struct typical typical;
    double words; /* of running text to train on; 0: not known */
    struct official_part part[OFFICIAL_PARTS];
};

const struct corpus *official_corpus(const struct official_part *p);

/* Returns the first split that a task reads of the corpus and that the layout
 * lacks, so that nothing can be trained on it; or NULL. */
const char *official_lacks(const struct corpus *c,
                           const struct corpus_layout *l);

/* Returns ERR_DATA if files of the task or of its tokenizer are missing in
 * dir; the message names them. */
int official_present(const struct task *t, const char *dir);

/* SHA-256 of the names and bytes of all files.  ERR_DATA: some are missing;
 * the message says which. */
int official_digest(char digest[HASH_HEX], const struct task *t,
                    const struct task_opts *o);

/* 1: that, without reading them: as the cache has it; 0: it has not. */
int official_known(char digest[HASH_HEX], const struct task *t,
                   const struct task_opts *o);

struct official_count { long long rows, nul; }; /* read; left out for a NUL */

/* Hands out the examples of a split: `most` of them, 0: all; and counts the
 * rows of the files, as far as they are read when `take` is called. */
int official_each(const struct task *t, const struct task_opts *o,
                  enum split s, int most, items_taker *take, void *to,
                  struct official_count *count);

/* *rows: for training, of the whole distribution in the layout that is found
 * in dir (NULL: in the first); 0: not known. */
int official_rows(long long *rows, const struct task *t, const char *dir);
