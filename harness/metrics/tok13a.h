/*
 * tok13a: the tokenizer of mteval-v13a as sacreBLEU 2.6.0 applies it, the
 * one that makes BLEU scores of detokenised text comparable.
 */
#ifndef METRICS_TOK13A_H
#define METRICS_TOK13A_H

/* UTF-8 in, tokens joined by single blanks out; the caller frees. */
char *tok13a(const char *line);

#endif
