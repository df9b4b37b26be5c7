#include "harness/claims/check_config.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/nn/transformer.h"
#include "variants/variants.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 32, OF_A_MODEL = 14 };

/* The models that the argument `model` can name: one layer of the paper's base
 * shape, and the model of the paper's Table 4 as in the released code. */
static const struct shape {
    const char   *name;
    struct assign key[OF_A_MODEL];
} shapes[] = {
    {"base",
     {{"variant", "vanilla", ""}, {"task", "agnews", ""}, {"layers", "1", ""},
      {"d", "512", ""}, {"heads", "8", ""}, {"ff", "2048", ""},
      {"N", "256", ""}, {"rank", "8", ""}}},
    {"T5-base",
     {{"variant", "vanilla", ""}, {"task", "c4", ""}, {"preset", "t5", ""},
      {"layers", "12", ""}, {"d", "768", ""}, {"heads", "12:code", ""},
      {"ff", "3072", ""}, {"N", "512", ""}, {"vocab", "32128", ""},
      {"rank", "16", ""}, {"mix", "plus", ""}, {"share_q", "true", ""}}}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Copies the settings of the model `name` to `out`, and sets *n to their
 * number.  Returns ERR_USAGE if the name is unknown. */
static int begin(struct assign out[MOST], int *n, const char *name)
{
    int i = 0;

    while (i < SHAPES && strcmp(shapes[i].name, name))
        i++;
    if (i == SHAPES)
        return err_set(ERR_USAGE, "model: %s: expected base or T5-base", name);
    for (*n = 0; *n < OF_A_MODEL && shapes[i].key[*n].key; ++*n)
        out[*n] = shapes[i].key[*n];
    return OK;
}

/* Appends the settings in `text`, such as "d=512 heads=8", to `out`.  Splits
 * `text` in place; the appended settings point into `text`. */
static int split(struct assign *out, int *n, char *text)
{
    char *rest = text, *word;

    while ((word = strtok_r(NULL, " ", &rest))) {
        char *value = strchr(word, '=');

        if (!value || *n == MOST)
            return err_set(ERR_USAGE, "settings: %s: expected key=value, at "
                           "most %d times", word, MOST);
        *value++ = 0;
        out[(*n)++] = (struct assign){word, value, "settings"};
    }
    return OK;
}

int check_config(struct config *c, struct mix *mix, const struct check_args *a,
                 const char *who)
{
    const char *given = check_word(a, who), *keys = check_word(a, "settings");
    const char *model = check_word(a, "model");
    OWNED(free) char *text = str_copy(keys ? keys : "");
    struct assign all[MOST];
    int n = 0;

    PASS(begin(all, &n, model ? model : "base"));
    all[0].value = given ? given : "vanilla";
    PASS(split(all, &n, text));
    PASS(settings_resolve(c, all, n));
    settings_expect(c);
    PASS(mix_read(mix, c->variant));
    const char *fault = model_fault(&c->model, mix);
    return fault ? err_set(ERR_USAGE, "%s: %s", c->variant, fault) : OK;
}
