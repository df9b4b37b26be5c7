/*
 * tokenizer: subword units, SentencePiece byte-pair encoding with byte
 * fallback (Kudo and Richardson, EMNLP 2018; Sennrich et al., ACL 2016).
 *
 * Ids are those of dataset.h: pad 0, eos 1, unk 2, then the 256 bytes, then
 * pieces; no text gives unk.  Text is not normalised, but runs of blanks
 * become one.  Training is a function of (text, vocab).
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/hash.h"

struct tokenizer;

/* *model: *bytes bytes that tokenizer_load takes, from arena a.
 * ERR_DATA: the text cannot give so many pieces. */
int tokenizer_train(const char **model, size_t *bytes, const char *const *text,
                    size_t n, int vocab, struct arena *a);

int tokenizer_load(struct tokenizer **out, const char *model, size_t bytes);
void tokenizer_free(struct tokenizer *t);

/* The ids of s, without eos, from arena a; their number in *n.  Threads may
 * encode at the same time.  Frequent words are kept with their ids, at most
 * 2^18 of 64 bytes (about 15 MB). */
const int *tokenizer_encode(const struct tokenizer *t, const char *s, int *n,
                            struct arena *a);

/* The same ids, as SentencePiece finds them in the whole text: slower. */
const int *tokenizer_encode_whole(const struct tokenizer *t, const char *s,
                                  int *n, struct arena *a);
const char *tokenizer_decode(const struct tokenizer *t, const int *ids, int n,
                             struct arena *a);

/* SHA-256 of the model: equal ids mean equal pieces. */
void tokenizer_digest(const struct tokenizer *t, char hex[HASH_HEX]);

int tokenizer_pieces(const struct tokenizer *t); /* ids 0 .. pieces - 1 */

/* 1: the piece begins a word, so that ids hold as many as the text has. */
int tokenizer_begins_word(const struct tokenizer *t, int id);
