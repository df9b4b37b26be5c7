/*
 * rouge: computes ROUGE-1, -2, -3, -L and -Lsum (Lin, "ROUGE: a package for
 * automatic evaluation of summaries", 2004) as rouge_score 0.1 does.
 * score_rouge.c calls rouge_new, then rouge_score for each segment.
 *
 *   ROUGE-N     hits: the n-grams that both texts contain.  An n-gram that
 *               occurs i and j times in the two texts counts min(i, j) times
 *   ROUGE-L     hits: the longest common subsequence of the words
 *   ROUGE-Lsum  hits: for each sentence of the reference, the union of its
 *               longest common subsequences with the sentences of the
 *               hypothesis
 *
 *   P = hits / size of the hypothesis, R = hits / size of the reference,
 *   F = 2 P R / (P + R), where size is the number of n-grams or words
 *
 * Words are runs of a-z and 0-9 in the lowercased text; everything else,
 * including accented letters, separates words.  Sentences are lines, ended by a
 * line feed or by the two characters \n, which represent it in a file with one
 * text per line.  Optionally, " . " also ends a sentence (T5 restores the lines
 * of decoded summaries in this way), and so does a separator, such as the <q>
 * that summarisers since See et al. (2017) use.
 */
#pragma once

enum rouge_type { ROUGE_1, ROUGE_2, ROUGE_3, ROUGE_L, ROUGE_LSUM, ROUGE_TYPES };

struct rouge_score { double p, r, f; }; /* 0 .. 1 */

struct rouge; /* scratch space */

/* If `stem` is 1, words of more than three letters are replaced by their Porter
 * stems.  If `periods` is 1, " . " ends a sentence.  `separator` is another
 * text that ends a sentence and contains no words, or NULL. */
struct rouge *rouge_new(int stem, int periods, const char *separator);
void          rouge_free(struct rouge *r);

void rouge_score(struct rouge *r, const char *hyp, const char *ref,
                 struct rouge_score out[ROUGE_TYPES]);

/* Returns the words of a text, joined by blanks.  The result lives until the
 * next call. */
const char *rouge_words(struct rouge *r, const char *text);
