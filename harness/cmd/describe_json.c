#include "harness/cmd/describe_json.h"

#include "harness/base/str.h"
#include "harness/cmd/plan_params.h"
#include "harness/cmd/plan_lengths.h"
#include "harness/site/results.h"
#include "harness/store/guess.h"

#include <math.h>
#include <string.h>

static json_t *queued_json(const struct cell_queued *q)
{
    return q->job ? json_pack("{s:s, s:s, s:s}", "job", q->job, "state",
                              q->state, "reason", q->reason)
                  : json_null();
}

static void put_results(json_t *j, const struct cell *c,
                        const struct results *r)
{
    json_t *metrics = json_object();

    for (int i = 0; i < r->metrics; i++)
        json_object_set_new(metrics, r->metric[i], json_real(r->value[i]));
    json_object_set_new(j, "metrics", metrics);
    json_object_set_new(j, "seconds_spent", json_real(c->status.seconds));
    json_object_set_new(j, "message", json_word(plan_reason(c)));
    json_object_set_new(j, "queued", queued_json(&c->queued));
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
        OWNED(free) char *text = settings_all(c, hashed);

        json_object_update_new(all, json_loads(text, 0, NULL));
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
        OWNED(free) char *file = str_format("%s/cells/%s.h5", p->store, c->id);

        json_object_set_new(j, "file", json_string(file));
    }
}

/* Returns x, or NAN (null in JSON) for a refused cell. */
static double known(const struct cell *c, double x)
{
    return c->refused ? NAN : x;
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
    json_object_update_new(j, json_pack(
        "{s:w, s:w, s:w, s:w, s:w, s:o}", "params_equal", known(c, k.equal),
        "params_code", known(c, k.code), "published",
        k.claim.value > 0 ? known(c, k.claim.value) : NAN, "residual_equal",
        known(c, count_residual(k.equal, &k.claim)), "residual_code",
        known(c, count_residual(k.code, &k.claim)), "published_source",
        json_word(k.claim.source)));
}

json_t *describe_cell(const struct plan *p, enum detail d,
                      const struct published *published, const struct cell *c,
                      const struct results *r)
{
    const struct config *g = &c->config;
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:I, s:w, s:f, s:f, s:o, s:f, s:s, s:o, "
        "s:o, s:o}",
        "id", c->id, "row", c->row, "variant", g->variant, "task", g->task,
        "scale", g->scale, "seed", (json_int_t)g->seed, "params",
        known(c, c->cost.params), "flops_per_step",
        known(c, c->cost.flops_per_step), "bytes", known(c, c->cost.bytes),
        "bytes_parts", parts_json(c), "seconds", known(c, c->seconds),
        "status", plan_status(c), "reason", json_word(plan_reason(c)),
        "saved", c->saved ? json_integer(c->saved) : json_null(), "expected",
        plan_lengths_json(c));

    if (c->cost.gpu_bytes > 0)
        json_object_set_new(j, "gpu_bytes", json_real(c->cost.gpu_bytes));
    if (published && plan_params_full(c))
        put_counts(j, c, published);
    if (d != DESCRIBE_PLAN)
        put_results(j, c, r);
    if (d == DESCRIBE_ALL)
        put_all(j, p, c, r);
    return j;
}

json_t *describe_uncompared(const struct plan *p)
{
    json_t *all = json_array();

    for (const char **task = p->uncompared; *task; task++)
        for (int i = 0; i < p->n; i++)
            if (p->cell[i].selected && !strcmp(p->cell[i].config.task, *task)) {
                json_array_append_new(all, json_string(*task));
                break;
            }
    return all;
}

json_t *describe_contrasts(const struct plan *p)
{
    json_t *all = json_array();

    for (const char **text = p->contrasts; *text; text++)
        json_array_append_new(all, json_string(*text));
    return all;
}

json_t *describe_guessed(const struct plan *p)
{
    json_t *all = json_array();

    for (const char **guess = p->guessed; *guess; guess++)
        for (int i = 0; i < p->n; i++)
            if (p->cell[i].selected &&
                guess_about(*guess, p->cell[i].config.task, p->cell[i].row)) {
                json_array_append_new(all, json_string(*guess));
                break;
            }
    return all;
}
