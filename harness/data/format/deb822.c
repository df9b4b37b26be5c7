#include "harness/data/format/deb822.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>
#include <unistr.h>

enum { FIELDS = 128 };

struct field {
    size_t name, value; /* offsets in text */
    int line;
};

struct deb822 {
    FILE *file;
    char *path;
    char *line; /* the last one read */
    size_t line_cap;
    int number; /* of the last line read, from 1  */
    struct text text; /* the record, each string with its NUL */
    int first;        /* line of the record                   */
    int n;
    struct field field[FIELDS];
};

int deb822_open(struct deb822 **out, const char *path)
{
    FILE *f = fopen(path, "rb");

    *out = NULL;
    if (!f)
        return err_errno(ERR_DATA, "%s", path);
    struct deb822 *r = calloc(1, sizeof *r);
    r->file = f;
    r->path = str_copy(path);
    *out = r;
    return OK;
}

void deb822_close(struct deb822 *r)
{
    if (!r)
        return;
    fclose(r->file);
    free(r->path);
    free(r->line);
    text_free(&r->text);
    free(r);
}

static int refuse_line(const struct deb822 *r, const char *why)
{
    return err_set(ERR_DATA, "%s:%d: %s", r->path, r->number, why);
}

/* Append n bytes and a NUL to the record; their offset. */
static size_t keep(struct deb822 *r, const char *s, size_t n)
{
    size_t at = r->text.n;

    text_add(&r->text, s, n);
    text_add(&r->text, "", 1);
    return at;
}

static int add_field(struct deb822 *r, size_t n)
{
    char *colon = memchr(r->line, ':', n);

    if (!colon || colon == r->line ||
        memchr(r->line, ' ', (size_t)(colon - r->line)))
        return refuse_line(r, "neither `Field: value', nor a continuation, "
                              "nor an empty line");
    if (r->n == FIELDS)
        return refuse_line(r, "a record of more than 128 fields");
    struct field *f = &r->field[r->n++];
    const char *value = colon + 1 + strspn(colon + 1, " \t");
    f->line = r->number;
    f->name = keep(r, r->line, (size_t)(colon - r->line));
    f->value = keep(r, value, n - (size_t)(value - r->line));
    return OK;
}

static int add_line(struct deb822 *r, size_t n)
{
    if (memchr(r->line, 0, n))
        return refuse_line(r, "a NUL byte in text");
    if (u8_check((const uint8_t *)r->line, n))
        return refuse_line(r, "not valid UTF-8");
    if (r->line[0] != ' ' && r->line[0] != '\t')
        return add_field(r, n);
    if (!r->n)
        return refuse_line(r, "a record begins with a continuation line");
    r->text.s[r->text.n - 1] = '\n'; /* in place of the value's NUL */
    keep(r, r->line, n);
    return OK;
}

int deb822_next(struct deb822 *r)
{
    ssize_t got;
    int rc = OK;

    r->n = 0;
    r->text.n = 0;
    while ((got = getline(&r->line, &r->line_cap, r->file)) > 0) {
        size_t n = (size_t)got;

        r->number++;
        if (r->line[n - 1] == '\n')
            r->line[--n] = 0;
        if (n && r->line[n - 1] == '\r')
            r->line[--n] = 0;
        if (!n && r->n)
            return 1;
        if (!n)
            continue;
        if (!r->n)
            r->first = r->number;
        TRY(add_line(r, n));
    }
    if (ferror(r->file))
        return err_errno(ERR_DATA, "%s", r->path);
    return r->n > 0;
out:
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
    return err_set(ERR_DATA, "%s:%d: a record without the field %s", r->path,
                   r->first, name);
}

int deb822_line(const struct deb822 *r) { return r->first; }

int deb822_refuse(const struct deb822 *r, const char *field, const char *why)
{
    const struct field *f = find(r, field);

    return err_set(ERR_DATA, "%s:%d: %s: %s", r->path, f ? f->line : r->first,
                   field, why);
}
