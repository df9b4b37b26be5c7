#include "harness/report/table.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/data.h"

#include <string.h>

static struct sheet *sheet_of(const struct measured *s)
{
    struct sheet *to = sheet_new();

    if (builds_differ(&s->builds))
        say("table %s: %s", s->table->name, origin_builds(s));
    layout_fill(to, s);
    data_fill(to, s);
    return to;
}

int table_fill(struct sheet **out, const struct table *t,
               const struct report *r, const struct metric *const *metrics)
{
    OWNED(measured_close) struct measured *s = NULL;

    *out = NULL;
    PASS(measured_fill(&s, t, r, metrics));
    *out = sheet_of(s);
    return OK;
}

int table_again(struct sheet **out, const struct table *t, const char *path)
{
    OWNED(measured_close) struct measured *s = NULL;

    *out = NULL;
    PASS(measured_read(&s, path));
    if (strcmp(s->table->name, t->name))
        return err_set(ERR_USAGE, "%s: is table %s, not table %s", path,
                       s->table->name, t->name);
    *out = sheet_of(s);
    return OK;
}
