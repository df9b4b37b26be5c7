/*
 * cell_diff: compares two cell files and computes the digest of a cell's
 * results.  likeness.h lists the differences, and `gate` stores the digests.
 *
 * All attributes and datasets of both files are compared, numbers bit by bit.
 * Some of them can differ if the same cell is trained twice, so each difference
 * has a kind:
 *
 *     results   what training determines: metrics, curves, examples, attention,
 *               weights, numbers of parameters and tokens, the data
 *     settings  the configuration and the names that follow from it
 *     build     commit, compiler, flags, libraries, instruction set
 *     volatile  time, machine, speed, number of threads: what can differ even
 *               with the same settings and the same build
 *
 * The names and dimension scales that datasets have for other tools
 * (cell_layout.c) are not compared, and are not part of a digest.
 *
 * Results that a later version of the program added (is_later in cell_diff.c),
 * new metrics included, follow from the other results or from the same
 * training.  They are compared if both files have them, and are not part of a
 * digest, so that digests of older files remain valid.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/store/cell.h"

enum cell_kind {
    CELL_RESULTS, CELL_SETTINGS, CELL_BUILD, CELL_VOLATILE, CELL_KINDS
};

enum { CELL_SHOWN = 80 };

struct cell_change {
    enum cell_kind kind;
    /* Such as "curves/train/loss" or "weights@sha256". */
    char path[256];
    /* What differs between the first and the second file.  If both files have
     * the attribute or dataset, with the same type and number of values: the
     * first values that differ.  Otherwise: the numbers of values; "-" for a
     * file that lacks it. */
    char a[CELL_SHOWN], b[CELL_SHOWN];
};

/* Compares two cells.  Calls `tell` for every difference, in the order in which
 * the files store the values.  Returns ERR_STORE if a file cannot be read. */
int cell_diff(struct cell_reader *a, struct cell_reader *b,
              void (*tell)(void *arg, const struct cell_change *c), void *arg);

/* Writes the digest of a cell's results: the SHA-256 of all values of kind
 * CELL_RESULTS, except results that a later version added.  If cell_diff
 * reports no difference of kind CELL_RESULTS, the digests are equal. */
int cell_results(struct cell_reader *r, char hex[HASH_HEX]);
