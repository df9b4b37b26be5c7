/* score: computes a metric of files, like a standalone tool. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/paired.h"
#include "harness/metrics/scorer.h"
#include "harness/print/sheet.h"

#include <stdlib.h>
#include <string.h>

struct given {
    struct arguments texts[2];   /* systems, references */
    struct arguments labels[2];  /* systems, references */
    const char      *groups;     /* may be NULL         */
    struct assigns   set;
    int              bootstrap, ar;
    int              resamples;  /* 0: default of sacreBLEU    */
    const long long *seed;       /* NULL: default of sacreBLEU */
    const char      *format;
};

static int read_seed(void *field, const struct opt *opt, const char *arg,
                     struct reading *r)
{
    long long *seed = arena_take(r->memory, sizeof *seed);

    *(const long long **)field = seed;
    if (str_to_int(arg, seed) || *seed < 0 || *seed > UINT32_MAX)
        return err_set(ERR_USAGE, "%s %s: expected 0 to %u", opt->name, arg,
                       UINT32_MAX);
    return OK;
}

static const struct opt options[] = {
    {"--hyp", 0, "FILE", opt_files, OPT_AT(texts[0]),
     .doc = "System output, one segment per line; repeat to compare systems"},
    {"--ref", 0, "FILE", opt_files, OPT_AT(texts[1]),
     .doc = "Reference, one segment per line; repeat if the metric accepts "
            "several"},
    {"--pred", 0, "FILE", opt_files, OPT_AT(labels[0]),
     .doc = "Predicted labels or values, one per line"},
    {"--gold", 0, "FILE", opt_files, OPT_AT(labels[1]),
     .doc = "Correct labels or values"},
    {"--groups", 0, "FILE", opt_file, OPT_AT(groups),
     .doc = "Name of the question to which each line of --pred belongs, "
            "one per line"},
    {"--set", 'S', "OPTION=VALUE", opt_set, OPT_AT(set),
     .doc = "Option of the metric"},
    {"--paired-bootstrap", 0, NULL, opt_flag, OPT_AT(bootstrap),
     .doc = "Compare every further --hyp with the first by paired bootstrap"},
    {"--paired-ar", 0, NULL, opt_flag, OPT_AT(ar),
     .doc = "Compare every further --hyp with the first by approximate "
            "randomization"},
    {"--resamples", 0, "N", opt_count, OPT_AT(resamples),
     .doc = "Number of resamples (default: 1000, or 10000 with --paired-ar)",
     .most = 1000000},
    {"--seed", 0, "N", read_seed, OPT_AT(seed),
     .doc = "Seed of the resamples (default: 12345)"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* The files of the command line, with one input for each system. */
struct scoring {
    const struct scorer  *scorer;
    struct score_options *options;
    int                   systems, refs;
    struct lines         *hyp, *ref, groups;
    struct score_input   *input;
};

/* Returns the files that this kind of scorer reads: systems, then
 * references. */
static const struct arguments *files_of(const struct scorer *s,
                                        const struct given *g)
{
    return s->takes & SCORE_LABELS ? g->labels : g->texts;
}

static int check_files(const struct scorer *s, const struct given *g)
{
    int labels = s->takes & SCORE_LABELS;
    const char *hyp = labels ? "--pred" : "--hyp";
    const char *ref = labels ? "--gold" : "--ref";
    const struct arguments *of = files_of(s, g);
    const struct arguments *others = labels ? g->texts : g->labels;

    if (others[0].n || others[1].n)
        return err_set(ERR_USAGE, "%s takes %s FILE and %s FILE", s->name, hyp,
                       ref);
    if (!of[0].n || !of[1].n)
        return err_set(ERR_USAGE, "%s needs %s FILE", s->name,
                       of[0].n ? ref : hyp);
    if (of[1].n > SCORE_REFS)
        return err_set(ERR_USAGE, "%d references: at most %d", of[1].n,
                       SCORE_REFS);
    if (g->groups && !(s->takes & SCORE_GROUPS))
        return err_set(ERR_USAGE, "%s takes no --groups", s->name);
    return OK;
}

static int check_pairing(const struct scorer *s, const struct given *g)
{
    int paired = g->bootstrap || g->ar, systems = files_of(s, g)->n;

    if (g->bootstrap && g->ar)
        return err_set(ERR_USAGE, "use only one of --paired-bootstrap and "
                                  "--paired-ar");
    if (systems > 1 && !paired)
        return err_set(ERR_USAGE, "%d systems: compare them with "
                       "--paired-bootstrap or --paired-ar", systems);
    if (paired && !s->segments) {
        OWNED(text_free) struct text all = {0};

        for (const struct scorer *const *i = scorer_all; *i; i++)
            if ((*i)->segments)
                text_format(&all, "%s%s", all.n ? ", " : "", (*i)->name);
        return err_set(ERR_USAGE, "%s has no significance test; these scorers "
                                  "have one: %s", s->name, all.s);
    }
    if (!paired && (g->resamples || g->seed))
        return err_set(ERR_USAGE, "--resamples and --seed belong to "
                       "--paired-bootstrap or --paired-ar");
    return OK;
}

static int open_files(struct scoring *s, const struct given *g)
{
    const struct arguments *hyp = files_of(s->scorer, g), *ref = hyp + 1;

    s->hyp = calloc((size_t)hyp->n, sizeof *s->hyp);
    s->input = calloc((size_t)hyp->n, sizeof *s->input);
    s->ref = calloc((size_t)ref->n, sizeof *s->ref);
    s->systems = hyp->n;
    s->refs = ref->n;
    for (int i = 0; i < ref->n; i++)
        PASS(lines_read(&s->ref[i], ref->of[i]));
    if (g->groups)
        PASS(lines_read(&s->groups, g->groups));
    for (int i = 0; i < hyp->n; i++) {
        struct score_input *in = &s->input[i];

        PASS(lines_read(&s->hyp[i], hyp->of[i]));
        *in = (struct score_input){.hyp = &s->hyp[i], .refs = ref->n,
                                   .groups = g->groups ? &s->groups : NULL,
                                   .options = s->options};
        for (int k = 0; k < ref->n; k++)
            in->ref[k] = &s->ref[k];
    }
    return OK;
}

static void close_scoring(struct scoring *s)
{
    for (int i = 0; i < s->systems; i++)
        lines_close(&s->hyp[i]);
    for (int i = 0; i < s->refs; i++)
        lines_close(&s->ref[i]);
    lines_close(&s->groups);
    free(s->hyp);
    free(s->ref);
    free(s->input);
    score_options_free(s->options);
}
OWNER_OF_VALUE(close_scoring, struct scoring)

/* ---- several systems ---- */

static void put_systems(struct sheet *to, const struct scoring *s,
                        const struct paired *p, const char *signature)
{
    static const char *const head[] = {"system", "score", "bootstrap mean",
                                       "95 % half-width", "p"};
    struct grid *t = sheet_listing(to, "<>>>>", head);
    const char *form = strcmp(s->scorer->unit, "%") ? "%.4f" : "%.2f";

    for (int i = 0; i < s->systems; i++) {
        grid_add(t, "%s", s->hyp[i].path);
        grid_number(t, form, p[i].score, "");
        grid_number(t, form, p[i].mean, "");
        grid_number(t, form, p[i].ci, "");
        grid_number(t, "%.4f", p[i].p, "");
    }
    sheet_put(to, PART_LINE, "signature = %s", signature);
}

static int compare(const struct scoring *s, const struct given *g)
{
    enum paired_test test = g->ar ? PAIRED_TEST_AR : PAIRED_TEST_BS;
    int n = g->resamples ? g->resamples : g->ar ? PAIRED_RANDOM : PAIRED_BS;
    uint32_t seed = g->seed ? (uint32_t)*g->seed : PAIRED_SEED;
    OWNED(free) struct paired *p = calloc((size_t)s->systems, sizeof *p);
    OWNED(json_decref) json_t *first = NULL;
    OWNED(sheet_close) struct sheet *to = sheet_new();
    OWNED(free) char *signature = NULL;

    PASS(scorer_run(&first, s->scorer, &s->input[0]));
    PASS(paired_run(p, s->scorer, s->input, s->systems, test, n, seed));
    signature = paired_signature(result_string(first, "signature"), test, n,
                                 seed);
    put_systems(to, s, p, signature);
    json_t *systems = json_array();
    for (int i = 0; i < s->systems; i++)
        json_array_append_new(systems, paired_json(s->hyp[i].path, &p[i]));
    sheet_fact(to, "metric", json_string(s->scorer->name));
    sheet_fact(to, "score", json_real(p[0].score));
    sheet_fact(to, "signature", json_string(signature));
    sheet_fact(to, "systems", systems);
    return sheet_print(to, g->format, NULL);
}

/* ---- one system ---- */

/* Adds "name = value", or "outer.name = value" for members of an object.  Lists
 * are omitted. */
static void put_value(struct sheet *to, const char *outer, const char *name,
                      const json_t *v)
{
    const char *dot = *outer ? "." : "", *inner;
    json_t *w;

    if (json_is_object(v)) {
        json_object_foreach((json_t *)v, inner, w)
            put_value(to, name, inner, w);
    } else if (!json_is_array(v)) {
        OWNED(free) char *text = json_dumps(v, JSON_ENCODE_ANY |
                                               JSON_REAL_PRECISION(15));

        sheet_put(to, PART_LINE, "%s%s%s = %s", outer, dot, name,
                  json_is_string(v) ? json_string_value(v)
                  : json_is_null(v) ? "nan" : text);
    }
}

static int score(const struct scoring *s, const struct given *g)
{
    OWNED(sheet_close) struct sheet *to = sheet_new();

    PASS(scorer_run(&to->object, s->scorer, &s->input[0]));
    put_value(to, "", "", to->object);
    return sheet_print(to, g->format, NULL);
}

static int run_score(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(close_scoring) struct scoring s = {.scorer = NULL};

    PASS(scorer_find(&s.scorer, args->of[0]));
    PASS(check_files(s.scorer, g));
    PASS(check_pairing(s.scorer, g));
    s.options = score_options_new(s.scorer);
    for (int i = 0; i < g->set.n; i++)
        PASS(score_options_set(s.options, g->set.a[i].key, g->set.a[i].value));
    PASS(open_files(&s, g));
    return g->bootstrap || g->ar ? compare(&s, g) : score(&s, g);
}

const struct command command_score = {
    .name = "score",
    .summary = "Score files as sacreBLEU and other reference tools do",
    .args = "METRIC",
    .doc = "`list scorers` lists the metrics and their options.",
    .formats = command_text_json,
    COMMAND_RUNS(run_score, 1, 1)};
