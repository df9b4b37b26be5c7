#include "harness/store/store_private.h"
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

void cell_id(char id[CELL_ID], const char *config, int recipe, int numerics)
{
    char hex[HASH_HEX];
    OWNED(free) char *text = str_format("%s data %d numerics %d", config,
                                        recipe, numerics);

    hash_sha256(text, strlen(text), hex);
    memcpy(id, hex, CELL_ID - 1);
    id[CELL_ID - 1] = 0;
}

int cell_is_id(const char *text)
{
    return strspn(text, "0123456789abcdef") == CELL_ID - 1 &&
           !text[CELL_ID - 1];
}

int cell_word(const char *s, size_t most)
{
    size_t n = strspn(s, CELL_LETTERS);

    return n > 0 && n <= most && !s[n];
}

int cell_name_ok(const char *s)
{
    return cell_word(s, 127) && *s != '.' && *s != '-';
}

const char *cell_name(struct arena *a, const char *row, const char *task,
                      const char *scale, long long seed)
{
    return arena_format(a, "%s/%s/%s/%lld", row, task, scale, seed);
}

const char *cell_config_text(const json_t *config, struct arena *a)
{
    OWNED(free) char *text = json_dumps(config, JSON_SORT_KEYS | JSON_COMPACT |
                                        JSON_REAL_PRECISION(17));

    REQUIRE(text, "cannot write a JSON object");
    return arena_text(a, text);
}

static const char *name(const json_t *config, const char *key, struct arena *a)
{
    const char *s = json_string_value(json_object_get(config, key));

    return s && cell_name_ok(s) ? arena_text(a, s) : NULL;
}

int cell_config_labels(struct cell_labels *out, const json_t *config,
                       struct arena *a)
{
    const json_t *seed = json_object_get(config, "seed");
    const json_t *synthetic = json_object_get(config, "synthetic");

    *out = (struct cell_labels){
        .variant = name(config, "variant", a), .task = name(config, "task", a),
        .scale = name(config, "scale", a), .seed = json_integer_value(seed),
        .synthetic = json_is_true(synthetic)};
    if (!out->variant || !out->task || !out->scale || !json_is_integer(seed) ||
        (synthetic && !json_is_boolean(synthetic)))
        return err_set(ERR_STORE, "its configuration lacks a variant, task, "
                       "scale or seed, or 'synthetic' is not true or false");
    return OK;
}
