/* permute, order: with neither positions nor a mask, f(P X) = P f(X) holds for
 * the variants that know no positions, and for no other. */
#include "harness/verify/attention/property.h"

#include <math.h>
#include <string.h>

static const int moved[LAYER_ROWS] = {2, 0, 3, 1};

static const char *knows_order(const struct subject *s)
{
    return subject_all(s, VARIANT_SYMMETRIC) ? NULL : "knows positions";
}

static const char *knows_no_order(const struct subject *s)
{
    return subject_all(s, VARIANT_SYMMETRIC) ? "knows no positions" : NULL;
}

/* The largest |f(P X) - P f(X)|. */
static double asymmetry(const struct subject *s, const struct backend *be)
{
    real before[LAYER_X], x[LAYER_X];
    double worst = 0;
    struct layer l;

    layer_open(&l, s, &layer_config[0], be);
    memcpy(before, layer_run(&l, TAPE_EVAL, l.x, &layer_mask[0])->x,
           sizeof before);
    memcpy(x, l.x->x, sizeof x);
    for (int pass = 0; pass < 2; pass++) {
        const real *y = pass ? layer_run(&l, TAPE_EVAL, l.x,
                                         &layer_mask[0])->x : NULL;

        for (int i = 0; i < LAYER_X; i++) {
            int row = i / LAYER_D % LAYER_ROWS;
            int to = i + (moved[row] - row) * LAYER_D;

            if (pass)
                worst = fmax(worst, fabs((double)y[to] - (double)before[i]));
            else
                l.x->x[to] = x[i];
        }
    }
    layer_close(&l);
    return worst;
}

static void permute(const struct subject *s, const struct backend *be,
                    struct gauge *m)
{
    m->bound = rounding;
    m->value = asymmetry(s, be);
}

static void order(const struct subject *s, const struct backend *be,
                  struct gauge *m)
{
    m->at_least = 1;
    m->bound = 0.01;
    m->value = asymmetry(s, be);
}

const struct property property_permute = {
    .name = "permute",
    .title = "f(P X) = P f(X) where it knows no positions",
    .excuse = knows_order,
    .run = permute};

const struct property property_order = {
    .name = "order",
    .title = "f(P X) is not P f(X) where it knows positions",
    .excuse = knows_no_order,
    .run = order};
