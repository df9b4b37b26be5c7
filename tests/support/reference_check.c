#include "tests/support/reference_check.h"

#include "harness/base/arena.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    const struct published      *published;
    const struct published_line *line;
    int                          lines;
    struct arena                *memory;
    struct text                 *found; /* the findings */
};

/* Adds a finding: its kind, 1 if it holds, else 0, and a sentence, which is
 * released. */
static void put(struct checking *c, const char *kind, int holds,
                struct text *sentence)
{
    text_format(c->found, "%s:%d:%s\n", kind, holds, sentence->s);
    text_free(sentence);
}

/* Appends "Table 5 GLUE, row T5 (Base)". */
static void put_place(struct text *t, const struct published_line *x)
{
    int own = x->table[0] == 'T' && strspn(x->table + 1, "0123456789");

    text_format(t, "%s%s, row %s", own ? "Table " : "", x->table + own, x->row);
}

/* ---- ranges of rounded numbers ---- */

/* Sets *out to the range of values that round to the value of a key, as printed
 * by the most confident source.  Returns 1, or 0 if no source has the key. */
static int value_of(struct interval *out, const struct checking *c,
                    const char *key)
{
    const struct published_line *best = NULL;

    for (const struct published_line *x = c->line; x < c->line + c->lines; x++)
        if (!strcmp(x->key, key) && (!best || x->sure > best->sure))
            best = x;
    if (best)
        *out = published_rounded(c->published, best);
    return best != NULL;
}

static int meet(struct interval a, struct interval b)
{
    const double slip = 1e-9; /* 27.67 is not an exact double */

    return a.low <= b.high + slip && b.low <= a.high + slip;
}

static const char *agrees(int yes) { return yes ? "agrees" : "does not agree"; }

/* ---- conflicts ---- */

/* Returns 1 if two lines are about the same quantity. */
static int same_thing(const struct published_line *a,
                      const struct published_line *b)
{
    if (*a->key && *b->key)
        return !strcmp(a->key, b->key);
    return !strcmp(a->table, b->table) && !strcmp(a->row, b->row) &&
           !strcmp(a->column, b->column);
}

/* Returns the first line that has the same quantity as line i and, if `value`
 * is 1, also the same value. */
static int first_of(const struct checking *c, int i, int value)
{
    for (int k = 0; k < i; k++)
        if (same_thing(&c->line[k], &c->line[i]) &&
            (!value || !published_differ(&c->line[k], &c->line[i])))
            return k;
    return i;
}

static const char *sources_of(const struct checking *c, int i)
{
    struct text t = {0};

    for (int k = i; k < c->lines; k++)
        if (same_thing(&c->line[k], &c->line[i]) &&
            !published_differ(&c->line[k], &c->line[i]))
            text_format(&t, "%s%s", t.n ? "; " : "", c->line[k].source);
    return text_keep(&t, c->memory);
}

/* Looks in the column of line i for another quantity that has the same value,
 * from a source of at least medium confidence.  Returns the name of its row, or
 * NULL if there is none.  If there are several, chooses the line nearest to
 * line `at`. */
static const char *row_with(const struct checking *c, int i, int at)
{
    const struct published_line *x = &c->line[i];
    int near = -1;

    for (int k = 0; k < c->lines; k++) {
        const struct published_line *y = &c->line[k];

        if (!strcmp(x->table, y->table) && !strcmp(x->column, y->column) &&
            !same_thing(x, y) && !published_differ(x, y) && y->sure >= 2 &&
            (near < 0 || abs(k - at) < abs(near - at)))
            near = k;
    }
    return near < 0 ? NULL : c->line[near].row;
}

static int surest_of(const struct checking *c, int i)
{
    int best = i;

    for (int k = i; k < c->lines; k++)
        if (same_thing(&c->line[k], &c->line[i]) &&
            c->line[k].sure > c->line[best].sure)
            best = k;
    return best;
}

static void put_conflict(struct checking *c, int first)
{
    const struct published_line *x = &c->line[first];
    int best = surest_of(c, first);
    struct text t = {0};
    int n = 0;

    put_place(&t, x);
    text_format(&t, ", %s:", x->column);
    for (int k = first; k < c->lines; k++) {
        if (!same_thing(&c->line[k], x) || first_of(c, k, 1) != k)
            continue;
        const char *slip = !published_differ(&c->line[k], &c->line[best])
                               ? NULL : row_with(c, k, best);

        text_format(&t, "%s %s (%s%s%s%s)", n++ ? "," : "", c->line[k].text,
                    sources_of(c, k), slip ? ": equals the value of row " : "",
                    slip ? slip : "", slip ? ", probably copied from it" : "");
    }
    put(c, "conflict", 0, &t);
}

