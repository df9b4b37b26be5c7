/* score: a metric of files, as a tool of its own. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/columns.h"
#include "harness/metrics/paired.h"
#include "harness/metrics/scorer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was read of the command line: files, and one input a system. */
struct scoring {
    const struct scorer  *scorer;
    struct score_options *options;
    struct lines          hyp[OPTIONS_ARGS], ref[OPTIONS_ARGS], groups;
    struct score_input    input[OPTIONS_ARGS];
};

/* Names those that can. */
static int cannot_be_resampled(const struct scorer *s)
{
    char *all = str_copy("");

    for (const struct scorer *const *i = scorer_all; *i; i++)
        if ((*i)->segments) {
            char *more = str_format("%s%s%s", all, *all ? ", " : "",
                                    (*i)->name);

            free(all);
            all = more;
        }
    int rc = err_set(ERR_USAGE, "%s cannot be resampled: these can: %s",
                     s->name, all);
    free(all);
    return rc;
}

static int check_choice(const struct scorer *s, const struct score_choice *c)
{
    int labels = s->takes & SCORE_LABELS;
    const char *hyp = labels ? "--pred" : "--hyp";
    const char *ref = labels ? "--gold" : "--ref";

    if (labels ? c->texts : c->labels)
        return err_set(ERR_USAGE, "%s takes %s FILE and %s FILE", s->name, hyp,
                       ref);
    if (!c->hyp.n || !c->ref.n)
        return err_set(ERR_USAGE, "%s needs %s FILE", s->name,
                       c->hyp.n ? ref : hyp);
    if (c->hyp.n > 1 && !c->pairing)
        return err_set(ERR_USAGE, "%d systems: compare them with "
                       "--paired-bootstrap or --paired-ar", c->hyp.n);
    if (c->ref.n > SCORE_REFS)
        return err_set(ERR_USAGE, "%d references: at most %d", c->ref.n,
                       SCORE_REFS);
    if (c->pairing && !s->segments)
        return cannot_be_resampled(s);
    if (!c->pairing && (c->resamples || c->seed >= 0))
        return err_set(ERR_USAGE, "--resamples and --seed belong to "
                       "--paired-bootstrap or --paired-ar");
    if (c->groups && !(s->takes & SCORE_GROUPS))
        return err_set(ERR_USAGE, "%s takes no --groups", s->name);
    return OK;
}

static int open_files(struct scoring *g, const struct score_choice *c)
{
    int rc = OK;

    for (int i = 0; i < c->ref.n; i++)
        TRY(lines_read(&g->ref[i], c->ref.name[i]));
    if (c->groups)
        TRY(lines_read(&g->groups, c->groups));
    for (int i = 0; i < c->hyp.n; i++) {
        struct score_input *in = &g->input[i];

        TRY(lines_read(&g->hyp[i], c->hyp.name[i]));
        *in = (struct score_input){.hyp = &g->hyp[i], .refs = c->ref.n,
                                   .groups = c->groups ? &g->groups : NULL,
                                   .options = g->options};
        for (int k = 0; k < c->ref.n; k++)
            in->ref[k] = &g->ref[k];
    }
out:
    return rc;
}

static int open_scoring(struct scoring *g, const struct options *o)
{
    const struct assigns *set = &o->choice.set;
    int rc;

    TRY(scorer_find(&g->scorer, o->arg[0]));
    TRY(check_choice(g->scorer, &o->score));
    g->options = score_options_new(g->scorer);
    for (int i = 0; i < set->n; i++)
        TRY(score_options_set(g->options, set->a[i].key, set->a[i].value));
    TRY(open_files(g, &o->score));
out:
    return rc;
}

static void close_scoring(struct scoring *g)
{
    for (int i = 0; i < OPTIONS_ARGS; i++) {
        lines_close(&g->hyp[i]);
        lines_close(&g->ref[i]);
    }
    lines_close(&g->groups);
    score_options_free(g->options);
}

/* ---- several systems ---- */

/* Blank where there is no such number. */
static void add_number(struct columns *t, int digits, double x)
{
    char text[32] = "";

    if (!isnan(x))
        snprintf(text, sizeof text, "%.*f", digits, x);
    columns_add(t, "%s", text);
}

static void print_systems(const struct scoring *g, const struct paired *p,
                          int systems, const char *signature)
{
    struct columns *t = columns_new("<>>>>");
    int digits = strcmp(g->scorer->unit, "%") ? 4 : 2;
    static const char *const head[] = {"system", "score", "mean", "95 % +-",
                                       "p"};

    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        columns_add(t, "%s", head[i]);
    for (int i = 0; i < systems; i++) {
        columns_add(t, "%s", g->hyp[i].path);
        add_number(t, digits, p[i].score);
        add_number(t, digits, p[i].mean);
        add_number(t, digits, p[i].ci);
        add_number(t, 4, p[i].p);
    }
    columns_print(t, stdout);
    printf("signature = %s\n", signature);
}

static int write_systems(const struct scoring *g, const struct paired *p,
                         int systems, const char *signature)
{
    struct result *r = result_new();

    result_text(r, "metric", g->scorer->name);
    result_real(r, "score", p[0].score);
    result_text(r, "signature", signature);
    result_list(r, "systems");
    for (int i = 0; i < systems; i++)
        paired_write(r, NULL, g->hyp[i].path, &p[i]);
    result_end(r);
    int rc = result_write_json(r, stdout);
    result_free(r);
    return rc;
}

static int compare(const struct scoring *g, const struct options *o)
{
    const struct score_choice *c = &o->score;
    enum paired_test test = c->pairing == PAIRED_AR ? PAIRED_TEST_AR
                                                    : PAIRED_TEST_BS;
    int n = c->resamples ? c->resamples
          : test == PAIRED_TEST_AR ? PAIRED_RANDOM : PAIRED_BS;
    uint32_t seed = c->seed < 0 ? PAIRED_SEED : (uint32_t)c->seed;
    struct paired p[OPTIONS_ARGS];
    struct result *first = NULL;
    char *signature = NULL;
    int rc;

    TRY(scorer_run(&first, g->scorer, &g->input[0]));
    TRY(paired_run(p, g->scorer, g->input, c->hyp.n, test, n, seed));
    signature = paired_signature(result_string(first, "signature"), test, n,
                                 seed);
    if (!strcmp(o->format, "json"))
        TRY(write_systems(g, p, c->hyp.n, signature));
    else
        print_systems(g, p, c->hyp.n, signature);
out:
    result_free(first);
    free(signature);
    return rc;
}

/* ---- one system ---- */

static int score(const struct scoring *g, const struct options *o)
{
    struct result *r = NULL;
    int rc;

    TRY(scorer_run(&r, g->scorer, &g->input[0]));
    TRY((!strcmp(o->format, "json") ? result_write_json
                                    : result_write_text)(r, stdout));
out:
    result_free(r);
    return rc;
}

static int run(const struct options *o)
{
    struct scoring g = {.scorer = NULL};
    int rc;

    TRY(open_scoring(&g, o));
    TRY(o->score.pairing ? compare(&g, o) : score(&g, o));
out:
    close_scoring(&g);
    return rc;
}

const struct command command_score = {
    .name = "score",
    .summary = "Score files as the field's reference tools do",
    .args = "METRIC",
    .doc = "`list scorers' tells which there are, and their options.",
    .takes = TAKES_SCORE | TAKES_FORMAT,
    .least = 1,
    .most = 1,
    .formats = command_text_json,
    .run = run};
