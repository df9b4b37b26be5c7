#include "harness/data/format/csv.h"

#include "harness/base/err.h"

#include <string.h>

int csv_refuse(const struct csv *c, const char *why)
{
    return linefile_refuse_at(c->lines, c->first, "%s", why);
}

const char *csv_field(const struct csv *c, int i)
{
    return c->text.s + c->start[i];
}

/* Appends a quoted field; *s is after the opening quotation mark.  Advances *s
 * past the closing mark, which may be some lines further down. */
static int quoted(struct csv *c, char **s)
{
    for (;;) {
        size_t n = strcspn(*s, "\"");

        text_add(&c->text, *s, n);
        *s += n;
        if (!**s) {
            text_put(&c->text, linefile_ending(c->lines));
            int more = linefile_next(c->lines, s);

            if (more <= 0)
                return more < 0 ? more : csv_refuse(c, "a quotation mark is "
                                                    "never closed");
        } else if ((*s)[1] == '"') {
            text_add(&c->text, "\"", 1);
            *s += 2;
        } else {
            ++*s;
            return OK;
        }
    }
}

static int field(struct csv *c, char **s)
{
    if (c->n == CSV_FIELDS)
        return csv_refuse(c, "more than 16 fields");
    c->start[c->n++] = c->text.n;
    *s += strspn(*s, c->dropped);
    if (**s == '"') {
        ++*s;
        PASS(quoted(c, s));
        if (**s && **s != ',')
            return csv_refuse(c, "text after a closing quotation mark");
    } else {
        size_t n = strcspn(*s, ",");

        text_add(&c->text, *s, n);
        *s += n;
    }
    text_add(&c->text, "", 1);
    return OK;
}

static int next(struct csv *c)
{
    char *s;
    int rc;

    do
        rc = linefile_next(c->lines, &s);
    while (rc > 0 && !*s);
    if (rc <= 0)
        return rc;
    c->first = linefile_number(c->lines);
    c->n = 0;
    text_clear(&c->text);
    PASS(field(c, &s));
    while (*s) {
        s++;
        PASS(field(c, &s));
    }
    return 1;
}

static void close_csv(struct csv *c)
{
    linefile_close(c->lines);
    text_free(&c->text);
}
OWNER_OF_VALUE(close_csv, struct csv)

int csv_each(const char *path, const char *dropped,
             int (*take)(void *to, const struct csv *c), void *to)
{
    OWNED(close_csv) struct csv c = {.dropped = dropped};
    int rc;

    PASS(linefile_open(&c.lines, path));
    while ((rc = next(&c)) > 0)
        PASS(take(to, &c));
    return rc;
}
