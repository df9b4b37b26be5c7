/*
 * buckets: batches of about so many tokens, as Tensor2Tensor makes them for
 * graphics cards: tensor2tensor/utils/data_reader.py (batching_scheme; until
 * 1.14 hparams_to_batching_scheme) of github.com/tensorflow/tensor2tensor, with
 * min_length_bucket 8 and length_bucket_step 1.1.
 *
 *     length of an example   its longer side, end mark too
 *     boundaries             8, then each max(x + 1, floor(1.1 x)), below the
 *                            longest length L
 *     bucket k               boundary k - 1 <= length < boundary k
 *     its rows               max(1, floor(tokens / boundary k)), in the last
 *                            bucket L for the boundary; then the greatest
 *                            divisor of W that is not more
 *     W                      the greatest highly composite number (more
 *                            divisors than any below it) that is at most three
 *                            times the greatest of the rows
 *     a batch                rows times devices; tokens are those of a device
 *
 * Longer examples than L are in no bucket: training drops them.  What packs
 * sentences into rows of one length (LM1B on a TPU) has batches of examples.
 */
#pragma once

enum { BUCKETS = 128 }; /* 101 of them reach to 65536 */

struct buckets {
    int n, longest;
    int most[BUCKETS]; /* (n) the greatest length in it */
    int rows[BUCKETS]; /* (n) of a batch, all devices   */
};

/* tokens of all devices, at least one each. */
void buckets_make(struct buckets *b, int tokens, int devices, int longest);

/* In which bucket; -1: too long. */
int buckets_of(const struct buckets *b, int length);
