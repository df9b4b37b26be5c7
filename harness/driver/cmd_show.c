/* show: everything known of one cell. */
#include "harness/driver/command.h"

#include "harness/base/err.h"
#include "harness/driver/describe.h"
#include "harness/driver/registry.h"
#include "harness/driver/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX = 6 };

static int is(const struct cell *c, const char *wanted)
{
    char name[160];

    snprintf(name, sizeof name, "%s/%s/%llu", c->config.variant,
             c->config.task, (unsigned long long)c->config.seed);
    return !strcmp(wanted, name) ||
           (strlen(wanted) >= PREFIX &&
            !strncmp(wanted, c->id, strlen(wanted)));
}

/* "vanilla+random/lm1b/1" is random+vanilla/lm1b/1. */
static const char *normal(const char *wanted, char out[256])
{
    const char *slash = strchr(wanted, '/');
    char variant[MIX_NAME];
    struct mix mix;

    snprintf(out, 256, "%.*s", slash ? (int)(slash - wanted) : 0, wanted);
    if (!slash || mix_parse(&mix, variant, out) < 0)
        return wanted;
    snprintf(out, 256, "%s%s", variant, slash);
    return out;
}

/* A name means a cell of today's experiment before one of an older state. */
static int find(struct plan *p, const char *wanted)
{
    char all[1024] = "";
    int at = 0, found = 0;

    for (int older = 0; older < 2 && !found; older++)
        for (int i = 0; i < p->n; i++) {
            struct cell *c = &p->cell[i];

            c->selected = c->older == older && is(c, wanted);
            if (c->selected && found++ < 20)
                at += snprintf(all + at, sizeof all - (size_t)at, " %s",
                               c->id);
        }
    if (found > 1)
        return err_set(ERR_USAGE, "%s: %d cells of %s are like that:%s",
                       wanted, found, p->store, all);
    if (!found)
        return err_set(ERR_EMPTY, "%s: %s has no such cell; name it by %d or "
                       "more digits of its id or by variant/task/seed (`status`"
                       " lists them)", wanted, p->store, PREFIX);
    return OK;
}

static int run(const struct options *o)
{
    struct options store = *o;
    char *cell = (char *)o->arg[0], *hash = strrchr(cell, '#'), name[256];
    struct plan *p = NULL;
    int rc;

    if (hash) {
        *hash = 0;
        store.store = cell;
        cell = hash + 1;
    }
    store.n = 0;
    TRY(plan_open(&p, &store));
    TRY(find(p, normal(cell, name)));
    TRY(plan_look(p));
    rc = o->samples ? samples_show(p, o->samples, o->format, stdout)
                    : describe(p, DESCRIBE_ALL, o->format, stdout);
out:
    plan_close(p);
    return rc;
}

const struct command command_show = {
    .name = "show",
    .summary = "Everything known of one cell, or what it wrote",
    .args = "STORE#CELL",
    .doc = "CELL is six or more digits of its id, or variant/task/seed. With "
           "--store the STORE# may be left out.",
    .takes = TAKES_STORE | TAKES_FORMAT | TAKES_SAMPLES,
    .least = 1,
    .most = 1,
    .formats = command_text_json,
    .run = run};
