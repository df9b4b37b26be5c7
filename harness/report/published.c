#include "harness/report/published.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <math.h>
#include <string.h>

enum field { TABLE, ROW, COLUMN, KEY, VALUE, SOURCE, CONFIDENCE, NOTE, FIELDS };

static const char HEADER[] =
    "table\trow\tcolumn\tkey\tvalue\tsource\tconfidence\tnote";

static const char CONFLICT[] = "CONFLICT: "; /* prefix of a note on a dispute */

static const char BELOW[] = "table:"; /* prefix of a key that names no cell */

/* The confidences, from the lowest to the highest. */
const char *const published_sure[] = {"wrong",       "low",  "medium",
                                      "medium-high", "high", NULL};

enum { METRICS = 4 }; /* maximum number of metrics in a key */

/* A number of a line with a key; the text "92.0/88.7" has two numbers. */
struct published_number {
    const char           *key, *text; /* key: variant/task/metric */
    double                number, unit;
    struct published_line of;
};

struct published {
    struct arena           *memory;
    struct published_line  *line; /* [n] */
    struct published_number *value;
    int                     n, values;
};

/* Reads a number such as "67.5M", and sets *digit to the unit of its last
 * digit, here 1e5.  Returns 0, or -1 if the text is not a number. */
static int scaled(double *out, double *digit, const char *text)
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

/* Splits a text at slashes, and stores the first n words.  Returns the number
 * of all words. */
static int cut(struct published *p, const char *text, char *word[], int n)
{
    char *rest = arena_text(p->memory, text);
    int all = 0;

    for (char *one; (one = strsep(&rest, "/")); all++)
        if (all < n)
            word[all] = one;
    return all;
}

/* Reads one value for each metric that the key of line `e` names. */
static int read_values(struct published *p, const struct published_line *e,
                       const char *path, int at)
{
    char *key[2 + METRICS], *text[METRICS];
    int keys = cut(p, e->key, key, 2 + METRICS);
    int n = cut(p, e->text, text, METRICS);

    if (n != keys - 2 || n > METRICS)
        return err_set(ERR_DATA, "%s:%d: '%s' has %d values, but its key names "
                       "%d metrics", path, at, e->text, n, keys - 2);
    for (int i = 0; i < n; i++) {
        struct published_number *v = &p->value[p->values++];

        *v = (struct published_number){
            arena_format(p->memory, "%s/%s/%s", key[0], key[1], key[2 + i]),
            text[i], 0, 0, *e};
        if (scaled(&v->number, &v->unit, v->text))
            return err_set(ERR_DATA, "%s:%d: '%s' is not a number; a line "
                           "with a key needs one", path, at, v->text);
    }
    return OK;
}

static int read_line(struct published *p, char *line, const char *path, int at)
{
    char *field[FIELDS];
    int n = 0;

    for (char *s; (s = strsep(&line, "\t")); n++)
        if (n < FIELDS)
            field[n] = s;
    if (n != FIELDS)
        return err_set(ERR_DATA, "%s:%d: %d tab-separated fields, expected %d",
                       path, at, n, FIELDS);
    int below = !strncmp(field[KEY], BELOW, sizeof BELOW - 1);
    struct published_line *e = &p->line[p->n++];
    *e = (struct published_line){
        .table = field[TABLE], .row = field[ROW], .column = field[COLUMN],
        .key = below ? "" : field[KEY],
        .below = below ? field[KEY] + sizeof BELOW - 1 : "",
        .text = field[VALUE], .source = field[SOURCE], .note = field[NOTE],
        .sure = names_index(published_sure, field[CONFIDENCE])};
    if (e->sure < 0)
        return err_set(ERR_DATA, "%s:%d: confidence '%s': expected wrong, "
                       "low, medium, medium-high or high", path, at,
                       field[CONFIDENCE]);
    if (scaled(&e->value, &e->unit, e->text))
        e->value = e->unit = NAN;
    return *e->key ? read_values(p, e, path, at) : OK;
}

static int parse(struct published *p, char *text, const char *path)
{
    int at = 0, header = 0, lines = 1;

    for (const char *s = text; *s; s++)
        lines += *s == '\n';
    p->line = arena_zero(p->memory, (size_t)lines * sizeof *p->line);
    p->value = arena_zero(p->memory, METRICS * (size_t)lines *
                                         sizeof *p->value);
    for (char *line; (line = strsep(&text, "\n"));) {
        at++;
        if (!*line || *line == '#')
            continue;
        if (header)
            PASS(read_line(p, line, path, at));
        else if (strcmp(line, HEADER))
            return err_set(ERR_DATA, "%s:%d: the first line that is not a "
                           "comment must be the header '%s'", path, at,
                           HEADER);
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
    size_t bytes;

    *out = NULL;
    p->memory = memory;
    PASS(file_read(&text, &bytes, path));
    text_unmark(text, bytes);
    PASS(parse(p, arena_text(memory, text), path));
    return MOVE_OUT(out, p);
}

int published_open(struct published **out)
{
    OWNED(free) char *path = NULL;

    *out = NULL;
    PASS(datadir_find(&path, "experiments/published.tsv"));
    return published_read(out, path);
}

void published_close(struct published *p)
{
    if (p)
        arena_free(p->memory);
}

/* Appends s to a list "A; B" in arena memory. */
static const char *joined(struct arena *a, const char *list, const char *s)
{
    return list ? arena_format(a, "%s; %s", list, s) : arena_text(a, s);
}

int published_find(const struct published *p, struct published_value *out,
                   const char *variant, const char *task, const char *metric)
{
    OWNED(free) char *key = str_format("%s/%s/%s", variant, task, metric);
    const struct published_number *best = NULL, *end = p->value + p->values;

    *out = (struct published_value){0};
    for (const struct published_number *v = p->value; v < end; v++)
        if (!strcmp(v->key, key) && (!best || v->of.sure > best->of.sure))
            best = v;
    for (const struct published_number *v = p->value; best && v < end; v++) {
        if (strcmp(v->key, key))
            continue;
        if (v->number == best->number) {
            out->source = joined(p->memory, out->source, v->of.source);
            continue;
        }
        const char *why = v->of.note;

        if (!strncmp(why, CONFLICT, sizeof CONFLICT - 1))
            why += sizeof CONFLICT - 1;
        out->dispute = joined(p->memory, out->dispute, arena_format(
            p->memory, "%s in %s%s%s", v->text, v->of.source, *why ? ": " : "",
            why));
    }
    out->value = best ? best->number : 0;
    out->unit = best ? best->unit : 0;
    return best != NULL;
}

const struct published_line *published_lines(const struct published *p, int *n)
{
    *n = p->n;
    return p->line;
}

int published_differ(const struct published_line *a,
                     const struct published_line *b)
{
    return isnan(a->value) || isnan(b->value) ? strcmp(a->text, b->text) != 0
                                              : a->value != b->value;
}

struct interval published_rounded(const struct published *p,
                                  const struct published_line *x)
{
    double unit = x->unit;

    for (const struct published_line *y = p->line; y < p->line + p->n; y++)
        if (!strcmp(x->table, y->table) && !strcmp(x->column, y->column))
            unit = fmin(unit, y->unit); /* ignores NAN: no number */
    return (struct interval){x->value - unit / 2, x->value + unit / 2};
}
