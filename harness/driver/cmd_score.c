/* score: a metric of files, as a tool of its own. */
#include "harness/driver/command.h"

#include "harness/base/err.h"
#include "harness/driver/registry.h"

#include <stdio.h>
#include <string.h>

/* What was read of the command line: files, and one input a system. */
struct scoring {
    const struct scorer  *scorer;
    struct score_options *options;
    struct lines          hyp[OPTIONS_ARGS], ref[OPTIONS_ARGS], groups;
    struct score_input    input[OPTIONS_ARGS];
};

static int check_choice(const struct scorer *s, const struct score_choice *c)
{
    int labels = s->takes & SCORE_LABELS;
    const char *hyp = labels ? "--pred" : "--hyp";
    const char *ref = labels ? "--gold" : "--ref";

    if (labels ? c->texts : c->labels)
        return err_set(ERR_USAGE, "%s takes %s FILE and %s FILE", s->name, hyp,
                       ref);
    if (!c->hyps || !c->refs)
        return err_set(ERR_USAGE, "%s needs %s FILE", s->name,
                       c->hyps ? ref : hyp);
    if (c->hyps > 1 && !c->pairing)
        return err_set(ERR_USAGE, "%d systems: compare them with "
                       "--paired-bootstrap or --paired-ar", c->hyps);
    if (c->pairing && !s->segments)
        return err_set(ERR_USAGE, "%s cannot be resampled: bleu, chrf and ter "
                       "can", s->name);
    if (c->groups && !(s->takes & SCORE_GROUPS))
        return err_set(ERR_USAGE, "%s takes no --groups", s->name);
    return OK;
}

static int open_files(struct scoring *g, const struct score_choice *c)
{
    int rc = OK;

    for (int i = 0; i < c->refs; i++)
        TRY(lines_read(&g->ref[i], c->ref[i]));
    if (c->groups)
        TRY(lines_read(&g->groups, c->groups));
    for (int i = 0; i < c->hyps; i++) {
        struct score_input *in = &g->input[i];

        TRY(lines_read(&g->hyp[i], c->hyp[i]));
        *in = (struct score_input){.hyp = &g->hyp[i], .refs = c->refs,
                                   .groups = c->groups ? &g->groups : NULL,
                                   .options = g->options};
        for (int k = 0; k < c->refs; k++)
            in->ref[k] = &g->ref[k];
    }
out:
    return rc;
}

static int open_scoring(struct scoring *g, const struct options *o)
{
    const struct assigns *set = &o->choice.set;
    int rc;

    TRY(registry_scorer(&g->scorer, o->arg[0]));
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

static int run(const struct options *o)
{
    struct scoring g = {.scorer = NULL};
    struct result *r = NULL;
    int rc;

    TRY(open_scoring(&g, o));
    TRY(scorer_run(&r, g.scorer, &g.input[0]));
    TRY((!strcmp(o->format, "json") ? result_write_json
                                    : result_write_text)(r, stdout));
out:
    result_free(r);
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
