/*
 * tokenizer: splits text into subword units by SentencePiece's byte-pair
 * encoding with byte fallback (Kudo and Richardson, EMNLP 2018; Sennrich et
 * al., ACL 2016).  vocabulary.h trains and caches models; datasets load them to
 * encode and decode.
 *
 * Ids are those of dataset.h: pad 0, eos 1, unk 2, then the 256 bytes, then the
 * learned pieces.  unk never occurs, because bytes encode every text.  Text is
 * not normalised, except that a run of blanks becomes one blank.  The model
 * depends only on (text, vocab).
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/hash.h"

struct tokenizer;

/* Trains a model and sets *model to its *bytes bytes, in arena a, for
 * tokenizer_load.  Returns ERR_DATA if the text yields fewer than `vocab`
 * pieces. */
int tokenizer_train(const char **model, size_t *bytes, const char *const *text,
                    size_t n, int vocab, struct arena *a);

int tokenizer_load(struct tokenizer **out, const char *model, size_t bytes);
void tokenizer_free(struct tokenizer *t);

/* Returns the ids of s without eos, in arena a, and sets *n to their number.
 * Threads may encode at the same time.  A cache of about 15 MB keeps the ids of
 * up to 2^18 words, each of at most 64 bytes. */
const int *tokenizer_encode(const struct tokenizer *t, const char *s, int *n,
                            struct arena *a);

/* Returns the same ids as tokenizer_encode, but passes the whole text to
 * SentencePiece in one call and uses no cache, which is slower. */
const int *tokenizer_encode_whole(const struct tokenizer *t, const char *s,
                                  int *n, struct arena *a);
/* Returns the text of n ids, in arena a. */
const char *tokenizer_decode(const struct tokenizer *t, const int *ids, int n,
                             struct arena *a);

/* Sets `hex` to the SHA-256 of the model.  If two tokenizers have the same
 * digest, they have the same pieces with the same ids. */
void tokenizer_digest(const struct tokenizer *t, char hex[HASH_HEX]);

int tokenizer_pieces(const struct tokenizer *t); /* ids: 0 .. pieces - 1 */

/* Returns 1 if the piece begins a word, so that ids can be counted as words. */
int tokenizer_begins_word(const struct tokenizer *t, int id);
