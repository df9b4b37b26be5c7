/* table: a table of the paper with our numbers beside the published ones. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/cmd/speed.h"
#include "harness/cmd/table1.h"
#include "harness/metrics/metric.h"
#include "harness/report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {"text", "md", "csv", "json", NULL};

/* A table whose numbers are counted. */
static int write_counted(const struct table *t, const struct options *o,
                         FILE *out)
{
    struct table1 *t1;
    int rc;

    if (o->store)
        return err_set(ERR_USAGE, "table %s is counted in the models: it takes "
                       "no --store", t->name);
    rc = table1_fill(&t1, &o->choice.set);
    if (rc < 0)
        return rc;
    table1_write(t1, o->format, out);
    table1_close(t1);
    return OK;
}

/* The speed columns of a table, timed here. */
static int write_timed(const struct table *t, const struct options *o,
                       FILE *out)
{
    static const char *const columns[] = {"speed", NULL};
    struct speed *s;
    int rc;

    if (names_index(columns, o->columns) < 0)
        return names_unknown("columns", o->columns, columns);
    if (!t->timed)
        return err_set(ERR_USAGE, "table %s has no speed columns", t->name);
    rc = speed_open(&s, t, o->store, &o->choice, o->fresh);
    if (rc < 0)
        return rc;
    speed_write(s, o->format, out);
    speed_close(s);
    return OK;
}

/* A table of what a store holds, or of a file that has it from one. */
static int write_measured(const struct table *t, const struct options *o,
                          FILE *out)
{
    const struct table_format *f = table_format(o->format);
    struct report *r = NULL;
    int rc = OK;

    REQUIRE(f, "the report has no format %s", o->format);
    if (o->choice.set.n)
        TRY(err_set(ERR_USAGE, "-S: table %s shows what a store holds; only "
                    "table 1 is counted for any shape", t->name));
    if (o->from && o->store)
        TRY(err_set(ERR_USAGE, "table %s: one of --store and --from",
                    t->name));
    if (o->from)
        return table_again(t, o->from, f, out);
    if (!o->store)
        TRY(err_set(ERR_USAGE, "table %s of which results? name them with "
                    "--store DIR, or --from FILE.json", t->name));
    TRY(report_open(&r, o->store));
    rc = table_write(t, r, metric_all, f, out);
    TRY(rc == ERR_EMPTY && r->damaged ? OK : rc);
    rc = report_damage(r);
out:
    report_close(r);
    return rc;
}

/* Into memory first: a table that fails half-way leaves no file.  Where cells
 * are damaged, the others are shown and the code is ERR_STORE's. */
static int run(const struct options *o)
{
    const struct table *t;
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    int damage, rc;

    TRY(table_find(&t, o->arg[0]));
    if (o->from && (o->columns || t->counted))
        TRY(err_set(ERR_USAGE, "--from: no such file has %s of table %s",
                    t->counted ? "the counts" : "the speed columns", t->name));
    TRY((o->columns   ? write_timed
         : t->counted ? write_counted
                      : write_measured)(t, o, memory));
    damage = rc;
    fflush(memory);
    if (o->output)
        TRY(file_output(o->output, text, bytes));
    else if (fwrite(text, 1, bytes, stdout) != bytes || fflush(stdout))
        TRY(err_errno(ERR_IO, "table %s could not be written", t->name));
    rc = damage;
out:
    fclose(memory);
    free(text);
    return rc;
}

const struct command command_table = {
    .name = "table",
    .summary = "A table of the paper, our numbers beside the published ones",
    .args = "TABLE",
    .doc = "`list tables' tells which there are. Table 1 needs no store; -S "
           "d=1024 gives its layers another shape. `table 4 --columns speed' "
           "times steps of T5-base with each attention: a quarter of an "
           "hour on two cores, and 7 GB; "
           "what has been timed by the same program on the same processor is "
           "read from --store (default: results/table4). --from FILE.json "
           "gives a table that --format json wrote in any format, without its "
           "store.",
    .takes = TAKES_STORE | TAKES_FORMAT | TAKES_OUTPUT | TAKES_SHAPE |
             TAKES_COLUMNS | TAKES_FROM,
    .least = 1,
    .most = 1,
    .formats = formats,
    .run = run};
