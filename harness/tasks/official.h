/*
 * official: the examples of a task from its official data, row by row, so that
 * memory does not grow with the data.  recipe.c calls official_digest, then
 * official_each for each split.
 *
 * Rows are those of harness/corpora, without the words that T5 puts before a
 * single task; the texts of a list are joined by blanks.  If a corpus has no
 * validation split, or if its test labels are hidden, so that its validation
 * split is the test set here as in the paper, one training row in twenty is
 * used for validation, chosen by the hash of its text.  If fewer examples are
 * requested than exist, each is chosen with equal probability; running text is
 * read from its beginning.
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
    SCORED_BY_QUERY, /* with the other answers to its question */
    SCORED_ANY,      /* a question occurs once; its answers, one per line */
    /* "True" or "False" and, on a second line, the candidate referent of the
     * pronoun: T5's simple form of WSC */
    SCORED_REFERENT
};

struct official_part {
    const char *name;            /* subtask; NULL: there is only one         */
    const char *corpus;          /* corpus name; NULL: end of the list       */
    const char *split[SPLITS];   /* splits of the corpus; train NULL: no
                                    training rows; valid NULL: part of train */
    const char *source, *target; /* keys of its rows; NULL: no such side     */
    const char *prefix;          /* prefix removed from the source; or NULL  */
    /* split of the corpus with a word per row; other words of the target become
     * UNK; or NULL */
    const char *vocabulary;
    const char *before;          /* key of a field that precedes the source
                                    as "KEY: text "; or NULL                 */
    enum official_scoring scoring;
};

/* Published lengths of the training rows. */
struct typical {
    double source, target; /* mean words per row; 0: unknown */
    const char *from;
};

struct official {
    int (*target)(int length); /* as in struct task */
    struct typical typical;
    double words; /* words of running text to train on; 0: unknown */
    struct official_part part[OFFICIAL_PARTS];
};

const struct corpus *official_corpus(const struct official_part *p);

/* Returns the first split of the corpus that a task reads and the layout lacks,
 * so that the layout cannot be used for training; or NULL. */
const char *official_lacks(const struct corpus *c,
                           const struct corpus_layout *l);

/* Returns ERR_DATA if files of the task or of its tokenizer are missing in
 * dir; the message names them. */
int official_present(const struct task *t, const char *dir);

/* Sets digest to the SHA-256 of the names and bytes of all files.  Returns
 * ERR_DATA if files are missing; the message names them. */
int official_digest(char digest[HASH_HEX], const struct task *t,
                    const struct task_opts *o);

/* Returns 1 and sets digest to that SHA-256 if the cache has it, without
 * reading the files; else returns 0. */
int official_known(char digest[HASH_HEX], const struct task *t,
                   const struct task_opts *o);

struct official_count { long long rows, nul; }; /* rows read; rows skipped
                                                   for a NUL byte */

/* Passes examples of a split to `take`: `most` of them, or all if it is 0.  At
 * each call, *count holds the rows of the files that are read by then. */
int official_each(const struct task *t, const struct task_opts *o,
                  enum split s, int most, items_taker *take, void *to,
                  struct official_count *count);

/* Sets *rows to the number of training rows of the whole distribution, in the
 * layout found in dir (NULL: the first layout); 0 if it is unknown. */
int official_rows(long long *rows, const struct task *t, const char *dir);
