#include "harness/config/experiment_part.h"

#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/tuning.h"

#include <stdlib.h>

static int read_grid(struct experiment *e, const struct node *n,
                     struct tune *t)
{
    PASS(part_want(e, n, NODE_MAP, "{schedule.scale: [1, 2]}"));
    for (const struct node *c = n->child; c; c = c->next) {
        if (t->n == TUNE_KEYS)
            return wrong(e, c, "at most %d settings can be tuned", TUNE_KEYS);
        if (experiment_varies(e, c->key, 0))
            return wrong(e, c, "'%s' is varied, so it cannot be tuned", c->key);
        PASS(part_values(e, c, c->key, &t->grid[t->n++]));
    }
    return OK;
}

static int read_share(struct experiment *e, const struct node *n,
                      struct tune *t)
{
    PASS(part_want(e, n, NODE_TEXT, "share: 1"));
    return str_to_real(n->text, &t->share) || t->share <= 0 || t->share > 100
               ? wrong(e, n, "share: %s: expected a number above 0, at most "
                       "100: the steps of all trials, divided by those of a "
                       "cell", n->text)
               : OK;
}

static int read_seed(struct experiment *e, const struct node *n,
                     struct tune *t)
{
    struct config scratch = {.seed = 0};

    PASS(part_want(e, n, NODE_TEXT, "seed: 0"));
    PASS(part_at(e, n, settings_set(&scratch, "seed", n->text)));
    t->seed = (long long)scratch.seed;
    return OK;
}

static int read_tune_match(struct experiment *e, const struct node *n,
                           struct tune *t)
{
    t->match = n;
    return part_match(e, n, 0);
}

static const struct tune_part {
    const char *key;
    int (*read)(struct experiment *e, const struct node *n, struct tune *t);
} tune_parts[] = {{"match", read_tune_match}, {"grid", read_grid},
                  {"share", read_share}, {"seed", read_seed}, {.key = NULL}};

static int read_tuned(struct experiment *e, const struct node *n,
                      struct tune *t)
{
    PASS(part_want(e, n, NODE_MAP, "{match: {task: lm1b}, grid: "
                   "{score_rate: [1, 8]}, share: 1, seed: 0}"));
    t->seed = -1;
    for (const struct node *c = n->child; c; c = c->next) {
        int i = names_row("key", c->key, tune_parts, sizeof *tune_parts);

        PASS(part_at(e, c, i));
        PASS(tune_parts[i].read(e, c, t));
    }
    if (!t->match || !t->n || t->share <= 0 || t->seed < 0)
        return wrong(e, n, "'tune' needs match, grid, share and seed");
    int trials = 1;
    for (int i = 0; i < t->n; i++)
        trials *= t->grid[i].n;
    if (trials < 2)
        return wrong(e, n, "'tune': the grid has one point, so there is "
                     "nothing to choose; use 'set'");
    OWNED(free) char *text = tuning_text(t, &(struct config){.steps = 1});
    return part_at(e, n, settings_set(&(struct config){.seed = 0}, "tuned",
                                      text));
}

int read_tune(struct experiment *e, const struct node *n)
{
    PASS(part_want(e, n, NODE_LIST, "- {match: {task: lm1b}, ...}"));
    e->tune = arena_zero(e->memory,
                         (size_t)tree_count(n) * sizeof *e->tune + 1);
    for (const struct node *c = n->child; c; c = c->next)
        PASS(read_tuned(e, c, &e->tune[e->ntune++]));
    return OK;
}
