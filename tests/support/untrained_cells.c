#include "tests/support/untrained_cells.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

struct made_by made_by = {2, 2};

static struct made {
    char               id[CELL_ID];
    char              *config;
    struct cell_labels label;
    struct made       *next;
} *all;

static struct made *find(const char *id)
{
    struct made *m = all;

    while (m && strcmp(m->id, id))
        m = m->next;
    return m;
}

const char *made_cell(const struct cell_labels *l)
{
    struct made *m = calloc(1, sizeof *m), *old;

    m->config = str_format("{\"scale\":\"%s\",\"seed\":%lld,\"synthetic\":%s,"
                           "\"task\":\"%s\",\"variant\":\"%s\"}", l->scale,
                           l->seed, l->synthetic ? "true" : "false", l->task,
                           l->variant);
    cell_id(m->id, m->config, made_by.recipe, made_by.numerics);
    old = find(m->id);
    if (old) {
        free(m->config);
        free(m);
        return old->id;
    }
    m->label = (struct cell_labels){str_copy(l->variant), str_copy(l->task),
                                    str_copy(l->scale), l->seed, l->synthetic};
    m->next = all;
    all = m;
    return m->id;
}

const char *made_id(const char *name)
{
    return made_cell(&(struct cell_labels){name, "made", "smoke", 1, 0});
}

int made_begin(struct cell_writer **out, const char *store, const char *id)
{
    struct made *m = find(id);
    int rc;

    REQUIRE(m, "%s was not made", id);
    rc = cell_begin(out, store, id);
    if (rc == OK)
        rc = cell_put_config(*out, m->config, m->config, made_by.recipe,
                             made_by.numerics);
    return rc;
}

struct frozen_cell made_frozen(const char *id)
{
    struct made *m = find(id);
    struct frozen_cell c = {.config = m->config, .runtime = "{}",
                            .label = m->label, .recipe = made_by.recipe,
                            .numerics = made_by.numerics};

    strcpy(c.id, id);
    return c;
}
