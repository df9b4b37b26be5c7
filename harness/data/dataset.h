/*
 * dataset: the tokenised examples of one task, ready to be batched.
 *
 * Ids: pad 0, eos 1, unk 2, real pieces from 3.  A sentence ends with eos.
 * Packed language-model rows are exactly N ids cut from the running text
 * (eos between sentences), rows cross sentences.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/hash.h"
#include "harness/base/owned.h"
#include "harness/data/prepared.h"

#include <stdint.h>

enum { ID_PAD = 0, ID_EOS = 1, ID_UNK = 2, ID_FIRST = 3 };
enum split { SPLIT_TRAIN, SPLIT_VALID, SPLIT_TEST, SPLITS };
/* DENOISE: a text with holes to what was in them; not decoded. */
enum task_kind { TASK_TRANSDUCE, TASK_LANGUAGE, TASK_CLASSIFY, TASK_DENOISE };

extern const char *const split_name[SPLITS]; /* "train", "valid", "test" */

struct example {
    const int  *source;          /* (nsource), eos last; NULL: language model */
    const int  *target;          /* (ntarget), eos last; NULL: classification */
    int         nsource, ntarget;
    int         prompt;          /* ids at first of target: given, not asked  */
    int         label;           /* classification: 0 .. classes-1            */
    int         words;           /* of the target, one end mark a sentence    */
    const char *text;            /* the reference translation; NULL: none     */
    int         subtask;         /* which of the dataset's, from 0            */
    int         group;           /* rows that are scored together             */
};

struct pack_block;
struct packed { /* rows in a file (pack.h) */
    const char *base;
    const struct pack_block *block;
    int blocks, id_bytes;
};

struct examples {
    int             n;
    struct example *row;         /* (n); NULL: they are in a file; read them by
                                    examples_row */
    struct packed   packed;
    long            tokens;      /* of all targets, prompts left out; sources
                                    if there are none                         */
    long            words;       /* of all targets, one end mark a sentence   */
    int             dropped;     /* longer than N: pairs to translate         */
    int             truncated;   /* longer than N: texts to classify          */
    double         *own_nll;     /* (n) -log p of what is asked under the law
                                    that drew it, nats; NULL: not known       */
};

struct tokenizer;
struct orders;

struct dataset {
    enum task_kind    kind;
    int               vocab, classes, N;
    int               start;            /* the id before a target's first    */
    int               synthetic;        /* 1: made by a generator             */
    int               subset;           /* 1: fewer training rows than the
                                           official files have                */
    char              source[512];      /* where the text comes from          */
    const char *const *subtasks;        /* names, ends with NULL; NULL: one   */
    char              digest[HASH_HEX]; /* SHA-256 of every id and label      */
    struct examples   split[SPLITS];
    double            floor;     /* least possible cross-entropy, nats a token;
                                    NAN where nobody knows */
    struct tokenizer *tokenizer; /* NULL: ids are words ("7 12 4")            */
    const char *const *words;    /* of a generator: what ids from ID_FIRST on
                                    read, ends with NULL; NULL: as numbers    */
    struct arena     *memory;    /* owns rows, and ids and texts but those in */
    struct prepared   file;      /* what was prepared before; or {0}          */
    struct orders    *orders;    /* batch.c's cache, in memory                */
};

void dataset_close(struct dataset *d); /* frees what it owns; NULL is fine */
OWNER_OF_VALUE(dataset_close, struct dataset)

/* Row i of a split, 0 <= i < n.  Ids of a row in a file are decoded into memory
 * of arena a; if a is NULL, they are left out: source and target are NULL.
 * Texts live as long as the dataset.  Threads may read at the same time. */
struct example examples_row(const struct examples *e, int i, struct arena *a);

/* Sets digest and the token and word counts from the rows, start to eos, and
 * makes ready for batches: the rows must not change any more. */
void dataset_seal(struct dataset *d);

/* Ids up to the first eos (left out) as text; from arena a.  Ids above the
 * tokenizer's pieces are sentinels, "<extra_id_0>" the last id. */
const char *dataset_text(const struct dataset *d, const int *ids, int n,
                         struct arena *a);

/* logp[0..vocab-1]: log (count + 1) / (total + vocab) of the training targets,
 * the content-blind reference model of tables. */
void dataset_unigram(const struct dataset *d, double *logp);
