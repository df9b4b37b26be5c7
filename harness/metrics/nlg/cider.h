/*
 * cider: CIDEr and CIDEr-D (Vedantam, Zitnick, Parikh, CVPR 2015) as the
 * caption evaluation tools compute them.  What captions call "CIDEr" is
 * CIDEr-D.
 *
 *   w_g(text) = count of n-gram g * log(N / max(1, segments whose references
 *               hold g)), N segments
 *   sim_n     = sum_g a_g b_g / (|a| |b|), a = w(hypothesis), b = w(reference)
 *   CIDEr     = 10 mean over n = 1..4 and over references of sim_n
 *   CIDEr-D   : min(a_g, b_g) in place of a_g, and each sim_n times
 *               exp(-d^2 / (2 * 6^2)), d = difference of the numbers of bigrams
 *
 * With one segment every weight is log 1 = 0, and so is the score.
 */
#ifndef METRICS_NLG_CIDER_H
#define METRICS_NLG_CIDER_H

struct cider_score { double d, plain; };

struct cider;

struct cider *cider_new(void);
void          cider_free(struct cider *c);

/* First the references of every segment, then the scores.  Texts are words
 * joined by single blanks. */
void cider_add(struct cider *c, const char *const *ref, int refs);
struct cider_score cider_score(struct cider *c, const char *hyp,
                               const char *const *ref, int refs);

#endif
