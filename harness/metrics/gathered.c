#include "harness/metrics/gathered.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdlib.h>

static void add_line(struct lines *l, const char *s)
{
    if (l->n == 0)
        l->path = str_copy("decoded text");
    ARRAY_ROOM(l->line, l->n, l->cap);
    char *copy = str_copy(s);
    for (char *c = copy; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    l->line[l->n++] = copy;
}

void gathered_add(struct gathered *g, const char *hyp, const char *ref,
                  const char *group)
{
    add_line(&g->hyp, hyp);
    add_line(&g->ref, ref);
    if (group)
        add_line(&g->groups, group);
}

static void free_lines(struct lines *l)
{
    while (l->n)
        free(l->line[--l->n]);
    lines_close(l);
}

void gathered_free(struct gathered *g)
{
    free_lines(&g->hyp);
    free_lines(&g->ref);
    free_lines(&g->groups);
    *g = (struct gathered){0};
}

int gathered_score(json_t **out, const struct gathered *g,
                   const struct scorer *s, const char *const *options)
{
    OWNED(score_options_free) struct score_options *o = score_options_new(s);
    struct score_input in = {.hyp = &g->hyp, .ref = {&g->ref}, .refs = 1,
                             .groups = g->groups.n ? &g->groups : NULL,
                             .options = o};

    *out = NULL;
    for (; options && *options; options += 2)
        PASS(score_options_set(o, options[0], options[1]));
    if (g->hyp.n)
        PASS(scorer_run(out, s, &in));
    return OK;
}

static void add_texts(struct gathered *g, const struct answer *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        gathered_add(g, s[i].hyp, s[i].ref, NULL);
}

void gathered_measure(const struct metric *m, struct scored *out,
                      const struct answer *s, size_t n)
{
    const struct gathered_score *how = m->how;
    OWNED(gathered_free) struct gathered g = {0};
    OWNED(json_decref) json_t *r = NULL;

    add_texts(&g, s, n);
    int rc = gathered_score(&r, &g, how->scorer, how->options);
    REQUIRE(rc == OK, "%s: %s", how->scorer->name, err_last());
    *out = (struct scored){
        .value = r ? how->scale * result_number(r, "score") : NAN};
}

static double of_sums(const struct stratum *s, const double *sums)
{
    const struct gathered_score *how = s->self;
    struct score_input in = {.refs = 1, .options = s->options};

    return how->scale * how->scorer->of_sums(sums, &in);
}

int gathered_strata(const struct metric *m, struct stratum *out,
                    const struct answer *s, size_t n)
{
    const struct gathered_score *how = m->how;
    OWNED(gathered_free) struct gathered g = {0};
    OWNED(stratum_close) struct stratum x = {
        .n = n, .of_sums = of_sums, .self = how,
        .options = score_options_new(how->scorer)};
    struct score_input in = {.hyp = &g.hyp, .ref = {&g.ref}, .refs = 1,
                             .options = x.options};

    add_texts(&g, s, n);
    for (const char *const *o = how->options; o && *o; o += 2)
        PASS(score_options_set(x.options, o[0], o[1]));
    PASS(how->scorer->segments(&x.x, &x.columns, &in));
    *out = x;
    x = (struct stratum){.n = 0};
    return 1;
}
