#include "harness/metrics/scorer.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct score_options {
    struct arena        *memory;
    const struct scorer *scorer;
    void                *given;
};

/* Sets an option; the arena keeps a copy of the value. */
static int set(struct score_options *o, const struct key *k, const char *value)
{
    int rc = k->type->set(k, o->given, arena_text(o->memory, value));

    return rc < 0 ? err_wrap(rc, "%s", o->scorer->name) : OK;
}

struct score_options *score_options_new(const struct scorer *s)
{
    struct arena *a = arena_new();
    struct score_options *o = arena_take(a, sizeof *o);

    *o = (struct score_options){a, s, arena_zero(a, s->size + 1)};
    for (const struct key *k = s->options; k && k->name; k++)
        if (k->initial)
            REQUIRE(set(o, k, k->initial) == OK, "%s", err_last());
        else if (k->type == &key_real)
            *(double *)((char *)o->given + k->offset) = NAN;
    return o;
}

void score_options_free(struct score_options *o)
{
    if (o)
        arena_free(o->memory);
}

int score_options_set(struct score_options *o, const char *key,
                      const char *value)
{
    const struct key *row = o->scorer->options;
    OWNED(free) char *what = str_format("option of %s", o->scorer->name);

    if (!row)
        return err_set(ERR_USAGE, "-S %s: %s has no options", key,
                       o->scorer->name);
    int at = names_row(what, key, row, sizeof *row);
    return at < 0 ? at : set(o, &row[at], value);
}

const void *score_given(const struct score_input *in)
{
    return in->options->given;
}

char *score_data(const char *given, const char *name)
{
    const char *folder = getenv("SYNTHBENCH_METRIC_DATA");

    if (given)
        return str_copy(given);
    if (!folder || !*folder)
        return NULL;
    OWNED(free) char *path = str_format("%s/%s", folder, name);
    return file_exists(path) ? str_copy(path) : NULL;
}

/* ---- segments ---- */

void segment_read(struct segment *s, const struct score_input *in, size_t i,
                  int join)
{
    s->refs = in->refs;
    for (int k = 0; k <= in->refs; k++) {
        const char *line = k ? in->ref[k - 1]->line[i] : in->hyp->line[i];
        struct text *t = &s->text[k];

        text_clear(t);
        if (join)
            text_join_words(t, line, strlen(line));
        else
            text_put(t, line);
        *(k ? &s->ref[k - 1] : &s->hyp) = join ? t->s : text_strip(t->s);
    }
}

void segment_free(struct segment *s)
{
    for (int k = 0; k <= SCORE_REFS; k++)
        text_free(&s->text[k]);
}

/* ---- statistics ---- */

void scorer_values(double **stats, size_t *columns, const double *x, size_t n,
                   size_t stride)
{
    double *out = malloc(2 * n * sizeof *out);

    for (size_t i = 0; i < n; i++) {
        out[2 * i] = x[i * stride];
        out[2 * i + 1] = 1;
    }
    *stats = out;
    *columns = 2;
}

double scorer_mean(const double *sums, const struct score_input *in)
{
    (void)in;
    return sums[0] / sums[1];
}

void scorer_sum(double *sum, const double *x, size_t n, size_t columns)
{
    memset(sum, 0, columns * sizeof *sum);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < columns; c++)
            sum[c] += x[i * columns + c];
}

json_t *scorer_each(const double *x, size_t columns,
                    double (*of_sums)(const double *,
                                      const struct score_input *),
                    const struct score_input *in)
{
    json_t *list = json_array();

    for (size_t i = 0; i < in->hyp->n; i++)
        json_array_append_new(list, json_real(of_sums(x + i * columns, in)));
    return list;
}

/* ---- running ---- */

static int same_lines(const struct lines *a, const struct lines *b)
{
    if (a->n == b->n)
        return OK;
    return err_set(ERR_DATA, "the line counts differ: %s has %zu and %s has "
                   "%zu; line %zu of %s has no counterpart", a->path, a->n,
                   b->path, b->n, (a->n < b->n ? a->n : b->n) + 1,
                   a->n < b->n ? b->path : a->path);
}

int scorer_check(const struct scorer *s, const struct score_input *in)
{
    int aligned = !(s->takes & SCORE_UNALIGNED);

    if (s->takes & SCORE_ONE_REF && in->refs > 1)
        return err_set(ERR_USAGE, "%s takes one %s, not %d", s->name,
                       s->takes & SCORE_LABELS ? "--gold" : "--ref", in->refs);
    if (s->takes & SCORE_GROUPS && !in->groups)
        return err_set(ERR_USAGE, "%s needs --groups FILE", s->name);
    for (int i = 0; aligned && i < in->refs; i++)
        PASS(same_lines(in->hyp, in->ref[i]));
    if (aligned && in->groups)
        PASS(same_lines(in->hyp, in->groups));
    return OK;
}

int scorer_run(json_t **out, const struct scorer *s,
               const struct score_input *in)
{
    OWNED(score_options_free) struct score_options *defaults =
        score_options_new(s);
    OWNED(json_decref) json_t *found = json_object();
    struct score_input full = *in;

    *out = NULL;
    if (!full.options)
        full.options = defaults;
    REQUIRE(full.options->scorer == s, "options of another scorer");
    PASS(scorer_check(s, &full));
    result_text(found, "metric", s->name);
    PASS(s->score(found, &full));
    *out = json_incref(found);
    return OK;
}
