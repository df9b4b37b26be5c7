/*
 * The input is a YAML file: an experiment, which is planned if it has few
 * cells; or claims, which are judged and explained unless they need a
 * measurement.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/claims/claims.h"
#include "harness/plan/plan.h"
#include "harness/print/sheet.h"
#include "tests/fuzz/store.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t seen; /* prevents the compiler from removing reads */

static void must(int rc) { REQUIRE(rc == OK, "%s", err_last()); }

static void put(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    REQUIRE(f && fwrite(data, 1, size, f) == size, "%s: cannot be written",
            path);
    fclose(f);
}

static void put_seed(const char *folder, int number, const char *text)
{
    char *path = str_format("%s/%d", folder, number);

    put(path, text, strlen(text));
    free(path);
}

/* ---- experiments ---- */

void asked_seeds(const char *folder)
{
    glob_t found;

    REQUIRE(!glob("experiments/*.yaml", 0, NULL, &found) &&
                !glob("tests/golden/*.yaml", GLOB_APPEND, NULL, &found),
            "no experiments here");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text;
        size_t n;

        must(file_read(&text, &n, found.gl_pathv[i]));
        if (!strstr(found.gl_pathv[i], "claims"))
            put_seed(folder, (int)i, text);
        free(text);
    }
    globfree(&found);
}

static double cells_of(const struct experiment *e)
{
    double n = 1;

    for (int x = 0; x < AXES; x++) {
        n *= e->axis[x].n;
        for (int i = 0; i < e->axis[x].n; i++)
            seen += strlen(e->axis[x].value[i]);
    }
    return n;
}

static int is_small(const char *path)
{
    enum { CELLS = 64 };
    struct experiment *e;
    int small = experiment_read(&e, path) == OK && cells_of(e) <= CELLS;

    experiment_close(e);
    return small;
}

static void look_plan(const struct plan *p)
{
    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        seen += strlen(c->id) + strlen(c->row) +
                (c->refused ? strlen(c->refused) : c->task != NULL);
        if (c->parent)
            seen += strlen(c->parent->id);
        for (int k = 0; c->trial && k < c->trials; k++)
            seen += strlen(c->trial[k]->id);
    }
}

void asked_input(const char *store, const uint8_t *data, size_t size)
{
    char *path = str_format("%s/x.yaml", store);
    const struct plan_of of = {.experiment = path};
    struct plan *p;

    put(path, data, size);
    if (is_small(path) && plan_open(&p, &of) == OK) {
        look_plan(p);
        plan_close(p);
    }
    free(path);
}

/* ---- claims ---- */

/* Writes one seed and clears the text. */
static void end_seed(struct text *one, const char *folder, int *number)
{
    if (one->n)
        put_seed(folder, (*number)++, one->s);
    text_clear(one);
}

/* Writes each claim that comes with the program, in its own section. */
void claims_seeds(const char *folder)
{
    struct text one = {0};
    int number = 0;
    char *all;
    size_t n;

    must(file_read(&all, &n, CLAIMS_FILE));
    text_clear(&one);
    for (char *line = strtok(all, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line != ' ' || !strncmp(line, "  - id: ", 8))
            end_seed(&one, folder, &number);
        if (*line == ' ')
            text_format(&one, "%s%s\n", one.n ? "" : "X:\n", line);
    }
    end_seed(&one, folder, &number);
    text_free(&one);
    free(all);
}

static void explain(struct claims *c)
{
    const struct claims_by by = {.reports = 0};

    for (int i = 0; i < c->n; i++) {
        struct claim *same;

        must(claims_find(&same, c, c->claim[i].id));
        c->claim[i].wanted = c->claim[i].kind != CLAIM_COMPUTED;
    }
    if (claims_judge(c, &by) == OK)
        sheet_close(claims_sheet(c, CLAIMS_EXPLAIN));
}

void claims_input(const char *store, const uint8_t *data, size_t size)
{
    char *path = str_format("%s/claims.yaml", store);
    struct claims *c;

    put(path, data, size);
    if (claims_read(&c, path) == OK) {
        explain(c);
        claims_close(c);
    }
    free(path);
}
