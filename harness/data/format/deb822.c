#include "harness/data/format/deb822.h"

#include "harness/base/err.h"
#include "harness/data/format/linefile.h"

#include <string.h>
#include <strings.h>

enum { FIELDS = 128 };

struct field {
    size_t name, value; /* offsets in text */
    long line;
};

struct deb822 {
    const struct linefile *lines;
    struct text text; /* the record; each string ends with NUL */
    long first;       /* first line of the record              */
    int n;
    struct field field[FIELDS];
};

/* Appends n bytes and a NUL to the record and returns their offset. */
static size_t keep(struct deb822 *r, const char *s, size_t n)
{
    size_t at = r->text.n;

    text_add(&r->text, s, n);
    text_add(&r->text, "", 1);
    return at;
}

static int add_field(struct deb822 *r, const char *line)
{
    const char *colon = strchr(line, ':');

    if (!colon || colon == line ||
        memchr(line, ' ', (size_t)(colon - line)))
        return linefile_refuse(r->lines, "expected `Field: value`, a "
                               "continuation line or an empty line");
    if (r->n == FIELDS)
        return linefile_refuse(r->lines, "a record with more than 128 fields");
    struct field *f = &r->field[r->n++];
    const char *value = colon + 1 + strspn(colon + 1, " \t");
    f->line = linefile_number(r->lines);
    f->name = keep(r, line, (size_t)(colon - line));
    f->value = keep(r, value, strlen(value));
    return OK;
}

static int add_line(struct deb822 *r, const char *line)
{
    if (!r->n)
        r->first = linefile_number(r->lines);
    if (*line != ' ' && *line != '\t')
        return add_field(r, line);
    if (!r->n)
        return linefile_refuse(r->lines,
                               "a record begins with a continuation line");
    r->text.s[r->text.n - 1] = '\n'; /* replaces the NUL of the value */
    keep(r, line, strlen(line));
    return OK;
}

/* Reads the next record.  Returns 1, or 0 if there is none. */
static int next(struct deb822 *r, struct linefile *f)
{
    char *line;
    int rc;

    r->n = 0;
    r->text.n = 0;
    while ((rc = linefile_next(f, &line)) > 0) {
        if (!*line && r->n)
            return 1;
        if (*line)
            PASS(add_line(r, line));
    }
    return rc == OK ? r->n > 0 : rc;
}

int deb822_each(const char *path,
                int (*take)(void *to, const struct deb822 *r), void *to)
{
    struct deb822 r = {.n = 0};
    struct linefile *f;
    int rc;

    GOTO_IF_ERR(linefile_open(&f, path));
    r.lines = f;
    while ((rc = next(&r, f)) > 0)
        GOTO_IF_ERR(take(to, &r));
    if (rc == OK && !r.first)
        rc = linefile_refuse_at(f, 0, "has no records");
out:
    linefile_close(f);
    text_free(&r.text);
    return rc;
}

static const struct field *find(const struct deb822 *r, const char *name)
{
    for (int i = 0; i < r->n; i++)
        if (!strcasecmp(r->text.s + r->field[i].name, name))
            return &r->field[i];
    return NULL;
}

const char *deb822_get(const struct deb822 *r, const char *name)
{
    const struct field *f = find(r, name);

    return f ? r->text.s + f->value : NULL;
}

int deb822_need(const char **value, const struct deb822 *r, const char *name)
{
    *value = deb822_get(r, name);
    if (*value)
        return OK;
    return linefile_refuse_at(r->lines, r->first, "a record without the field "
                              "%s", name);
}

long deb822_line(const struct deb822 *r) { return r->first; }

int deb822_refuse(const struct deb822 *r, const char *field, const char *why)
{
    const struct field *f = find(r, field);

    return linefile_refuse_at(r->lines, f ? f->line : r->first, "%s: %s", field,
                              why);
}
