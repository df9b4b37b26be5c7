/* check_order: the properties `permute` and `order`, which verify.c runs.  For
 * a layer f and a permutation P of the rows, without position information and
 * without a mask, f(P X) = P f(X) holds for the variants that ignore positions,
 * and for no others. */
#include "harness/verify/attention/verify.h"

#include <math.h>
#include <string.h>

static const int moved[LAYER_ROWS] = {2, 0, 3, 1};

static int is_symmetric(const struct subject *s)
{
    return subject_parts(s, VARIANT_SYMMETRIC) == s->mix.n;
}

static const char *knows_order(const struct subject *s)
{
    return is_symmetric(s) ? NULL : "uses positions";
}

static const char *knows_no_order(const struct subject *s)
{
    return is_symmetric(s) ? "ignores positions" : NULL;
}

/* Measures the largest |f(P X) - P f(X)|. */
static void asymmetry(struct layer *l, const struct mask *mask,
                      struct gauge *m)
{
    real before[LAYER_X], x[LAYER_X];

    memcpy(before, layer_run(l, TAPE_EVAL, l->x, mask)->x, sizeof before);
    memcpy(x, l->x->x, sizeof x);
    for (int pass = 0; pass < 2; pass++) {
        const real *y = pass ? layer_run(l, TAPE_EVAL, l->x, mask)->x : NULL;

        for (int i = 0; i < LAYER_X; i++) {
            int row = i / LAYER_D % LAYER_ROWS;
            int to = i + (moved[row] - row) * LAYER_D;

            if (pass)
                m->value = fmax(m->value,
                                fabs((double)y[to] - (double)before[i]));
            else
                l->x->x[to] = x[i];
        }
    }
}

const struct property property_permute = {
    .name = "permute",
    .title = "f(P X) = P f(X) if the variant ignores positions",
    .excuse = knows_order,
    .bound = ROUNDING,
    .masks = MASK_NONE,
    .run = asymmetry};

const struct property property_order = {
    .name = "order",
    .title = "f(P X) differs from P f(X) if the variant uses positions",
    .excuse = knows_no_order,
    .bound = 0.01,
    .at_least = 1,
    .masks = MASK_NONE,
    .run = asymmetry};
