/*
 * decode: greedy and beam search, from encoder output to ids.  It computes one
 * position at a time, caches the keys and values of earlier positions, and
 * drops sentences that have ended.  train/evaluate.c calls it for each batch.
 *
 *     greedy   the most probable id at each position, the first of equals
 *     beam     keeps the `beam` best prefixes; a hypothesis of len ids,
 *              including eos, has the score  log p / ((5 + len) / 6)^alpha
 *              (Wu et al. 2016, arXiv 1609.08144, section 7)
 *
 * A sentence ends with eos or at its limit.  With a beam it ends when `beam`
 * hypotheses have ended and no prefix can still exceed the worst of them.
 */
#pragma once

#include "harness/nn/transformer.h"

struct decoding {
    const int *source, *length; /* (b,n) (b)                            */
    int        b, n;
    const int *limit;           /* (b) maximum ids, including eos; <= N */
    int        start, eos;      /* the id before the first; the last id */
    int        beam;            /* 1: greedy                            */
    double     alpha;           /* >= 0                                 */
};

struct hypothesis {
    int   *id;
    int    n;            /* 0: fewer than `beam` hypotheses exist */
    double logp, score;  /* sum over the ids, nats; with penalty  */
};

/* Decodes s->b sentences.  out: (b,beam), the best first; the ids are allocated
 * in keep.  a: scratch memory.  Resets t->kept. */
void decode(const struct model *m, struct tape *t, const struct decoding *s,
            struct arena *a, struct arena *keep, struct hypothesis *out);
