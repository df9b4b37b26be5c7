/*
 * cell_check: what a cell file may be, checked once, when it is opened; private
 * to this folder.  Readers rely on all of it:
 *
 *   every name      1 to 64 of A-Z a-z 0-9 + _ . -
 *   every attribute one number (float64, int64), or one text: one line of
 *                   UTF-8 without control characters
 *   every dataset   one or a list of float64, int64 or texts (UTF-8, no NUL)
 *
 *   /@variant, @task, @scale, @status, @kind, @cell, @id
 *                         names as above (of up to 128 characters)
 *   /@seed, @schema_version   integers
 *   config@json           a text
 *   weights@sha256, @file_sha256   64 hexadecimal digits
 *   timing@*              numbers
 *   baseline/NAME         at most 64 groups; @description a text, else numbers
 *   metrics/NAME          at most 1024, one float64 each; @better -1, 0 or 1,
 *                         @units, @signature texts of up to 256, 4096 bytes
 *   curves/NAME/NAME      lists of numbers, of one length in each group
 *   examples/test/NAME    lists, all of one length, that of nll where it is;
 *                         at most 64 of them, as of those of a curve
 *     nbest, nbest_score  a multiple of that length, the same for both
 *     nll, own_nll, unigram_nll, tokens, hits, words, label, guess, group
 *                         numbers
 *     source, hypothesis, reference, subtask, nbest    texts
 *   attention/.../NAME    lists of numbers; @entropy_nats numbers
 *   *@units               a text of up to 256 bytes
 *
 * Groups where this names a dataset, and datasets where it names a group, are
 * refused; what it does not name is free.
 */
#ifndef STORE_CELL_CHECK_H
#define STORE_CELL_CHECK_H

#include "harness/store/image.h"

/* OK, or ERR_STORE: "/PATH: what is wrong".  `deep`: the values of datasets are
 * read too, which otherwise are when they are asked for. */
int cell_check(struct image *f, int deep);

#endif
