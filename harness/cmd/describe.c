#include "harness/cmd/describe.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/columns.h"
#include "harness/cmd/counts.h"
#include "harness/cmd/results.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct told {
    int           worst;  /* exit code, of damage */
    struct builds builds; /* of what was read     */
};

/* What a cell's file holds, where it is done.  A damaged one is said, noted
 * in t->worst and then treated as if it held nothing. */
static void read_results(struct results *out, const struct plan *p,
                         const struct cell *c, enum detail d, struct told *t)
{
    int rc = OK;

    *out = (struct results){0};
    if (c->damage) {
        say("%s", c->damage);
        t->worst = err_exit_code(ERR_STORE);
    } else if (d != DESCRIBE_PLAN && c->status.state == CELL_DONE) {
        rc = results_read(out, p->store, c, d == DESCRIBE_ALL, p->memory);
    }
    if (rc < 0) {
        say("%s", err_last());
        *out = (struct results){0};
        t->worst = err_exit_code(rc);
    }
    if (out->build.cells)
        builds_add(&t->builds, &out->build, p->memory);
}

/* On stderr: cells that may not be comparable. */
static void warn_of_builds(const struct builds *all)
{
    char *text = builds_differ(all) ? builds_text(all) : NULL;

    if (text)
        say("%s", text);
    free(text);
}

/* ---- JSON ---- */

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *text_or_null(const char *s)
{
    return s && *s ? json_string(s) : json_null();
}

static void put_results(json_t *j, const struct cell *c,
                        const struct results *r)
{
    json_t *metrics = json_object();

    for (int i = 0; i < r->metrics; i++)
        json_object_set_new(metrics, r->metric[i], number(r->value[i]));
    json_object_set_new(j, "metrics", metrics);
    json_object_set_new(j, "seconds_spent", number(c->status.seconds));
    json_object_set_new(j, "message", text_or_null(plan_reason(c)));
    if (r->build.cells)
        json_object_set_new(j, "commit", json_string(r->build.commit));
    json_object_set_new(j, "worse_than_blind",
                        r->blind.name ? json_boolean(r->blind.worse)
                                      : json_null());
}

static json_t *config_json(const struct config *c)
{
    json_t *all = json_object();

    for (int hashed = 1; hashed >= 0; hashed--) {
        char *text = settings_all(c, hashed);
        json_t *part = json_loads(text, 0, NULL);

        json_object_update(all, part);
        json_decref(part);
        free(text);
    }
    return all;
}

static void put_all(json_t *j, const struct plan *p, const struct cell *c,
                    const struct results *r)
{
    json_object_set_new(j, "config", config_json(&c->config));
    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];
        json_t *group = json_object_get(j, f->group);
        double x;

        if (!group) {
            group = json_object();
            json_object_set_new(j, f->group, group);
        }
        json_object_set_new(group, f->name,
                            str_to_real(f->text, &x) ? json_string(f->text)
                                                     : json_real(x));
    }
    if (r->facts) {
        char *file = str_format("%s/cells/%s.h5", p->store, c->id);

        json_object_set_new(j, "file", json_string(file));
        free(file);
    }
}

/* What a refused cell has not is null. */
static json_t *whole(const struct cell *c, double x)
{
    return c->refused || !(fabs(x) < 1e18) ? json_null()
                                           : json_integer((json_int_t)x);
}

static json_t *known(const struct cell *c, double x)
{
    return c->refused ? json_null() : number(x);
}

static json_t *parts_json(const struct cell *c)
{
    const struct memory *m = &c->cost.part;

    if (c->refused)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "parameters",
                     m->weights, "gradients", m->gradients, "optimizer_state",
                     m->optimizer, "activations", m->activations, "data",
                     m->data, "products", m->products, "program", m->program);
}

static void put_counts(json_t *j, const struct cell *c,
                       const struct published *p)
{
    struct count k;

    count_cell(&k, c, p);
    json_object_set_new(j, "params_equal", whole(c, k.equal));
    json_object_set_new(j, "params_code", whole(c, k.code));
    json_object_set_new(j, "published", k.claim.value > 0
                                            ? whole(c, k.claim.value)
                                            : json_null());
    json_object_set_new(j, "residual_equal",
                        whole(c, count_residual(k.equal, &k.claim)));
    json_object_set_new(j, "residual_code",
                        whole(c, count_residual(k.code, &k.claim)));
    json_object_set_new(j, "published_source", text_or_null(k.claim.source));
}

static json_t *cell_json(const struct plan *p, const struct cell *c,
                         enum detail d, const struct published *published,
                         struct told *t)
{
    const struct config *g = &c->config;
    struct results r;
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "id",
        c->id, "variant", g->variant, "task", g->task, "scale", g->scale,
        "seed", (json_int_t)g->seed, "params", whole(c, c->cost.params),
        "flops_per_step", known(c, c->cost.flops_per_step), "bytes",
        known(c, c->cost.bytes), "bytes_parts", parts_json(c), "seconds",
        known(c, c->seconds), "status", plan_status(c), "reason",
        text_or_null(plan_reason(c)));

    REQUIRE(j, "cell %s cannot be JSON", c->id);
    if (published)
        put_counts(j, c, published);
    read_results(&r, p, c, d, t);
    if (d != DESCRIBE_PLAN)
        put_results(j, c, &r);
    if (d == DESCRIBE_ALL)
        put_all(j, p, c, &r);
    return j;
}

