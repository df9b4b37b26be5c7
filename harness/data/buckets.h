/*
 * buckets: lengths and batch sizes for batches of about a given number of
 * tokens, as in Tensor2Tensor for GPUs: tensor2tensor/utils/data_reader.py
 * (batching_scheme; until 1.14 hparams_to_batching_scheme) of
 * github.com/tensorflow/tensor2tensor, with min_length_bucket 8 and
 * length_bucket_step 1.1.  dealt.h makes the batches from them.
 *
 *     length of an example   its longer side, including the end mark
 *     boundaries             8, then repeatedly max(x + 1, floor(1.1 x)), below
 *                            the longest length L
 *     bucket k               boundary k - 1 <= length < boundary k
 *     rows of bucket k       max(1, floor(tokens / boundary k)), with L as the
 *                            boundary of the last bucket; then the greatest
 *                            divisor of W that does not exceed this
 *     W                      the greatest highly composite number (with more
 *                            divisors than any smaller one) that is at most
 *                            three times the greatest number of rows
 *     a batch                rows times devices; tokens are per device
 *
 * Examples longer than L belong to no bucket, and training drops them.  Tasks
 * that pack sentences into rows of one length (LM1B on a TPU) use batches of a
 * fixed number of examples instead.
 */
#pragma once

enum { BUCKETS = 128 }; /* 101 buckets reach to length 65536 */

struct buckets {
    int n, longest;
    int most[BUCKETS]; /* (n): greatest length in bucket    */
    int rows[BUCKETS]; /* (n): rows of a batch, all devices */
};

/* Computes the buckets.  `tokens` is the total of all devices, at least one
 * token per device; `longest` is at least 1. */
void buckets_make(struct buckets *b, int tokens, int devices, int longest);

/* Returns the bucket of a length, or -1 if it exceeds the longest length. */
int buckets_of(const struct buckets *b, int length);
