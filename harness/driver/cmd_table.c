/* table: a table of the paper with our numbers beside the published ones. */
#include "harness/driver/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/driver/registry.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const formats[] = {"text", "md", "csv", "json", NULL};

static int write_file(const char *path, const struct table *t,
                      const struct report *r, const struct table_format *f)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    int rc;

    REQUIRE(memory, "out of memory");
    rc = table_write(t, r, f, memory);
    fclose(memory);
    if (rc == OK)
        rc = file_write(path, text, bytes);
    free(text);
    return rc;
}

static int run(const struct options *o)
{
    const struct table_format *f = table_format(o->format);
    const struct table *t;
    struct report *r = NULL;
    int rc;

    REQUIRE(f, "the report has no format %s", o->format);
    TRY(registry_table(&t, o->arg[0]));
    if (!o->store)
        TRY(err_set(ERR_USAGE, "table %s of which results? name them with "
                    "--store DIR", t->name));
    TRY(report_open(&r, o->store));
    rc = o->output ? write_file(o->output, t, r, f)
                   : table_write(t, r, f, stdout);
out:
    report_close(r);
    return rc;
}

const struct command command_table = {
    .name = "table",
    .summary = "A table of the paper, our numbers beside the published ones",
    .args = "TABLE",
    .doc = "`list tables' tells which there are.",
    .takes = TAKES_STORE | TAKES_FORMAT | TAKES_OUTPUT,
    .least = 1,
    .most = 1,
    .formats = formats,
    .run = run};
