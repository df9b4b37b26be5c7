#include "harness/data/format/tsv.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

static int split(char *line, char *field[TSV_FIELDS])
{
    int n = 0;

    while (line && n < TSV_FIELDS)
        field[n++] = strsep(&line, "\t");
    return n;
}

int tsv_open(struct tsv *t, const char *path, int header)
{
    char *line;

    *t = (struct tsv){.lines = NULL};
    PASS(linefile_open(&t->lines, path));
    if (header) {
        PASS(linefile_next(t->lines, &line));
        t->header = str_copy(line);
        t->columns = split(t->header, t->column);
    }
    return OK;
}

void tsv_close(struct tsv *t)
{
    linefile_close(t->lines);
    free(t->header);
    *t = (struct tsv){.lines = NULL};
}

int tsv_column(int *out, const struct tsv *t, const char *name)
{
    for (int i = 0; i < t->columns; i++)
        if (!strcmp(t->column[i], name)) {
            *out = i;
            return OK;
        }
    return linefile_refuse_at(t->lines, 1, "there is no column '%s'", name);
}

int tsv_next(struct tsv *t)
{
    char *line;
    int rc;

    do
        rc = linefile_next(t->lines, &line);
    while (rc > 0 && !*line);
    if (rc > 0)
        t->n = split(line, t->field);
    return rc;
}
