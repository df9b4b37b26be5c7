/*
 * rouge: ROUGE-1, -2, -3, -L and -Lsum (Lin, "ROUGE: a package for automatic
 * evaluation of summaries", 2004) as rouge_score 0.1 computes them.
 * score_rouge.c calls rouge_new, then rouge_score for each segment.
 *
 *   ROUGE-N     the n-grams that both texts contain, each as often as in the
 *               text that has fewer of it
 *   ROUGE-L     the longest common subsequence of the words
 *   ROUGE-Lsum  for each sentence of the reference the union of its longest
 *               common subsequences with every sentence of the hypothesis
 *
 *   P = hits / hypothesis, R = hits / reference, F = 2 P R / (P + R)
 *
 * Words are runs of a-z and 0-9 in the lowercased text; everything else,
 * including accented letters, separates words.  Sentences are lines, ended by a
 * line feed or by the two characters \n, which represent it in a file with one
 * text per line.  Optionally, " . " also ends a sentence, which is how T5
 * restores the lines of decoded summaries, or a separator does, such as the <q>
 * of summarisers after See et al. (2017).
 */
#pragma once

enum rouge_type { ROUGE_1, ROUGE_2, ROUGE_3, ROUGE_L, ROUGE_LSUM, ROUGE_TYPES };

struct rouge_score { double p, r, f; }; /* 0 .. 1 */

struct rouge; /* scratch space */

/* stem: use Porter stems for words of more than three letters; periods: " . "
 * ends a sentence; separator: another text that ends a sentence and contains no
 * words, or NULL. */
struct rouge *rouge_new(int stem, int periods, const char *separator);
void          rouge_free(struct rouge *r);

void rouge_score(struct rouge *r, const char *hyp, const char *ref,
                 struct rouge_score out[ROUGE_TYPES]);

/* Returns the words of a text, joined by blanks; they live until the next
 * call. */
const char *rouge_words(struct rouge *r, const char *text);
