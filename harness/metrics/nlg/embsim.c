#include "harness/metrics/nlg/embsim.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct embsim {
    struct map    *words;
    double        *vector; /* (words + 1,d); the last one is the mean */
    size_t         d;
    struct arena  *scratch;
};

struct sentence { const double **word; size_t n; double *sum, *extreme; };

/* ---- the table ---- */

static int read_row(struct embsim *e, const struct lines *t, size_t i)
{
    OWNED(words_free) struct words w = {0};

    words_split(&w, t->line[i], strlen(t->line[i]));
    if (i == 0 && w.n > 1) {
        e->d = w.n - 1;
        e->vector = calloc((t->n + 1) * e->d, sizeof *e->vector);
    }
    if (w.n < 2 || w.n - 1 != e->d)
        PASS(lines_bad(t, i, "expected a word and %zu values, not %zu columns",
                       e->d ? e->d : 1, w.n));
    if (map_number(e->words, w.word[0].s, w.word[0].n) != (int)i)
        PASS(lines_bad(t, i, "the word '%.*s' is there twice", (int)w.word[0].n,
                       w.word[0].s));
    for (size_t k = 0; k < e->d; k++) {
        char value[64] = "";

        if (w.word[k + 1].n < sizeof value)
            memcpy(value, w.word[k + 1].s, w.word[k + 1].n);
        if (str_to_real(value, &e->vector[i * e->d + k]))
            PASS(lines_bad(t, i, "'%.*s' is not a finite number",
                           (int)w.word[k + 1].n, w.word[k + 1].s));
        e->vector[t->n * e->d + k] += e->vector[i * e->d + k] / (double)t->n;
    }
    return OK;
}

int embsim_open(struct embsim **out, const struct lines *table)
{
    struct embsim *e = calloc(1, sizeof *e);
    int rc = OK;

    e->words = map_of_copies();
    e->scratch = arena_new();
    for (size_t i = 0; i < table->n; i++)
        TRY(read_row(e, table, i));
out:
    if (rc < 0) {
        embsim_close(e);
        e = NULL;
    }
    *out = e;
    return rc;
}

void embsim_close(struct embsim *e)
{
    if (!e)
        return;
    map_free(e->words);
    arena_free(e->scratch);
    free(e->vector);
    free(e);
}

int embsim_dimensions(const struct embsim *e)
{
    return (int)e->d;
}

int embsim_words(const struct embsim *e)
{
    return map_count(e->words);
}

/* ---- similarities ---- */

static double dot(const double *a, const double *b, size_t d)
{
    double sum = 0;

    for (size_t k = 0; k < d; k++)
        sum += a[k] * b[k];
    return sum;
}

static double cosine(const double *a, const double *b, size_t d)
{
    double norms = sqrt(dot(a, a, d)) * sqrt(dot(b, b, d));

    return norms > 0 ? dot(a, b, d) / norms : 0;
}

static double extreme(double x, double y)
{
    return y > 0 || (y < 0 && x > -y) ? x : y;
}

static struct sentence read_sentence(struct embsim *e, const char *text)
{
    struct sentence s = {.sum = arena_zero(e->scratch, e->d * sizeof(double)),
                         .extreme = arena_take(e->scratch,
                                               e->d * sizeof(double))};

    s.word = arena_take(e->scratch, (strlen(text) / 2 + 1) * sizeof *s.word);
    for (const char *end; *text; text = end + (*end == ' ')) {
        end = text + strcspn(text, " ");
        int id = map_find(e->words, text, (size_t)(end - text));
        size_t row = (size_t)(id < 0 ? map_count(e->words) : id);
        s.word[s.n++] = e->vector + row * e->d;
    }
    for (size_t k = 0; k < e->d; k++) {
        double x = -INFINITY, y = INFINITY;

        for (size_t i = 0; i < s.n; i++) {
            s.sum[k] += s.word[i][k];
            x = fmax(x, s.word[i][k]);
            y = fmin(y, s.word[i][k]);
        }
        s.extreme[k] = extreme(x, y);
    }
    return s;
}

/* Mean over the words of a of the best cosine with a word of b. */
static double mean_best(const struct sentence *a, const struct sentence *b,
                        size_t d)
{
    double sum = 0;

    for (size_t i = 0; i < a->n; i++) {
        double best = -1;

        for (size_t j = 0; j < b->n; j++)
            best = fmax(best, cosine(a->word[i], b->word[j], d));
        sum += best;
    }
    return sum / (double)a->n;
}

int embsim_score(double out[EMBSIM_KINDS], struct embsim *e, const char *hyp,
                 const char *const *ref, int refs)
{
    arena_reset(e->scratch);
    struct sentence h = read_sentence(e, hyp);
    int zero = dot(h.sum, h.sum, e->d) == 0;

    for (int i = 0; i < refs; i++) {
        struct sentence r = read_sentence(e, ref[i]);
        double s[EMBSIM_KINDS] = {
            cosine(h.sum, r.sum, e->d), cosine(h.extreme, r.extreme, e->d),
            (mean_best(&h, &r, e->d) + mean_best(&r, &h, e->d)) / 2};

        for (int k = 0; k < EMBSIM_KINDS; k++)
            out[k] = i ? fmax(out[k], s[k]) : s[k];
        zero |= dot(r.sum, r.sum, e->d) == 0;
    }
    return zero ? -1 : 0;
}
