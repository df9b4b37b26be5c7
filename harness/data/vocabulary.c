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
    struct prepared known;
    char key[HASH_HEX];
    int rc;

    make_key(key, text, n, pieces);
    TRY(prepared_open(&known, cache, key, "tokenizer"));
    if (rc) {
        *bytes = known.bytes;
        *model = memcpy(arena_take(a, *bytes), known.data, *bytes);
        rc = OK;
    } else {
        TRY(tokenizer_train(model, bytes, text, n, pieces, a));
        TRY(prepared_put(*model, *bytes, cache, key, "tokenizer"));
    }
out:
    prepared_close(&known);
    return rc;
}
