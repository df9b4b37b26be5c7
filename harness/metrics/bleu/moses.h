/*
 * moses: processes text as for the German BLEU scores of the tensor2tensor
 * papers: by Moses's replace-unicode-punctuation.perl and tokenizer.perl (1.1),
 * and by splitting compounds at hyphens.  score_bleu_ende_t2t.c calls
 * moses_open, then the other functions for each line.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/base/hash.h"

struct moses;

/* Reads FOLDER/nonbreaking_prefix.LANGUAGE, a list that Moses distributes:
 * abbreviations ("prefixes") that keep their dot.  Returns ERR_DATA if the file
 * cannot be read. */
int  moses_open(struct moses **out, const char *folder, const char *language);
void moses_close(struct moses *m);
OWNER(moses_close, struct moses *)

/* Returns the SHA-256 of the list of prefixes. */
const char *moses_prefixes(const struct moses *m);

enum { MOSES_AGGRESSIVE = 1, MOSES_NO_ESCAPE = 2 }; /* -a, -no-escape */

/* These functions take and return UTF-8; the caller frees the result. */
char *moses_tokenize(const struct moses *m, const char *line, int flags);
char *moses_replace_punctuation(const char *line);
char *moses_split_compounds(const char *line); /* A-B -> A ##AT##-##AT## B */
