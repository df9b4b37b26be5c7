/*
 * dataset: holds the tokenised examples of one task, ready for batching.  A
 * task fills a dataset and calls dataset_seal; the user of the dataset calls
 * dataset_close.
 *
 * Ids: pad 0, eos 1, unk 2, pieces of text from 3.  A sentence ends with eos.
 * `N` is the maximum number of ids of a side.  A packed language-model row
 * consists of exactly N consecutive ids of the running text, with eos after
 * each sentence; a row may begin and end within a sentence.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/hash.h"
#include "harness/base/owned.h"
#include "harness/data/prepared.h"

#include <stdint.h>

enum { ID_PAD = 0, ID_EOS = 1, ID_UNK = 2, ID_FIRST = 3 };
enum split { SPLIT_TRAIN, SPLIT_VALID, SPLIT_TEST, SPLITS };
/* TASK_DENOISE: the source is a text with gaps, and the target is the text of
 * the gaps.  Evaluation decodes no outputs of this kind. */
enum task_kind { TASK_TRANSDUCE, TASK_LANGUAGE, TASK_CLASSIFY, TASK_DENOISE };

extern const char *const split_name[SPLITS]; /* "train", "valid", "test" */

struct example {
    const int  *source;          /* (nsource), eos last; NULL: language model */
    const int  *target;          /* (ntarget), eos last; NULL: classification */
    int         nsource, ntarget;
    int         prompt;          /* number of leading ids of `target` that are
                                    given to the model and not scored         */
    int         label;           /* classification: 0 .. classes-1            */
    int         words;           /* words of the target; each end mark counts
                                    as a word                                 */
    const char *text;            /* reference text for metrics; NULL: none    */
    int         subtask;         /* index in the dataset's `subtasks`         */
    int         group;           /* examples with the same number are scored
                                    together                                  */
};

struct pack_block;
struct packed { /* rows in a prepared file (pack.h) */
    const char *base;
    const struct pack_block *block;
    int blocks, id_bytes;
};

struct examples {
    int             n;
    struct example *row;         /* (n); NULL: the rows are in `packed`, call
                                    examples_row                           */
    struct packed   packed;
    long            tokens;      /* ids of all targets without prompts, or of
                                    all sources if there are no targets    */
    long            words;       /* words of all targets; each end mark
                                    counts as a word                       */
    int             dropped;     /* pairs dropped because a side exceeds N */
    int             truncated;   /* texts truncated to N (classification)  */
    /* (n): -log p of each example's scored part, in nats, under the
     * distribution that generated the example; NULL: unknown */
    double         *own_nll;
};

struct tokenizer;
struct orders;

struct dataset {
    enum task_kind    kind;
    int               vocab, classes, N;
    int               start;            /* first id of target_in (batch.h)    */
    int               synthetic;        /* 1: made by a generator             */
    int               subset;           /* 1: fewer training rows than in the
                                           official data                      */
    char              source[512];      /* where the text comes from          */
    const char *const *subtasks;        /* names, NULL at the end; NULL: the
                                           task has no subtasks               */
    char              digest[HASH_HEX]; /* SHA-256 of every id and label      */
    struct examples   split[SPLITS];
    double            floor;     /* least possible cross-entropy, nats per
                                    token; NAN: unknown                       */
    struct tokenizer *tokenizer; /* NULL: ids are words ("7 12 4")            */
    /* For generators: the texts of the ids ID_FIRST, ID_FIRST + 1, ..., with
     * NULL at the end.  NULL: ids are printed as numbers. */
    const char *const *words;
    struct arena     *memory;    /* owns rows, ids and texts, except those in
                                    `file`                                    */
    struct prepared   file;      /* the prepared file; {0} if there is none   */
    struct orders    *orders;    /* cache of batch.c, owned by `memory`       */
};

void dataset_close(struct dataset *d); /* frees d's members */
OWNER_OF_VALUE(dataset_close, struct dataset)

/* Returns row `i` of a split, 0 <= `i` < n.  If the row is in a prepared file,
 * its ids are decoded into arena `a`, or, if `a` is NULL, `source` and `target`
 * of the result are NULL.  The row's `text` lives as long as the dataset.
 * Several threads may call this function at the same time. */
struct example examples_row(const struct examples *e, int i, struct arena *a);

/* Completes a dataset whose rows are filled: sets the digest and the token and
 * word counts, sets `start` to eos, and prepares d for batches.  The rows must
 * not change afterwards. */
void dataset_seal(struct dataset *d);

/* Returns the text of the ids before the first eos, in arena `a`.  Ids above
 * the tokenizer's pieces are sentinels, which mark gaps (TASK_DENOISE); the
 * last id of the vocabulary is "<extra_id_0>". */
const char *dataset_text(const struct dataset *d, const int *ids, int n,
                         struct arena *a);

/* Computes the unigram baseline of the tables: sets logp[id], for id = 0 ..
 * vocab-1, to log((count + 1) / (total + vocab)), where `count` is how often
 * the id occurs in the training targets and `total` is the number of all ids in
 * these targets. */
void dataset_unigram(const struct dataset *d, double *logp);
