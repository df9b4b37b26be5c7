#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/map.h"
#include "harness/gate/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const judge_word[] = {JUDGE_VERDICTS(NAMES_WORD) NULL};

struct judged *judge_add(struct judgement *j, const char *cell,
                         const char *metric, enum judge_verdict verdict,
                         const char *stage, const char *why)
{
    ARRAY_ROOM(j->row, j->n, j->room);
    j->row[j->n] = (struct judged){
        .cell = cell, .metric = metric, .verdict = verdict, .stage = stage,
        .why = why, .old = NAN, .new = NAN, .difference = NAN, .margin = NAN,
        .p = NAN, .between = {NAN, NAN}, .degrees = NAN, .units = ""};
    return &j->row[j->n++];
}

int judge_count(const struct judgement *j, enum judge_verdict verdict)
{
    int n = 0;

    for (int i = 0; i < j->n; i++)
        n += j->row[i].verdict == verdict;
    return n;
}

struct judged *judge_values(struct judging *w, const char *cell,
                            const struct baseline_value *a,
                            const struct baseline_value *b,
                            enum judge_verdict verdict, const char *stage,
                            const char *why)
{
    struct judged *r = judge_add(w->out, cell, a->what, verdict, stage, why);

    r->old = a->value;
    r->new = b->value;
    r->difference = b->value - a->value;
    r->better = a->better;
    r->units = a->units;
    return r;
}

/* Gives every cell with different bits, and every added cell, the verdict
 * JUDGE_CHANGED, whether or not the metrics differ.  An added metric is no
 * change.  m: all n pairs. */
static void demand_bits(struct judging *w, const struct cell_pair *m, int n)
{
    for (int i = 0; i < w->out->n; i++)
        if (w->out->row[i].verdict == JUDGE_ADDED && !*w->out->row[i].metric)
            w->out->row[i].verdict = JUDGE_CHANGED;
    for (int i = 0; i < n; i++)
        if (m[i].a && m[i].b && pair_moved(&m[i]))
            judge_add(w->out, m[i].b->name, "", JUDGE_CHANGED, "bits",
                      "different bits; if intended, accept them with "
                      "`baseline save`");
}

/* Returns the facts about build and machine that differ between the baselines:
 * "compiler: gcc 12, now gcc 13; ...". */
static const char *builds_differ_in_words(const struct judge_of *of,
                                          struct arena *a)
{
    static const char *const not_build[] = {"experiment", "store", NULL};
    const char *all = "";

    for (int i = 0; i < of->old->facts; i++) {
        const struct baseline_fact *f = &of->old->fact[i];
        const char *now = baseline_fact(of->new, f->name);

        if (names_index(not_build, f->name) >= 0 ||
            (now && !strcmp(now, f->text)))
            continue;
        all = arena_format(a, "%s%s%s: %.64s, now %.64s", all,
                           *all ? "; " : "", f->name, f->text,
                           now ? now : "unknown");
    }
    return all;
}

/* Returns the settings of a cell that differ from their defaults. */
static json_t *config_of(const struct baseline_cell *c)
{
    const char *text = baseline_text(c, "config");

    return json_loads(text ? text : "{}", 0, NULL);
}

static const char *value_text(const json_t *v, struct arena *a)
{
    OWNED(free) char *text = v ? json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT |
                                                   JSON_REAL_PRECISION(10))
                               : NULL;

    return text ? arena_text(a, text) : "default";
}

/* Returns the settings that differ in the pairs, each change once. */
static const char *settings_in_words(const struct cell_pair *m, int n,
                                     struct arena *a)
{
    OWNED(map_free) struct map *listed = map_of_copies();
    const char *all = "", *key;
    json_t *v;

    for (int i = 0; i < n; i++) {
        OWNED(json_decref) json_t *old = m[i].a ? config_of(m[i].a) : NULL;
        OWNED(json_decref) json_t *new = m[i].b ? config_of(m[i].b) : NULL;
        OWNED(json_decref) json_t *both = json_copy(old);

        if (!old || !new)
            continue;
        json_object_update(both, new);
        json_object_foreach(both, key, v) {
            const json_t *x = json_object_get(old, key);
            const json_t *y = json_object_get(new, key);
            const char *one = arena_format(a, "%s: %s, now %s", key,
                                           value_text(x, a), value_text(y, a));

            if (!json_equal(x, y) && map_add(listed, one, 1))
                all = arena_format(a, "%s%s%s", all, *all ? "; " : "", one);
        }
    }
    return all;
}

int judge(struct judgement **out, const struct judge_of *of)
{
    struct arena *memory = arena_new();
    OWNED(judge_close) struct judgement *j = arena_zero(memory, sizeof *j);
    struct judging w = {.of = of, .out = j};

    *out = NULL;
    j->memory = memory;
    struct cell_pair *all, *moved;
    int n = pair_baselines(&all, of->old, of->new, memory), k = 0;
    moved = arena_zero(memory, ((size_t)n + 1) * sizeof *moved);
    for (int i = 0; i < n; i++)
        if (stage_exact_pair(&w, &all[i]))
            moved[k++] = all[i];
    stage_exact_seeds(&w, all, n);
    PASS(stage_metrics(&w, moved, k));
    if (of->exact)
        demand_bits(&w, all, n);
    if (!j->cells)
        return err_set(ERR_EMPTY, "baseline %s has no cell in common with %s",
                       of->old->name, of->new_store);
    j->builds = builds_differ_in_words(of, memory);
    j->settings = settings_in_words(all, n, memory);
    return MOVE_OUT(out, j);
}

void judge_close(struct judgement *j)
{
    if (!j)
        return;
    free(j->row);
    arena_free(j->memory);
}
