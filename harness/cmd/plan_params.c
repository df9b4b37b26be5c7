#include "harness/cmd/plan_params.h"

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
    published_find(p, &out->claim, c->config.variant, c->config.task,
                   "params");
}

double count_residual(double ours, const struct published_value *claim)
{
    if (!(claim->value > 0))
        return NAN;
    return (round(ours / claim->unit) - round(claim->value / claim->unit)) *
           claim->unit;
}

const char *count_digits(double x, char out[32])
{
    char plain[32], *to = out;

    if (isnan(x))
        return "-";
    int n = snprintf(plain, sizeof plain, "%.0f", x);
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0 && plain[i - 1] != '-')
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = 0;
    return out;
}

static int decimals(const struct published_value *claim) /* in millions */
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

/* ---- cells of the full scale ---- */

int plan_params_full(const struct cell *c)
{
    return !strcmp(c->config.scale, "full");
}

int plan_params_open(struct published **out, const struct plan *p)
{
    *out = NULL;
    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected && plan_params_full(&p->cell[i]))
            return published_open(out);
    return OK;
}

void count_put(struct grid *g, const struct count *k)
{
    const double ours[] = {k->equal, k->code};
    char text[32], less[32];

    for (int i = 0; i < 2; i++) {
        grid_add(g, "%s\t%s", count_digits(ours[i], text),
                 count_signed(count_residual(ours[i], &k->claim), &k->claim,
                              less));
    }
}

static void add_params(struct grid *g, const struct cell *c,
                       const struct published *p)
{
    struct count k;
    char text[32];

    count_cell(&k, c, p);
    grid_add(g, "%s\t%s", c->config.task, c->row);
    count_put(g, &k);
    grid_add(g, "%s\t%s", count_printed(&k.claim, text),
             k.claim.source ? k.claim.source : "");
}

void plan_params_put(struct sheet *s, const struct plan *p,
                     const struct published *published)
{
    static const char *const head[] = {
        "task", "variant", "heads: equal", "residual", "heads: code",
        "residual", "published", "source"};

    sheet_put(s, PART_HEADING, "Learned parameters");
    sheet_put(s, PART_PARAGRAPH, "`heads: equal`: every variant has as many "
              "heads as vanilla. `heads: code`: 8 heads, as in the released "
              "code. `residual`: the number to its left minus the published "
              "one, both rounded as the published one is. `source`: where "
              "the published number was read, as experiments/published.tsv "
              "describes.");
    struct grid *g = sheet_listing(s, "<<>>>>><", head);
    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected && plan_params_full(&p->cell[i]))
            add_params(g, &p->cell[i], published);
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
