#include "harness/data/vocabulary.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/data/prepared.h"
#include "harness/data/tokenizer.h"

#include <string.h>

const char vocabulary_recipe[] =
    "bpe, byte fallback, coverage 0.9995, identity";

static void make_key(char key[HASH_HEX], const char *const *text, size_t n,
                     int pieces)
{
    struct sha256_ctx *h = hash_new();

    hash_add(h, vocabulary_recipe, sizeof vocabulary_recipe);
    hash_add(h, &pieces, sizeof pieces);
    for (size_t i = 0; i < n; i++)
        hash_add(h, text[i], strlen(text[i]) + 1);
    hash_end(h, key);
}

int vocabulary_learn(const char **model, size_t *bytes, const char *const *text,
                     size_t n, int pieces, const char *cache, struct arena *a)
{
    OWNED(prepared_close) struct prepared known = {.data = NULL};
    char key[HASH_HEX];
    int found;

    make_key(key, text, n, pieces);
    PASS(found = prepared_open(&known, cache, key, "tokenizer"));
    if (found) {
        *bytes = known.bytes;
        *model = memcpy(arena_take(a, *bytes), known.data, *bytes);
        return OK;
    }
    PASS(tokenizer_train(model, bytes, text, n, pieces, a));
    return prepared_put(*model, *bytes, cache, key, "tokenizer");
}