static int describe_json(const struct plan *p, enum detail d, FILE *out)
{
    json_t *cells = json_array(), *all;
    struct published *published = NULL;
    struct told t = {.worst = OK};
    int rc = OK;

    if (d == DESCRIBE_PLAN)
        rc = counts_open(&published, p);
    if (rc < 0)
        return rc;
    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected)
            json_array_append_new(
                cells, cell_json(p, &p->cell[i], d,
                                 counts_full(&p->cell[i]) ? published : NULL,
                                 &t));
    published_close(published);
    all = json_pack("{s:i, s:o, s:i}", "schema_version", 1, "cells", cells,
                    "others", p->others);
    if (d != DESCRIBE_PLAN)
        json_object_set_new(all, "builds", builds_json(&t.builds));
    warn_of_builds(&t.builds);
    json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    fputc('\n', out);
    json_decref(all);
    return t.worst;
}

/* ---- text ---- */

static void head(struct columns *t, const char *const names[])
{
    for (int i = 0; names[i]; i++)
        columns_add(t, "%s", names[i]);
}

/* Of a refused cell nothing is known. */
static void quantity(struct columns *t, const struct cell *c, double x,
                     const char *unit)
{
    char text[16];

    columns_add(t, "%s%s", c->refused ? "-" : columns_count(x, text),
                c->refused ? "" : unit);
}

static void plan_row(struct columns *t, const struct cell *c)
{
    const struct config *g = &c->config;
    const struct cost *k = &c->cost;
    char time[32];

    columns_add(t, "%s", c->id);
    columns_add(t, "%s", g->task);
    columns_add(t, "%s%s", g->variant, g->synthetic ? " (synthetic)" : "");
    columns_add(t, "%s", g->scale);
    columns_add(t, "%llu", (unsigned long long)g->seed);
    quantity(t, c, k->params, "");
    quantity(t, c, k->flops_per_step, "FLOP");
    quantity(t, c, k->part.weights, "B");
    quantity(t, c, k->part.optimizer, "B");
    quantity(t, c, k->part.activations, "B");
    quantity(t, c, k->bytes, "B");
    columns_add(t, "%s", c->refused ? "-" : str_duration(c->seconds, time));
    columns_add(t, "%s", plan_status(c));
    columns_add(t, "%s", plan_reason(c));
}

/* "33 cells: 30 done, 3 missing; about 2 min 10 s of one worker's time" */
static void plan_total(const struct plan *p, FILE *out)
{
    static const enum cell_state order[CELL_STATES] = {
        CELL_DONE, CELL_RUNNING, CELL_FAILED, CELL_MISSING, CELL_REFUSED,
        CELL_BLOCKED};
    int n[CELL_STATES] = {0}, all = 0;
    double flops = 0, seconds = 0;
    char time[32], count[16];

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!c->selected)
            continue;
        all++;
        n[plan_state(c)]++;
        if (c->refused || c->damage || c->blocked ||
            c->status.state == CELL_DONE)
            continue;
        seconds += c->seconds;
        flops += c->cost.flops_per_step * c->config.steps;
    }
    fprintf(out, "\n%d cell%s:", all, all == 1 ? "" : "s");
    for (int k = 0, any = 0; k < CELL_STATES; k++)
        if (n[order[k]])
            fprintf(out, "%s %d %s", any++ ? "," : "", n[order[k]],
                    cell_state_text[order[k]]);
    if (flops > 0)
        fprintf(out, "; to do: %sFLOP, about %s of one worker's time",
                columns_count(flops, count), str_duration(seconds, time));
    fputc('\n', out);
    if (p->others)
        fprintf(out, "%d finished cell%s more in %s: not of this selection\n",
                p->others, p->others == 1 ? "" : "s", p->store);
}

/* "Cells of commit 0123456 (33)" */
static void builds_total(const struct builds *all, FILE *out)
{
    char *text = builds_text(all);

    if (text)
        fprintf(out, "%s\n", text);
    free(text);
    warn_of_builds(all);
}

/* "worse than the unigram model: ce 12.4, not 6.27", or "". */
static const char *remark(const struct blind *b, char out[160])
{
    *out = 0;
    if (b->name && b->worse)
        snprintf(out, 160, "worse than %s: %s %.4g, not %.4g", b->name,
                 b->metric, b->own, b->value);
    return out;
}

