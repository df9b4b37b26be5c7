/*
 * empty: runs attention on a batch in which one sentence has only padding, so
 * that no row of this sentence sees a key.  Measures the largest output for
 * this sentence, and the number of outputs of the whole batch that are not
 * finite.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int length[LAYER_B] = {0, LAYER_ROWS, 1};
static const struct mask masks[] = {{0, length}, {1, length}};

struct seen { double infinite, most; int n; };

static int look(struct seen *s, const char *variant)
{
    OWNED(check_layer_close) struct check_layer l = {0};

    PASS(check_layer_open(&l, variant, MIX_LOGITS, &layer_config[0]));
    for (int k = 0; k < 2; k++) {
        if (!layer_may(&l.subject, &masks[k]))
            continue;
        tensor *x = layer_tokens(&l.layer, LAYER_ROWS, 99);
        const tensor *y = layer_run(&l.layer, TAPE_EVAL, x, &masks[k]);
        size_t each = tensor_len(y) / LAYER_B;

        for (size_t i = 0; i < tensor_len(y); i++) {
            s->infinite += !isfinite((double)y->x[i]);
            if (i < each)
                s->most = fmax(s->most, fabs((double)y->x[i]));
        }
        s->n++;
    }
    return OK;
}

static int run_empty(const struct check_values *v, struct check_out *o)
{
    OWNED(free) char *names = str_copy(v->variants);
    struct seen s = {0};

    for (char *rest = names, *name; (name = strtok_r(NULL, " ", &rest));)
        PASS(look(&s, name));
    if (s.n == 0)
        return err_set(ERR_USAGE, "variants: expected at least one name");
    check_say(o, "infinite", s.infinite, 0);
    check_say(o, "most", s.most, 0);
    return OK;
}

const struct check check_empty = {
    "empty", "attention in a sentence of only padding",
    "variants", run_empty,
    {{"infinite", "number of outputs that are not finite"},
     {"most", "largest |output| of the empty sentence"}}};
