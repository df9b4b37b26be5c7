/*
 * number: evaluates arithmetic over published numbers, for claims of kind
 * `published`.  The grammar is
 *
 *     sum     = product { ("+" | "-") product }
 *     product = one { ("*" | "/") one }
 *     one     = NUMBER | "[" KEY "]" | "[" KEY " @ " SOURCE "]" | "(" sum ")"
 *             | "-" one | "exp(" sum ")"
 *
 * KEY names a number in experiments/published.tsv: variant/task/metric, or
 * table|row|column as printed in the source.  If several sources state the
 * number and SOURCE is not given, the most certain value is used.  A printed
 * number represents all values that are rounded to it, so the result is an
 * interval.
 */
#include "harness/claims/judge.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char             *text, *at;
    const struct published *published;
    int                     depth;
};

enum { DEEPEST = 32 };

static int wrong(const struct reader *r, const char *what)
{
    return err_set(ERR_USAGE, "%s: %s, column %d", r->text, what,
                   (int)(r->at - r->text) + 1);
}

static void blanks(struct reader *r) { r->at += strspn(r->at, " "); }

/* Skips blanks.  If the next character is one of `letters`, advances past it,
 * stores it in *c and returns 1, else returns 0. */
static int takes(struct reader *r, const char *letters, char *c)
{
    blanks(r);
    *c = *r->at;
    if (!*c || !strchr(letters, *c))
        return 0;
    r->at++;
    return 1;
}

/* ---- arithmetic with bounds ---- */

static struct number exact(double x)
{
    return (struct number){x, {x, x}};
}

static double apply(double x, char op, double y)
{
    switch (op) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    default:  return x / y;
    }
}

static struct number combined(const struct number *a, const struct number *b,
                              char op)
{
    const double x[] = {a->value, a->between.low, a->between.high};
    const double y[] = {b->value, b->between.low, b->between.high};
    struct number out = {NAN, {INFINITY, -INFINITY}};

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double z = apply(x[i], op, y[k]);

            if (i == 0 && k == 0)
                out.value = z;
            out.between.low = fmin(out.between.low, z);
            out.between.high = fmax(out.between.high, z);
        }
    return out;
}

/* ---- published numbers ---- */

static int is_of(const struct published_line *x, const char *key,
                 const char *source)
{
    OWNED(free) char *printed = str_format("%s|%s|%s", x->table, x->row,
                                           x->column);

    return !isnan(x->value) && (!source || strstr(x->source, source)) &&
           (!strcmp(x->key, key) || !strcmp(printed, key));
}

static int find(struct number *out, const struct published *p, const char *key,
                const char *source)
{
    int n, k = 0;
    const struct published_line *x = published_lines(p, &n), *best = NULL;

    for (int i = 0; i < n; i++)
        if (is_of(&x[i], key, source) && (!best || x[i].sure > best->sure))
            best = &x[i];
    if (best) {
        *out = (struct number){best->value, published_rounded(p, best)};
        return OK;
    }
    OWNED(free) const char **keys = calloc((size_t)n + 1, sizeof *keys);
    for (int i = 0; i < n; i++)
        if (*x[i].key)
            keys[k++] = x[i].key;
    const char *near = str_nearest(key, keys);
    return err_set(ERR_USAGE, "experiments/published.tsv has no number '%s'"
                   "%s%s%s%s%s", key, source ? " of " : "",
                   source ? source : "", near ? ": did you mean '" : "",
                   near ? near : "", near ? "'?" : "");
}

/* Reads the rest of "[KEY @ SOURCE]", after the opening bracket. */
static int read_key(struct number *out, struct reader *r)
{
    size_t n = strcspn(r->at, "]");
    OWNED(free) char *key = str_format("%.*s", (int)n, r->at);
    char *source = strstr(key, " @ ");

    if (!r->at[n])
        return wrong(r, "missing ] after [");
    r->at += n + 1;
    if (source) {
        *source = 0;
        source += strlen(" @ ");
    }
    return find(out, r->published, key, source);
}

/* ---- the grammar ---- */

static int read_sum(struct number *out, struct reader *r);

static int read_inner(struct number *out, struct reader *r)
{
    char c;

    if (++r->depth > DEEPEST)
        return wrong(r, "nested too deep");
    PASS(read_sum(out, r));
    r->depth--;
    return takes(r, ")", &c) ? OK : wrong(r, "missing ) after (");
}

static int read_digits(struct number *out, struct reader *r)
{
    size_t n = strspn(r->at, "0123456789.");
    OWNED(free) char *digits = str_format("%.*s", (int)n, r->at);
    double x;

    if (!n || str_to_real(digits, &x))
        return wrong(r, "expected a number, [KEY], ( or exp(");
    r->at += n;
    *out = exact(x);
    return OK;
}

static int read_one(struct number *out, struct reader *r)
{
    const struct number zero = exact(0);
    char c;

    if (takes(r, "[", &c))
        return read_key(out, r);
    if (takes(r, "(", &c))
        return read_inner(out, r);
    if (takes(r, "-", &c)) {
        struct number x;

        if (++r->depth > DEEPEST)
            return wrong(r, "nested too deep");
        PASS(read_one(&x, r));
        r->depth--;
        *out = combined(&zero, &x, '-');
        return OK;
    }
    if (strncmp(r->at, "exp(", strlen("exp(")))
        return read_digits(out, r);
    r->at += strlen("exp(");
    PASS(read_inner(out, r));
    *out = (struct number){exp(out->value), {exp(out->between.low),
                                             exp(out->between.high)}};
    return OK;
}

/* Reads operands, each by the function `one`, with operators between them,
 * which are characters of `ops`. */
static int read_chain(struct number *out, struct reader *r, const char *ops,
                      int (*one)(struct number *, struct reader *))
{
    char op;

    PASS(one(out, r));
    while (takes(r, ops, &op)) {
        struct number b;

        PASS(one(&b, r));
        *out = combined(out, &b, op);
    }
    return OK;
}

static int read_product(struct number *out, struct reader *r)
{
    return read_chain(out, r, "*/", read_one);
}

static int read_sum(struct number *out, struct reader *r)
{
    return read_chain(out, r, "+-", read_product);
}

int number_of(struct number *out, const char *text, const struct published *p)
{
    struct reader r = {.text = text, .at = text, .published = p};

    PASS(read_sum(out, &r));
    blanks(&r);
    if (*r.at)
        return wrong(&r, "expected an operator");
    return isfinite(out->value) ? OK
                                : err_set(ERR_USAGE, "%s: not a number", text);
}