static void check_conflicts(struct checking *c)
{
    for (int i = 0; i < c->lines; i++) {
        int differ = 0;

        if (first_of(c, i, 0) != i)
            continue;
        for (int k = i + 1; k < c->lines && !differ; k++)
            differ = same_thing(&c->line[k], &c->line[i]) &&
                     published_differ(&c->line[k], &c->line[i]);
        if (differ)
            put_conflict(c, i);
    }
}

/* ---- averages ---- */

/* Sets *out to the range of a score such as "83.4", or of the mean of a pair
 * such as "92.0/88.7", which counts as one task.  Returns 1, or 0 if the text
 * is neither. */
static int score(struct interval *out, const char *text)
{
    OWNED(free) char *copy = str_copy(text);
    char *rest = copy, *part;
    int n = 0;

    *out = (struct interval){0, 0};
    while ((part = strsep(&rest, "/"))) {
        const char *point = strchr(part, '.');
        double x, unit = point ? pow(10, -(double)strlen(point + 1)) : 1;

        if (str_to_real(part, &x))
            return 0;
        out->low += x - unit / 2;
        out->high += x + unit / 2;
        n++;
    }
    out->low /= n;
    out->high /= n;
    return n > 0;
}

/* Returns 1 if the line is an average over the tasks of its table: its column
 * is "GLUE avg" in table "T5 GLUE", or "Avg".  The name before "avg" must be
 * part of the table's name, because the column "SuperGLUE avg" of Narang et al.
 * is in a table of other tasks. */
static int is_average(const struct published_line *x)
{
    OWNED(free) char *of = str_copy(x->column);
    size_t n = strlen(of);

    if (n < 3 || strcasecmp(of + n - 3, "avg"))
        return 0;
    of[n > 3 ? n - 4 : 0] = 0;
    return strstr(x->table, of) != NULL;
}

/* Sums the scores of the tasks that have the same table, row and source as the
 * line `average`.  Returns the number of tasks. */
static int tasks_of(struct interval *sum, const struct checking *c,
                    const struct published_line *average)
{
    int n = 0;

    *sum = (struct interval){0, 0};
    for (const struct published_line *x = c->line; x < c->line + c->lines;
         x++) {
        struct interval one;

        if (strcmp(x->table, average->table) || strcmp(x->row, average->row) ||
            strcmp(x->source, average->source) || is_average(x) ||
            !score(&one, x->text))
            continue;
        sum->low += one.low;
        sum->high += one.high;
        n++;
    }
    return n;
}

static void check_averages(struct checking *c)
{
    for (const struct published_line *x = c->line; x < c->line + c->lines;
         x++) {
        struct interval sum, printed = published_rounded(c->published, x);
        int n = is_average(x) && !isnan(x->value) ? tasks_of(&sum, c, x) : 0;
        struct text t = {0};

        if (n < 3)
            continue;
        struct interval mean = {sum.low / n, sum.high / n};
        int holds = meet(mean, printed);

        put_place(&t, x);
        text_format(&t, ": the mean of %d tasks is %.2f to %.2f, printed %s: "
                    "%s", n, mean.low, mean.high, x->text, agrees(holds));
        text_format(&t, "; if this were the mean of %d tasks, the one not "
                        "printed would have scored %.1f to %.1f", n + 1,
                    (n + 1) * printed.low - sum.high,
                    (n + 1) * printed.high - sum.low);
        put(c, "average", holds, &t);
    }
}

/* ---- sums of parameters ---- */

static int params_of(struct interval *out, const struct checking *c,
                     const char *variant, const char *task)
{
    OWNED(free) char *key = str_format("%s/%s/params", variant, task);

    return value_of(out, c, key);
}

/* Checks a line if it has the number of parameters of a mixture A+B, and those
 * of A, B and fixed-random are published. */
