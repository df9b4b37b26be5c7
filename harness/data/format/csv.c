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

/* What is in quotation marks, from behind the first; *s moves behind the last,
 * which may stand some lines further down. */
static int quoted(struct csv *c, char **s)
{
    int rc = OK;

    for (;;) {
        size_t n = strcspn(*s, "\"");

        text_add(&c->text, *s, n);
        *s += n;
        if (!**s) {
            text_put(&c->text, linefile_ending(c->lines));
            TRY(linefile_next(c->lines, s));
            if (!rc)
                return csv_refuse(c, "a quotation mark is never closed");
        } else if ((*s)[1] == '"') {
            text_add(&c->text, "\"", 1);
            *s += 2;
        } else {
            ++*s;
            return OK;
        }
    }
out:
    return rc;
}

static int field(struct csv *c, char **s)
{
    if (c->n == CSV_FIELDS)
        return csv_refuse(c, "more than 16 fields");
    c->start[c->n++] = c->text.n;
    *s += strspn(*s, " ");
    if (**s == '"') {
        ++*s;
        PASS(quoted(c, s));
        if (**s && **s != ',')
            return csv_refuse(c, "text behind a closing quotation mark");
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
        TRY(linefile_next(c->lines, &s));
    while (rc && !*s);
    if (!rc)
        return 0;
    c->first = linefile_number(c->lines);
    c->n = 0;
    text_clear(&c->text);
    TRY(field(c, &s));
    while (*s) {
        s++;
        TRY(field(c, &s));
    }
    return 1;
out:
    return rc;
}

int csv_each(const char *path, int (*take)(void *to, const struct csv *c),
             void *to)
{
    struct csv c = {.n = 0};
    int rc;

    TRY(linefile_open(&c.lines, path));
    while ((rc = next(&c)) > 0)
        TRY(take(to, &c));
out:
    linefile_close(c.lines);
    text_free(&c.text);
    return rc;
}
