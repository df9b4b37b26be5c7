#include "harness/report/table.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/origin.h"
#include "harness/report/sheet_file.h"

#include <string.h>

#define FORMAT(name) extern const struct table_format format_##name;
#include "harness/report/formats.h"
#undef FORMAT

const struct table_format *const table_formats[] = {
#define FORMAT(name) &format_##name,
#include "harness/report/formats.h"
#undef FORMAT
    NULL};

const struct table_format *table_format(const char *name)
{
    for (int i = 0; table_formats[i]; i++)
        if (!strcmp(table_formats[i]->name, name))
            return table_formats[i];
    return NULL;
}

/* Its numbers, and on stderr that they may not be comparable. */
static int write_sheet(const struct sheet *s, const struct table_format *f,
                       FILE *out)
{
    if (builds_differ(&s->builds))
        say("table %s: %s", s->table->name, origin_builds(s));
    f->write(s, out);
    if (fflush(out) || ferror(out))
        return err_errno(ERR_IO, "table %s could not be written",
                         s->table->name);
    return OK;
}

int table_write(const struct table *t, const struct report *r,
                const struct metric *const *metrics,
                const struct table_format *f, FILE *out)
{
    struct sheet *s;
    int rc = sheet_fill(&s, t, r, metrics);

    if (rc < 0)
        return rc;
    rc = write_sheet(s, f, out);
    sheet_close(s);
    return rc;
}

int table_again(const struct table *t, const char *path,
                const struct table_format *f, FILE *out)
{
    struct sheet *s;
    int rc = sheet_read(&s, path);

    if (rc < 0)
        return rc;
    if (strcmp(s->table->name, t->name))
        rc = err_set(ERR_USAGE, "%s: is table %s, not table %s", path,
                     s->table->name, t->name);
    else
        rc = write_sheet(s, f, out);
    sheet_close(s);
    return rc;
}
