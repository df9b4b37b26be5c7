/*
 * coco: BLEU-1 to -4 and ROUGE-L as the caption evaluation tools (coco-caption
 * and, with the same code, nlg-eval) compute them.  Scores run from 0 to 1.
 *
 *   BLEU-n   (prod_{k<=n} (correct_k + 1e-15) / (total_k + 1e-9))^(1/n) * BP,
 *            matches clipped by the references' largest count,
 *            r = (hyp + 1e-15) / (ref + 1e-9), BP = exp(1 - 1/r) if r < 1,
 *            ref = the length nearest to the hypothesis', the shorter of two;
 *            so a perfect text gets a little less than 1, and no match a little
 *            more than 0
 *   ROUGE-L  (1 + b^2) P R / (R + b^2 P), b = 1.2, P and R each from the best
 *            of the references; words are what stands between single blanks, so
 *            two blanks hold an empty word and no text is one
 */
#ifndef METRICS_NLG_COCO_H
#define METRICS_NLG_COCO_H

#include "harness/metrics/ints.h"

enum { COCO_ORDERS = 4 };

struct coco_stats { /* add up over segments */
    double correct[COCO_ORDERS], total[COCO_ORDERS], hyp_words, ref_words;
};

struct arena;

struct coco {
    struct map    *grams;
    struct arena  *scratch;
    struct ints    hyp, ref, all;
};

void coco_open(struct coco *c);
void coco_close(struct coco *c);

/* Texts are words joined by single blanks. */
struct coco_stats coco_bleu_count(struct coco *c, const char *hyp,
                                  const char *const *ref, int refs);
void coco_bleu(double bleu[COCO_ORDERS], const struct coco_stats *s);

/* Texts are lines as they were read, stripped. */
double coco_rouge_l(struct coco *c, const char *hyp, const char *const *ref,
                    int refs);

#endif
