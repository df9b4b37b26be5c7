/*
 * dataset: the tokenised examples of one task, ready for batching.  The tasks
 * fill it, call dataset_seal, and release it with dataset_close.
 *
 * Ids: pad 0, eos 1, unk 2, real pieces from 3.  A sentence ends with eos.
 * Packed language-model rows are exactly N ids cut from the running text, with
 * eos between sentences; rows may cross sentence boundaries.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/hash.h"
#include "harness/base/owned.h"
#include "harness/data/prepared.h"

#include <stdint.h>

enum { ID_PAD = 0, ID_EOS = 1, ID_UNK = 2, ID_FIRST = 3 };
enum split { SPLIT_TRAIN, SPLIT_VALID, SPLIT_TEST, SPLITS };
/* DENOISE: the source is a text with gaps, the target is the text of the gaps;
 * it is not decoded. */
enum task_kind { TASK_TRANSDUCE, TASK_LANGUAGE, TASK_CLASSIFY, TASK_DENOISE };

extern const char *const split_name[SPLITS]; /* "train", "valid", "test" */

struct example {
    const int  *source;          /* (nsource), eos last; NULL: language model */
    const int  *target;          /* (ntarget), eos last; NULL: classification */
    int         nsource, ntarget;
    int         prompt;          /* leading ids of target that are given and
                                    not scored                                */
    int         label;           /* classification: 0 .. classes-1            */
    int         words;           /* words of the target; each end mark counts
                                    as one                                    */
    const char *text;            /* the reference translation; NULL: none     */
    int         subtask;         /* index in the dataset's subtasks           */
    int         group;           /* rows of a group are scored together       */
};

struct pack_block;
struct packed { /* rows in a file (pack.h) */
    const char *base;
    const struct pack_block *block;
    int blocks, id_bytes;
};

struct examples {
    int             n;
    struct example *row;         /* (n); NULL: the rows are in a file, use
                                    examples_row                           */
    struct packed   packed;
    long            tokens;      /* ids of all targets without prompts; of
                                    sources if there are no targets        */
    long            words;       /* words of all targets; each end mark is
                                    one                                    */
    int             dropped;     /* pairs dropped because longer than N    */
    int             truncated;   /* texts truncated to N (classification)  */
    /* (n): -log p of the scored part under the distribution that generated it,
     * in nats; NULL: unknown */
    double         *own_nll;
};

struct tokenizer;
struct orders;

struct dataset {
    enum task_kind    kind;
    int               vocab, classes, N;
    int               start;            /* id that precedes the first target
                                           id                                 */
    int               synthetic;        /* 1: made by a generator             */
    int               subset;           /* 1: fewer training rows than in the
                                           official data                      */
    char              source[512];      /* where the text comes from          */
    const char *const *subtasks;        /* names, NULL at the end; NULL: one
                                           task                               */
    char              digest[HASH_HEX]; /* SHA-256 of every id and label      */
    struct examples   split[SPLITS];
    double            floor;     /* least possible cross-entropy, nats per
                                    token; NAN: unknown                       */
    struct tokenizer *tokenizer; /* NULL: ids are words ("7 12 4")            */
    /* For generators: the text of ids from ID_FIRST on, with NULL at the end.
     * NULL: ids are printed as numbers. */
    const char *const *words;
    struct arena     *memory;    /* owns rows, ids and texts, except those in
                                    file                                      */
    struct prepared   file;      /* the prepared file; {0} if there is none   */
    struct orders    *orders;    /* cache of batch.c, in memory               */
};

void dataset_close(struct dataset *d); /* frees what d owns; d may be NULL */
OWNER_OF_VALUE(dataset_close, struct dataset)

/* Returns row i of a split, 0 <= i < n.  If the row is in a file, its ids are
 * decoded into memory of arena a; if a is NULL, source and target are NULL.
 * Texts live as long as the dataset.  Threads may read at the same time. */
struct example examples_row(const struct examples *e, int i, struct arena *a);

/* Sets the digest and the token and word counts from the rows, sets start to
 * eos, and prepares for batches.  The rows must not change afterwards. */
void dataset_seal(struct dataset *d);

/* Returns the text of the ids before the first eos, in arena a.  Ids above the
 * tokenizer's pieces are sentinels; "<extra_id_0>" is the last id. */
const char *dataset_text(const struct dataset *d, const int *ids, int n,
                         struct arena *a);

/* Sets logp[0..vocab-1] to log((count + 1) / (total + vocab)) of the training
 * targets: the unigram baseline of the tables. */
void dataset_unigram(const struct dataset *d, double *logp);