static void check_sum(struct checking *c, const struct published_line *x)
{
    OWNED(free) char *key = str_copy(x->key);
    char *rest = key, *a = strsep(&rest, "/"), *task = strsep(&rest, "/"), *b;
    struct interval printed, of_a, of_b, none, sum;
    struct text t = {0};

    if (!rest || strcmp(rest, "params") || !strchr(a, '+'))
        return;
    if (!params_of(&printed, c, a, task))
        return;
    b = strchr(a, '+');
    *b++ = 0;
    if (!params_of(&of_a, c, a, task) || !params_of(&of_b, c, b, task) ||
        !params_of(&none, c, "fixed-random", task))
        return;
    sum = (struct interval){of_a.low + of_b.low - none.high,
                            of_a.high + of_b.high - none.low};
    int holds = meet(sum, printed);
    put_place(&t, x);
    text_format(&t, ", %s: %s + %s - fixed-random is %.1fM to %.1fM, printed "
                "%s: %s", x->column, a, b, sum.low / 1e6, sum.high / 1e6,
                x->text, holds ? "agrees" : "does not add up");
    put(c, "sum", holds, &t);
}

static void check_sums(struct checking *c)
{
    for (int i = 0; i < c->lines; i++)
        if (*c->line[i].key && surest_of(c, first_of(c, i, 0)) == i)
            check_sum(c, &c->line[i]);
}

/* ---- statements ---- */

/* The parts of a statement such as "% less: A than B": `percent` is 1 for "%",
 * and `less` is 1 for "less", 0 for "more". */
struct said { int percent, less; const char *a, *b; };

static int read_said(struct said *out, char *column)
{
    char *colon = strstr(column, ": "), *than = strstr(column, " than ");

    if (!colon || !than || than < colon)
        return 0;
    *colon = *than = 0;
    out->a = colon + strlen(": ");
    out->b = than + strlen(" than ");
    out->percent = !strncmp(column, "% ", 2);
    const char *word = column + (out->percent ? 2 : 0);
    out->less = !strcmp(word, "less");
    return out->less || !strcmp(word, "more");
}

/* Sets out[0] to the percentage by which the greater value exceeds the lesser,
 * 100 (greater / lesser - 1), and out[1] to the percentage by which the lesser
 * is below the greater, 100 (1 - lesser / greater).  Adds out[0] to the text
 * and, if the statement says "less", also out[1]. */
static void put_percent(struct text *to, const struct said *s,
                        struct interval greater, struct interval lesser,
                        struct interval printed, struct interval out[2])
{
    out[0] = (struct interval){100 * (greater.low / lesser.high - 1),
                               100 * (greater.high / lesser.low - 1)};
    out[1] = (struct interval){100 * (1 - lesser.high / greater.low),
                               100 * (1 - lesser.low / greater.high)};
    text_format(to, "the difference is %.2f to %.2f %% of %s: %s", out[0].low,
                out[0].high, s->less ? s->a : s->b,
                agrees(meet(out[0], printed)));
    if (s->less)
        text_format(to, "; %.2f to %.2f %% of %s: %s", out[1].low, out[1].high,
                    s->b, agrees(meet(out[1], printed)));
}

static void check_said(struct checking *c, const struct published_line *x)
{
    OWNED(free) char *column = str_copy(x->column);
    struct text t = {0};
    struct said s;
    struct interval a, b, way[2], printed = published_rounded(c->published, x);
    int other = 0;

    if (!read_said(&s, column) || isnan(x->value) || !value_of(&a, c, s.a) ||
        !value_of(&b, c, s.b)) {
        text_format(&t, "%s, %s: cannot be checked", x->row, x->column);
        put(c, "statement", 0, &t);
        return;
    }
    struct interval greater = s.less ? b : a, lesser = s.less ? a : b;

    text_format(&t, "%s, \"%s %s%s\": ", x->row, x->text,
                s.percent ? "% " : "", s.less ? "less" : "more");
    if (s.percent) {
        put_percent(&t, &s, greater, lesser, printed, way);
        other = s.less && meet(way[1], printed);
    } else {
        way[0] = (struct interval){greater.low - lesser.high,
                                   greater.high - lesser.low};
        text_format(&t, "the difference is %.3g to %.3g: %s", way[0].low,
                    way[0].high, agrees(meet(way[0], printed)));
    }
    put(c, "statement", meet(way[0], printed) || other, &t);
}

static void check_statements(struct checking *c)
{
    for (int i = 0; i < c->lines; i++)
        if (!strcmp(c->line[i].table, "TEXT"))
            check_said(c, &c->line[i]);
}

/* ---- all ---- */

char *reference_check(const struct published *p)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct text found = {0};
    struct checking c = {.published = p, .memory = a, .found = &found};

    c.line = published_lines(p, &c.lines);
    text_put(&found, "");
    check_conflicts(&c);
    check_averages(&c);
    check_sums(&c);
    check_statements(&c);
    return found.s;
}
