#include "harness/plan/param_count.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double parameters(const struct cell *c, int code, int more)
{
    struct config g = c->config;

    if (code && g.model.d % 8)
        return NAN;
    g.model.code_heads = code;
    settings_expect(&g);
    g.model.vocab += more;
    return model_fault(&g.model, &c->mix) ? NAN : train_params(&g, &c->mix);
}

void count_cell(struct count *out, const struct cell *c,
                const struct published *p)
{
    *out = (struct count){.cell = c,
                          .equal = parameters(c, 0, 0),
                          .code = parameters(c, 1, 0)};
    out->a_piece = parameters(c, 0, 1) - out->equal;
    if (!published_find(p, &out->claim, c->config.variant, c->config.task,
                        "params"))
        out->claim = (struct published_value){.value = NAN};
    count_pieces(out, 0);
}

void count_pieces(struct count *k, double more)
{
    k->equal += more * k->a_piece;
    k->code += more * k->a_piece;
    k->residual_equal = count_residual(k->equal, &k->claim);
    k->residual_code = count_residual(k->code, &k->claim);
}

double count_residual(double ours, const struct published_value *claim)
{
    if (!(claim->value > 0))
        return NAN;
    return (round(ours / claim->unit) - round(claim->value / claim->unit)) *
           claim->unit;
}

static int decimals(const struct published_value *claim) /* of millions */
{
    return claim->unit < 1e6 ? 1 : 0;
}

const char *count_printed(const struct published_value *claim, char out[32])
{
    if (!(claim->value > 0))
        return "";
    snprintf(out, 32, "%.*fM", decimals(claim), claim->value / 1e6);
    return out;
}

const char *count_signed(double residual, const struct published_value *claim,
                         char out[32])
{
    if (isnan(residual))
        return "";
    if (residual == 0)
        return "0";
    snprintf(out, 32, "%+.*fM", decimals(claim), residual / 1e6);
    return out;
}

/* ---- vocabularies ---- */

/* Returns the range of vocabulary sizes for which the count of the row, rounded
 * to the unit of the published number, equals that number. */
static struct pieces match(const struct count *r, int code)
{
    double ours = code ? r->code : r->equal, vocab = r->cell->config.vocab;
    double low = r->claim.value - r->claim.unit / 2 - ours;
    double high = r->claim.value + r->claim.unit / 2 - ours;

    return (struct pieces){vocab + ceil(low / r->a_piece),
                           vocab + ceil(high / r->a_piece) - 1};
}

static struct pieces both(struct pieces a, struct pieces b)
{
    return (struct pieces){fmax(a.low, b.low), fmin(a.high, b.high)};
}

int count_possible(const struct count *row, const struct count *first,
                   int code)
{
    struct pieces p = both(match(row, code), match(first, code));

    return p.low <= p.high;
}

int count_fit(struct pieces *out, const struct count *row, int n, int code,
              char *found)
{
    struct pieces first = match(&row[0], code);
    OWNED(free) char *in = calloc((size_t)n + 1, 1);
    int most = 0;

    /* the best range starts where the range of some row starts */
    for (int i = 0; i < n; i++) {
        double at = fmax(match(&row[i], code).low, first.low);
        struct pieces all = first;
        int k = 0;

        if (at > first.high)
            continue;
        for (int j = 0; j < n; j++) {
            struct pieces p = match(&row[j], code);

            in[j] = p.low <= at && at <= p.high;
            if (in[j])
                all = both(all, p);
            k += in[j];
        }
        if (k > most) {
            most = k;
            *out = all;
            memcpy(found, in, (size_t)n);
        }
    }
    return most;
}
