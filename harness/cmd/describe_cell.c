/* describe_cell: prints everything about one cell, for `show`. */
#include "harness/cmd/described.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/key_table.h"
#include "harness/store/guess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* Returns 1 if the fact is shown without --all. */
static int is_main(const struct fact *f)
{
    static const char *const main_facts[] = {
        "provenance.commit", "provenance.dirty", "provenance.date",
        "provenance.data_source", "provenance.synthetic",
        "provenance.train_examples", "provenance.test_examples",
        "timing.params", "timing.flops_per_step", "timing.tokens",
        "timing.train_seconds", "timing.steps_per_s",
        "timing.peak_rss_bytes", "timing.gpu_peak_bytes", "provenance.gpu",
        "provenance.gpu_attention", NULL};
    char name[128];

    snprintf(name, sizeof name, "%s.%s", f->group, f->name);
    return names_index(main_facts, name) >= 0 ||
           !strncmp(f->group, "trainer", strlen("trainer"));
}

/* Adds the settings; if `all` is 0, only those that differ from their
 * defaults. */
static void put_settings(struct grid *g, const struct config *c, int all)
{
    const struct variant *by;
    const struct key *k;

    for (int i = 0; (k = key_at(i, &by)); i++) {
        OWNED(free) char *value = NULL;

        if (!all && k->role != KEY_AXIS &&
            settings_same(c, k->name, k->initial) == 1)
            continue;
        REQUIRE(settings_get(c, k->name, &value) == OK, "%s", err_last());
        grid_add(g, "config.%s\t%s", k->name, value);
    }
}

/* Adds one cell, one fact per line: id, state and metrics, then the settings,
 * then the facts from the cell's file.  If `all` is 0, adds only the main
 * facts. */
static void cell_rows(struct grid *g, const struct plan *p,
                      const struct shown *x, int all)
{
    const struct cell *c = x->cell;
    const struct results *r = &x->found;
    int noisy = 0;

    grid_add(g, "id\t%s", c->id);
    grid_add(g, "status\t%s", x->status);
    if (*x->note)
        grid_add(g, "message\t%s", x->note);
    if (plan_uncompared(p, c->config.task))
        grid_add(g, "compared\tno: the experiment reports task %s but does "
                    "not compare it", c->config.task);
    for (int i = 0; i < r->metrics; i++) {
        grid_add(g, "metrics.%s", r->metric[i]);
        grid_add(g, "%.6g", r->value[i]);
    }
    if (*x->remark)
        grid_add(g, "remark\t%s", x->remark);
    for (const char **guess = p->guessed; *guess; guess++)
        if (guess_about(*guess, c->config.task, c->row))
            grid_add(g, "guessed\t%s", *guess);
    put_settings(g, &c->config, all);
    for (int i = 0; i < r->facts; i++)
        noisy |= !strcmp(r->fact[i].name, "too_noisy") &&
                 !strcmp(r->fact[i].text, "1");
    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];
        int speed = !strcmp(f->name, "steps_per_s") ||
                    !strcmp(f->name, "tokens_per_s");

        if (!all && !is_main(f))
            continue;
        grid_add(g, "%s.%s", f->group, f->name);
        grid_add(g, "%s%s", f->text, speed && noisy ? " (too noisy)" : "");
    }
    if (r->facts)
        grid_add(g, "file\t%s/cells/%s.h5", p->store, c->id);
}

/* ---- JSON ---- */

/* Adds the settings and everything that the file of the cell says. */
static void put_all(json_t *j, const struct shown *x, const char *store,
                    struct arena *a)
{
    const struct results *r = &x->found;
    json_t *config = json_object();

    json_object_set_new(j, "config", config);
    for (int hashed = 1; hashed >= 0; hashed--) {
        OWNED(free) char *text = settings_all(&x->cell->config, hashed);

        json_object_update_new(config, json_loads(text, 0, NULL));
    }
    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];
        json_t *group = json_object_get(j, f->group);
        double number;

        if (!group) {
            group = json_object();
            json_object_set_new(j, f->group, group);
        }
        json_object_set_new(group, f->name,
                            str_to_real(f->text, &number)
                                ? json_string(f->text)
                                : json_real(number));
    }
    if (r->facts)
        json_object_set_new(j, "file", json_string(arena_format(
            a, "%s/cells/%s.h5", store, x->cell->id)));
}

int describe_cell(const struct plan *p, const struct cell *c,
                  const char *format, int all)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct description d = {.plan = p, .detail = DESCRIBE_ALL, .synthetic = 1,
                            .sheet = s};
    struct shown x;

    described_read(&x, &d, c);
    json_t *j = described_json(&d, &x);
    put_all(j, &x, p->store, s->memory);
    json_t *cells = json_array();
    json_array_append_new(cells, j);
    sheet_fact(s, "cells", cells);
    cell_rows(sheet_listing(s, "<<", NULL), p, &x, all);
    described_lists(&d);
    struct relation builds = builds_relation(&d.builds);
    sheet_fact(s, builds.name, relation_json(&builds, s->memory));
    if (!all)
        sheet_put(s, PART_PARAGRAPH, "Settings that are not listed have "
                  "their defaults. `--all` lists them, and all that is stored "
                  "about the build, the machine, the data and the time.");
    PASS(sheet_print(s, format, NULL));
    return d.worst;
}
