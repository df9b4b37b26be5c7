/*
 * official: reads the examples of a task from its official data, row by row, so
 * that memory does not grow with the data.  recipe.c calls official_digest,
 * then official_each for each split.
 *
 * Rows come from harness/corpora; the prefix that T5 puts before the text of a
 * task is omitted, and the texts of a list are joined by blanks.  If the test
 * labels of a corpus are hidden, its validation split serves as the test set,
 * as in the paper.  If no validation split is left, one training row in twenty,
 * chosen by the hash of its text, is used for validation instead.  If fewer
 * examples are requested than exist, all have the same probability of being
 * chosen, except that running text is always read from its beginning.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/corpora/corpus.h"
#include "harness/tasks/items.h"
#include "harness/tasks/task.h"

enum { OFFICIAL_PARTS = 12 };

/* How an answer is scored in evaluation. */
enum official_scoring {
    SCORED_ALONE,
    SCORED_BY_QUERY, /* together with the other answers to its question */
    SCORED_ANY,      /* against the accepted answers, one per line; the
                        question occurs once */
    /* against "True" or "False" and, on a second line, the candidate referent
     * of the pronoun: T5's simple form of WSC */
    SCORED_REFERENT
};

struct official_part {
    const char *name;            /* subtask; NULL: there is only one         */
    const char *corpus;          /* corpus name; NULL: end of the list       */
    /* For each split of the task, the split of the corpus that serves as it.
     * NULL: there are no such rows.  But if SPLIT_VALID has NULL and
     * SPLIT_TRAIN has not, a part of the training rows is used for
     * validation. */
    const char *split[SPLITS];
    const char *source, *target; /* keys of the row's texts; NULL: examples
                                    lack this side                           */
    const char *prefix;          /* prefix removed from the source; or NULL  */
    /* split of the corpus that lists one word per row; words of the target that
     * are not in this list become UNK (known_words.h); NULL: no list */
    const char *vocabulary;
    const char *before;          /* key of a field that precedes the source
                                    as "KEY: text "; or NULL                 */
    enum official_scoring scoring;
};

/* Published lengths of the training rows. */
struct typical {
    double source, target; /* mean words per row; 0: unknown */
    const char *from;      /* the publication */
};

struct official {
    int (*target)(int length); /* as in struct task */
    struct typical typical;
    double words; /* words of running text to train on; 0: unknown */
    struct official_part part[OFFICIAL_PARTS];
};

/* Returns the corpus that p->corpus names. */
const struct corpus *official_corpus(const struct official_part *p);

/* Returns the first split of the corpus that at least one task reads but the
 * layout (the arrangement of files, corpora/corpus.h) lacks, or NULL if there
 * is none.  A layout that lacks a split cannot be used for training. */
const char *official_lacks(const struct corpus *c,
                           const struct corpus_layout *l);

/* Returns ERR_DATA if `dir` lacks files of the task, or files on which its
 * tokenizer is trained; the message names them. */
int official_present(const struct task *t, const char *dir);

/* Sets `digest` to a SHA-256 of the names and contents of all files of the task
 * and of the task that defines its tokenizer.  Returns ERR_DATA if files are
 * missing; the message names them. */
int official_digest(char digest[HASH_HEX], const struct task *t,
                    const struct task_opts *o);

/* If the cache holds the digest that official_digest computes, sets `digest` to
 * it without reading the files and returns 1; else returns 0.  Returns ERR_DATA
 * if files are missing. */
int official_known(char digest[HASH_HEX], const struct task *t,
                   const struct task_opts *o);

struct official_count { long long rows, nul; }; /* rows read; rows skipped
                                                   for a NUL byte */

/* Passes examples of a split to `take`: all if `most` is 0 or the task has
 * running text, else `most` of them.  At each call of `take`, *count holds the
 * numbers of rows read so far.  If only `most` examples are passed, the files
 * are read once more before the first call, so *count is then already final. */
int official_each(const struct task *t, const struct task_opts *o,
                  enum split s, int most, items_taker *take, void *to,
                  struct official_count *count);

/* Sets *rows to the number of training rows of the complete official data, or
 * to 0 if it is unknown.  The number can depend on the layout: it is that of
 * the layout found in `dir`, or of the first layout if `dir` is NULL. */
int official_rows(long long *rows, const struct task *t, const char *dir);
