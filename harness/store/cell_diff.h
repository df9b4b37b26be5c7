/*
 * cell_diff: compares two cell files of any content.  likeness.h lists their
 * differences, and gate stores the digest of their results.
 *
 * All attributes and datasets of both are compared, numbers bit by bit.  Some
 * of them may differ between repetitions of a cell, so each difference has a
 * kind:
 *
 *     results   what training determines: metrics, curves, examples, attention,
 *               weights, numbers of parameters and tokens, the data
 *     settings  the configuration and the names that follow from it
 *     build     commit, compiler, flags, libraries, instruction set
 *     hour      when, where, how fast, with how many threads: always differs
 *
 * The names and dimension scales of datasets for other tools (cell_layout.c)
 * are not compared, and are not part of a digest.
 *
 * Results that later versions add (is_later in cell_diff.c) follow from the
 * others or from the same training.  They are compared if both files have them,
 * and are not part of a digest, so that digests of older files remain valid.
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
    /* "curves/train/loss" or "weights@sha256". */
    char path[256];
    /* The first values that differ; "-" if only the other file has the
     * value. */
    char a[CELL_SHOWN], b[CELL_SHOWN];
};

/* Calls `tell` for every difference, in the order of the files.  Returns
 * ERR_STORE if one of them cannot be read. */
int cell_diff(struct cell_reader *a, struct cell_reader *b,
              void (*tell)(void *arg, const struct cell_change *c), void *arg);

/* Writes the SHA-256 of all values of kind CELL_RESULTS that are not later
 * additions.  Two cells have equal digests if cell_diff reports no difference
 * of that kind. */
int cell_results(struct cell_reader *r, char hex[HASH_HEX]);
