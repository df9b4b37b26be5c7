/*
 * cell_diff: what two cell files say differently, whatever they hold.
 *
 * Every attribute and every dataset of both is compared, numbers bit by bit.
 * Not all must be equal in a repetition, so each difference is of a kind:
 *
 *     results   what training decides: metrics, curves, examples, attention,
 *               weights, counts of parameters and tokens, the data
 *     settings  the configuration and what it is named by
 *     build     commit, compiler, flags, libraries, instruction set
 *     hour      when, where, how fast, on how many threads: never the same
 *
 * How datasets are named and laid out for other tools (cell_layout.c) is no
 * difference, and in no digest.
 *
 * What a later program adds to the results (cell_diff.c, is_later) follows from
 * them or from the same training.  It is compared where both files have it, and
 * is in no digest, so that digests of older files go on being what they were.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/store/cell.h"

enum cell_kind {
    CELL_RESULTS, CELL_SETTINGS, CELL_BUILD, CELL_HOUR, CELL_KINDS
};

enum { CELL_SHOWN = 80 };

struct cell_change {
    enum cell_kind kind;
    char path[256];         /* "curves/train/loss", "weights@sha256"     */
    char a[CELL_SHOWN], b[CELL_SHOWN]; /* the first difference; "-": only
                               the other has it                          */
};

/* Calls back for every difference, results before what follows from them only
 * as the files have it.  ERR_STORE: one of them cannot be read. */
int cell_diff(struct cell_reader *a, struct cell_reader *b,
              void (*tell)(void *arg, const struct cell_change *c), void *arg);

/* SHA-256 of all that is of CELL_RESULTS, but what came later: two cells have
 * the same one where cell_diff tells nothing of that kind. */
int cell_results(struct cell_reader *r, char hex[HASH_HEX]);
