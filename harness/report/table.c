#include "harness/report/table.h"

#include "harness/base/err.h"
#include "harness/report/sheet.h"

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

int table_write(const struct table *t, const struct report *r,
                const struct table_format *f, FILE *out)
{
    struct sheet *s = NULL;
    int rc = OK;

    TRY(sheet_fill(&s, t, r));
    f->write(s, out);
    if (fflush(out) || ferror(out))
        rc = err_errno(ERR_IO, "table %s could not be written", t->name);
out:
    sheet_close(s);
    return rc;
}
