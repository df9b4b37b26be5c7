#include "harness/metrics/scorer.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS = 32 };

struct score_options {
    const struct score_option *row;
    const char                *scorer;
    int                        n;
    char                      *value[OPTIONS]; /* NULL: the default */
};

struct score_options *score_options_new(const struct scorer *s)
{
    struct score_options *o = calloc(1, sizeof *o);

    o->row = s->options;
    o->scorer = s->name;
    while (o->row && o->row[o->n].key)
        o->n++;
    REQUIRE(o->n <= OPTIONS, "%s: %d options", s->name, o->n);
    return o;
}

void score_options_free(struct score_options *o)
{
    for (int i = 0; o && i < o->n; i++)
        free(o->value[i]);
    free(o);
}

/* ---- values ---- */

static const char *const yes_no[] = {"no", "yes", "false", "true", "0", "1",
                                     NULL};

/* Where `word` stands in `words`, or -1. */
static int wrong_word(const struct score_option *row, const char *value,
                      const char *const words[])
{
    OWNED(free) char *all = names_list(words);

    return err_set(ERR_USAGE, "-S %s=%s: expected one of %s", row->key, value,
                   all);
}

static int check_number(const struct score_option *row, const char *value)
{
    long long n;
    double x;
    int integer = row->kind == SCORE_INT, bad = str_to_real(value, &x);

    if (bad || (integer && str_to_int(value, &n)))
        return err_set(ERR_USAGE, "-S %s=%s: expected %s number", row->key,
                       value, integer ? "a whole" : "a");
    if (row->least < row->most && (x < row->least || x > row->most))
        return err_set(ERR_USAGE, "-S %s=%s: expected %g to %g", row->key,
                       value, row->least, row->most);
    return OK;
}

static int check_value(const struct score_option *row, const char *value)
{
    const char *const *words = row->kind == SCORE_FLAG ? yes_no : row->words;

    switch (row->kind) {
    case SCORE_FLAG:
    case SCORE_WORD:
        return names_index(words, value) < 0 ? wrong_word(row, value, words)
                                             : OK;
    case SCORE_INT:
    case SCORE_REAL: return check_number(row, value);
    case SCORE_TEXT: break;
    }
    return OK;
}

static int find(const struct score_options *o, const char *key)
{
    for (int i = 0; i < o->n; i++)
        if (!strcmp(o->row[i].key, key))
            return i;
    return -1;
}

static int unknown(const struct score_options *o, const char *key)
{
    const char *names[OPTIONS + 1] = {NULL}, *near;

    if (!o->n)
        return err_set(ERR_USAGE, "-S %s: %s has no options", key, o->scorer);
    for (int i = 0; i < o->n; i++)
        names[i] = o->row[i].key;
    near = str_nearest(key, names);
    if (near)
        return err_set(ERR_USAGE, "-S %s: %s has no such option: did you mean "
                       "'%s'?", key, o->scorer, near);
    OWNED(free) char *all = names_list(names);
    return err_set(ERR_USAGE, "-S %s: the options of %s are %s", key, o->scorer,
                   all);
}

int score_options_set(struct score_options *o, const char *key,
                      const char *value)
{
    int i = find(o, key);

    if (i < 0)
        return unknown(o, key);
    PASS(check_value(&o->row[i], value));
    free(o->value[i]);
    o->value[i] = str_copy(value);
    return OK;
}

/* ---- what a scorer reads ---- */

const char *score_text(const struct score_input *in, const char *key)
{
    int i = find(in->options, key);

    REQUIRE(i >= 0, "%s has no option '%s'", in->options->scorer, key);
    return in->options->value[i] ? in->options->value[i]
                                 : in->options->row[i].value;
}

int score_index(const struct score_input *in, const char *key)
{
    return names_index(in->options->row[find(in->options, key)].words,
                    score_text(in, key));
}

int score_flag(const struct score_input *in, const char *key)
{
    const char *s = score_text(in, key);

    return s && names_index(yes_no, s) % 2 == 1;
}

long score_int(const struct score_input *in, const char *key)
{
    long long n = 0;
    const char *s = score_text(in, key);

    REQUIRE(s && !str_to_int(s, &n), "%s=%s", key, s ? s : "");
    return (long)n;
}

double score_real(const struct score_input *in, const char *key)
{
    double x = NAN;
    const char *s = score_text(in, key);

    REQUIRE(!s || !str_to_real(s, &x), "%s=%s", key, s);
    return x;
}

char *score_data(const struct score_input *in, const char *key,
                 const char *name)
{
    const char *given = score_text(in, key);
    const char *folder = getenv("SYNTHBENCH_METRIC_DATA");

    if (given)
        return str_copy(given);
    if (!folder || !*folder)
        return NULL;
    OWNED(free) char *path = str_format("%s/%s", folder, name);
    return file_exists(path) ? str_copy(path) : NULL;
}

/* ---- segments ---- */

static void read_all(struct segment *s, const struct score_input *in, size_t i,
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

void segment_read(struct segment *s, const struct score_input *in, size_t i)
{
    read_all(s, in, i, 1);
}

void segment_read_stripped(struct segment *s, const struct score_input *in,
                           size_t i)
{
    read_all(s, in, i, 0);
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
    return err_set(ERR_DATA, "%s has %zu lines and %s has %zu: line %zu of %s "
                   "has no counterpart", a->path, a->n, b->path, b->n,
                   (a->n < b->n ? a->n : b->n) + 1,
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
    OWNED(json_decref) json_t *found = json_pack("{s:s}", "metric", s->name);
    struct score_input full = *in;

    *out = NULL;
    if (!full.options)
        full.options = defaults;
    REQUIRE(full.options->row == s->options, "options of another scorer");
    PASS(scorer_check(s, &full));
    PASS(s->score(found, &full));
    *out = json_incref(found);
    return OK;
}
