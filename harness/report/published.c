#include "harness/report/published.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/share.h"
#include "harness/base/str.h"

#include <math.h>
#include <string.h>

enum field { TABLE, ROW, COLUMN, KEY, VALUE, SOURCE, CONFIDENCE, NOTE, FIELDS };

static const char HEADER[] =
    "table\trow\tcolumn\tkey\tvalue\tsource\tconfidence\tnote";

static const char CONFLICT[] = "CONFLICT: "; /* how a note of one begins */

/* The least sure first. */
static const char *const confidence[] = {"wrong",       "low",  "medium",
                                         "medium-high", "high", NULL};

struct published {
    struct arena          *memory;
    struct published_line *line; /* sure: index into confidence */
    int                    n;
};

static int scaled(double *out, double *digit, const char *text) /* "67.5M" */
{
    static const struct { char suffix; double factor; } unit[] = {
        {'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'T', 1e12}};
    char number[32];
    double factor = 1;
    size_t n = strlen(text);

    if (n == 0 || n >= sizeof number)
        return -1;
    memcpy(number, text, n + 1);
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (number[n - 1] == unit[i].suffix) {
            factor = unit[i].factor;
            number[n - 1] = 0;
        }
    if (str_to_real(number, out))
        return -1;
    *out *= factor;
    const char *point = strchr(number, '.');
    *digit = factor;
    for (size_t i = point ? strlen(point + 1) : 0; i > 0; i--)
        *digit /= 10;
    return 0;
}

static int read_line(struct published *p, char *line, const char *path, int at)
{
    char *field[FIELDS];
    int n = 0;

    for (char *s; (s = strsep(&line, "\t")); n++)
        if (n < FIELDS)
            field[n] = s;
    if (n != FIELDS)
        return err_set(ERR_DATA, "%s:%d: %d fields, not %d, between tabs", path,
                       at, n, FIELDS);
    struct published_line e = {
        .table = field[TABLE], .row = field[ROW], .column = field[COLUMN],
        .key = field[KEY], .text = field[VALUE], .source = field[SOURCE],
        .note = field[NOTE],
        .sure = names_index(confidence, field[CONFIDENCE])};
    if (e.sure < 0)
        return err_set(ERR_DATA, "%s:%d: confidence '%s' is none of wrong, "
                       "low, medium, medium-high, high", path, at,
                       field[CONFIDENCE]);
    if (scaled(&e.value, &e.unit, e.text)) {
        if (*e.key)
            return err_set(ERR_DATA, "%s:%d: '%s' is not a number, as the "
                           "value of a line with a key must be", path, at,
                           e.text);
        e.value = e.unit = NAN;
    }
    p->line[p->n++] = e;
    return OK;
}

static int parse(struct published *p, char *text, const char *path)
{
    int at = 0, header = 0, lines = 1;

    for (const char *s = text; *s; s++)
        lines += *s == '\n';
    p->line = arena_zero(p->memory, (size_t)lines * sizeof *p->line);
    for (char *line; (line = strsep(&text, "\n"));) {
        at++;
        if (!*line || *line == '#')
            continue;
        if (header)
            PASS(read_line(p, line, path, at));
        else if (strcmp(line, HEADER))
            return err_set(ERR_DATA, "%s:%d: the first line that is no comment "
                           "must be the header '%s'", path, at, HEADER);
        header = 1;
    }
    if (!header)
        return err_set(ERR_DATA, "%s: empty", path);
    return OK;
}

int published_read(struct published **out, const char *path)
{
    struct arena *memory = arena_new();
    OWNED(published_close) struct published *p = arena_zero(memory, sizeof *p);
    OWNED(free) char *text = NULL;

    *out = NULL;
    p->memory = memory;
    PASS(file_read(&text, NULL, path));
    PASS(parse(p, arena_text(memory, text), path));
    return HAND_ON(out, p);
}

int published_open(struct published **out)
{
    OWNED(free) char *path = NULL;

    *out = NULL;
    PASS(share_find(&path, "experiments/published.tsv"));
    return published_read(out, path);
}

void published_close(struct published *p)
{
    if (p)
        arena_free(p->memory);
}

/* Appends s to a list in arena memory. */
static const char *joined(struct arena *a, const char *list, const char *s)
{
    return list ? arena_format(a, "%s; %s", list, s) : arena_text(a, s);
}

int published_find(const struct published *p, struct published_value *out,
                   const char *variant, const char *task, const char *metric)
{
    OWNED(free) char *key = str_format("%s/%s/%s", variant, task, metric);
    const struct published_line *best = NULL;

    *out = (struct published_value){0};
    for (const struct published_line *e = p->line; e < p->line + p->n; e++)
        if (!strcmp(e->key, key) && (!best || e->sure > best->sure))
            best = e;
    for (const struct published_line *e = p->line;
         best && e < p->line + p->n; e++) {
        if (strcmp(e->key, key))
            continue;
        if (e->value == best->value) {
            out->source = joined(p->memory, out->source, e->source);
            continue;
        }
        const char *why = e->note;

        if (!strncmp(why, CONFLICT, sizeof CONFLICT - 1))
            why += sizeof CONFLICT - 1;
        out->dispute = joined(p->memory, out->dispute, arena_format(
            p->memory, "%s in %s%s%s", e->text, e->source, *why ? ": " : "",
            why));
    }
    out->value = best ? best->value : 0;
    out->unit = best ? best->unit : 0;
    return best != NULL;
}

const struct published_line *published_lines(const struct published *p, int *n)
{
    *n = p->n;
    return p->line;
}

struct interval published_rounded(const struct published *p,
                                  const struct published_line *x)
{
    double unit = x->unit;

    for (const struct published_line *y = p->line; y < p->line + p->n; y++)
        if (!strcmp(x->table, y->table) && !strcmp(x->column, y->column))
            unit = fmin(unit, y->unit); /* NAN, of none, is passed over */
    return (struct interval){x->value - unit / 2, x->value + unit / 2};
}