static void results_row(struct columns *t, const struct cell *c,
                        const struct results *r)
{
    const struct config *g = &c->config;
    struct text all = {0};
    char time[32], why[160];

    text_clear(&all);
    for (int i = 0; i < r->metrics; i++)
        text_format(&all, "%s%s %.4g", i ? ", " : "", r->metric[i],
                    r->value[i]);
    columns_add(t, "%s", c->id);
    columns_add(t, "%s", g->task);
    columns_add(t, "%s%s", g->variant, g->synthetic ? " (synthetic)" : "");
    columns_add(t, "%s", g->scale);
    columns_add(t, "%llu", (unsigned long long)g->seed);
    columns_add(t, "%s", plan_status(c));
    columns_add(t, "%s", c->status.seconds > 0
                             ? str_duration(c->status.seconds, time) : "");
    columns_add(t, "%s%s%s", *plan_reason(c) ? plan_reason(c) : all.s,
                *remark(&r->blind, why) ? "; " : "", why);
    text_free(&all);
}

static int is_speed(const struct fact *f)
{
    return !strcmp(f->name, "steps_per_s") || !strcmp(f->name, "tokens_per_s");
}

static int too_noisy(const struct results *r)
{
    for (int i = 0; i < r->facts; i++)
        if (!strcmp(r->fact[i].name, "too_noisy"))
            return !strcmp(r->fact[i].text, "1");
    return 0;
}

/* Everything of one cell, a fact a line. */
static void all_text(const struct plan *p, const struct cell *c,
                     const struct results *r, FILE *out)
{
    struct columns *t = columns_new("<<");
    char why[160];

    columns_add(t, "id");
    columns_add(t, "%s", c->id);
    columns_add(t, "status");
    columns_add(t, "%s", plan_status(c));
    if (*plan_reason(c)) {
        columns_add(t, "message");
        columns_add(t, "%s", plan_reason(c));
    }
    for (int i = 0; settings_name(i); i++) {
        char *value;

        REQUIRE(settings_get(&c->config, settings_name(i), &value) == OK,
                "%s", err_last());
        columns_add(t, "config.%s", settings_name(i));
        columns_add(t, "%s", value);
        free(value);
    }
    for (int i = 0; i < r->metrics; i++) {
        columns_add(t, "metrics.%s", r->metric[i]);
        columns_add(t, "%.6g", r->value[i]);
    }
    if (*remark(&r->blind, why)) {
        columns_add(t, "remark");
        columns_add(t, "%s", why);
    }
    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];

        columns_add(t, "%s.%s", f->group, f->name);
        columns_add(t, "%s%s", f->text,
                    is_speed(f) && too_noisy(r) ? " (too noisy)" : "");
    }
    if (r->facts) {
        columns_add(t, "file");
        columns_add(t, "%s/cells/%s.h5", p->store, c->id);
    }
    columns_print(t, out);
}

static int describe_text(const struct plan *p, enum detail d, FILE *out)
{
    static const char *const plan_head[] = {
        "id", "task", "variant", "scale", "seed", "params", "a step",
        "weights", "optimizer", "activations", "memory", "time", "status", "",
        NULL};
    static const char *const results_head[] = {
        "id", "task", "variant", "scale", "seed", "status", "spent", "", NULL};
    struct columns *t = NULL;
    struct told told = {.worst = OK};
    int rc;

    if (d != DESCRIBE_ALL) {
        t = columns_new(d == DESCRIBE_PLAN ? "<<<<>>>>>>>><<" : "<<<<><><");
        head(t, d == DESCRIBE_PLAN ? plan_head : results_head);
    }
    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];
        struct results r;

        if (!c->selected)
            continue;
        read_results(&r, p, c, d, &told);
        if (d == DESCRIBE_PLAN)
            plan_row(t, c);
        else if (d == DESCRIBE_RESULTS)
            results_row(t, c, &r);
        else
            all_text(p, c, &r, out);
    }
    if (t)
        columns_print(t, out);
    if (d != DESCRIBE_ALL)
        plan_total(p, out);
    rc = told.worst;
    if (d == DESCRIBE_RESULTS)
        builds_total(&told.builds, out);
    if (d == DESCRIBE_PLAN && rc == OK)
        rc = counts_text(p, out);
    return rc;
}

int describe(const struct plan *p, enum detail d, const char *format,
             FILE *out)
{
    return strcmp(format, "json") ? describe_text(p, d, out)
                                  : describe_json(p, d, out);
}

void describe_blind(const struct plan *p)
{
    enum { NAMED = 10 };
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];
        struct cell_reader *r;
        struct blind b;
        char why[160];

        if (!c->selected || c->refused || c->status.state == CELL_DONE ||
            cell_open(&r, p->store, c->id) < 0)
            continue;
        if (blind_read(&b, r) == OK && b.worse && n++ < NAMED)
            say("%s %s/%s/%llu is %s", c->id, c->config.variant,
                c->config.task, (unsigned long long)c->config.seed,
                remark(&b, why));
        cell_close(r);
    }
    if (n > NAMED)
        say("... and %d more are worse than what sees no input; `synthbench "
            "status --store %s` names them", n - NAMED, p->store);
}
