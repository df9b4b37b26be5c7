/*
 * buckets: divides the examples of up to `longest` ids into buckets by length,
 * and computes the batch size of each bucket, so that a batch has about
 * `tokens` tokens.  The rule is Tensor2Tensor's for GPUs: batching_scheme
 * (until 1.14 hparams_to_batching_scheme) in tensor2tensor/utils/data_reader.py
 * of github.com/tensorflow/tensor2tensor, with min_length_bucket 8 and
 * length_bucket_step 1.1.  batch.c calls buckets_make; bucketed.c makes batches
 * from the buckets.
 *
 *     length of an example   its longer side, including the end mark
 *     boundaries b[k]        b[0] is 8; b[k] is max(b[k-1] + 1,
 *                            floor(1.1 b[k-1])) as long as this is less than
 *                            `longest`; the last boundary is `longest`
 *     bucket k               b[k-1] <= length < b[k]; the last bucket also has
 *                            the length `longest`
 *     rows of bucket k       the greatest divisor of W that is at most
 *                            r[k] = max(1, floor(tokens / b[k]))
 *     W                      the greatest highly composite number (with more
 *                            divisors than any smaller number) that is at most
 *                            three times r[0]
 *     examples of a batch    rows times devices; `tokens` above is per device
 *
 * Examples longer than `longest` belong to no bucket, and training drops them.
 * Tasks that pack sentences into rows of one length (LM1B on a TPU) use batches
 * of a fixed number of examples instead.
 */
#pragma once

enum { BUCKETS = 128 }; /* 101 buckets reach to length 65536 */

struct buckets {
    int n, longest;
    int most[BUCKETS]; /* (n): greatest length in the bucket          */
    int rows[BUCKETS]; /* (n): examples of a batch, over all devices  */
};

/* Computes the buckets.  `tokens` is the total over all devices, and at least
 * `devices`; `longest` is at least 1. */
void buckets_make(struct buckets *b, int tokens, int devices, int longest);

/* Returns the bucket of `length`, or -1 if `length` exceeds b->longest. */
int buckets_of(const struct buckets *b, int length);
