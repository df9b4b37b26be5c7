#include "harness/report/learning.h"

#include "harness/base/err.h"
#include "harness/store/cell.h"

#include <math.h>

static const double ERRORS = 2; /* standard errors that a drift must exceed */

void learning_add(struct learning *l, double ce, double settled, double error)
{
    if (isnan(ce))
        return;
    l->cells++;
    l->ce += ce;
    if (isnan(settled))
        return;
    l->known++;
    l->gained += settled;
    l->variance += error * error;
}

int learning_read(double *settled, double *error, struct cell_reader *r)
{
    *settled = *error = NAN;
    PASS(cell_maybe(cell_get_real(r, "curves/train", "settled", settled)));
    return cell_maybe(cell_get_real(r, "curves/train", "settled_error",
                                    error));
}

double learning_gained(const struct learning *l)
{
    return l->known ? l->gained / l->known : NAN;
}

double learning_error(const struct learning *l)
{
    return l->known ? sqrt(l->variance) / l->known : NAN;
}

double learning_drift(const struct learning *a, const struct learning *b)
{
    double drift = fabs((a->known ? learning_gained(a) : 0) -
                        (b->known ? learning_gained(b) : 0));
    double error = hypot(a->known ? learning_error(a) : 0,
                         b->known ? learning_error(b) : 0);

    return drift > ERRORS * error && drift >= LEARNING_FLOOR ? drift : 0;
}

double learning_gap(const struct learning *a, const struct learning *b)
{
    return fabs(a->ce / a->cells - b->ce / b->cells);
}

int learning_unsettled(const struct learning *a, const struct learning *b)
{
    return learning_drift(a, b) > learning_gap(a, b);
}
