#include "harness/print/strip.h"

#include <string.h>
#include <uniwidth.h>

int strip_text(const char *s)
{
    return u8_strwidth((const uint8_t *)s, "UTF-8");
}

static int bytes_width(const char *s, size_t n)
{
    return u8_width((const uint8_t *)s, n, "UTF-8");
}

size_t strip_line(const char *s, int most)
{
    size_t n = strcspn(s, " ");

    while (s[n]) {
        size_t next = n + 1 + strcspn(s + n + 1, " ");

        if (bytes_width(s, next) > most)
            break;
        n = next;
    }
    return n;
}

/* The last column of a list is at least this wide, or as wide as its longest
 * word if that is shorter. */
enum { LAST = 24 };

static int max(int a, int b) { return a > b ? a : b; }

/* ---- contents ---- */

const struct grid_column *strip_column(const struct strip *p, int k)
{
    return &p->g->column[k ? p->from + k - 1 : 0];
}

const struct grid_cell *strip_cell(const struct strip *p, int row, int k)
{
    return grid_at(p->g, row, k ? p->from + k - 1 : 0);
}

int strip_starts_group(const struct strip *p, int k)
{
    return k == 0 || strcmp(strip_column(p, k - 1)->group,
                            strip_column(p, k)->group);
}

int strip_group_columns(const struct strip *p, int k)
{
    int n = 1;

    while (k + n < p->columns && !strip_starts_group(p, k + n))
        n++;
    return n;
}

int strip_has_groups(const struct strip *p)
{
    int any = 0;

    for (int k = 0; k < p->columns; k++)
        any |= *strip_column(p, k)->group;
    return any != 0;
}

int strip_has_titles(const struct strip *p)
{
    int any = 0;

    for (int k = 0; k < p->columns; k++)
        any |= *strip_column(p, k)->title;
    return any != 0;
}

/* ---- width ---- */

/* Returns 1 inside a group, and 2 between groups and between columns without a
 * group. */
int strip_gap(const struct strip *p, int k)
{
    if (k == 0)
        return 0;
    return strip_starts_group(p, k) || !*strip_column(p, k)->group ? 2 : 1;
}

int strip_group(const struct strip *p, int k)
{
    int sum = p->width[k];

    for (int n = strip_group_columns(p, k++); n > 1; n--, k++)
        sum += strip_gap(p, k) + p->width[k];
    return sum;
}

int strip_width(const struct strip *p)
{
    int all = 0;

    for (int k = 0; k < p->columns; k++)
        all += strip_gap(p, k) + p->width[k];
    return all;
}

static struct strip strip_new(const struct grid *g, int from, int to)
{
    struct strip p = {g, from, to, 1 + to - from, NULL, NULL};

    p.width = arena_zero(g->memory, (size_t)p.columns * sizeof *p.width);
    p.best = arena_zero(g->memory, (size_t)p.columns * sizeof *p.best);
    for (int k = 0; k < p.columns; k++) {
        for (int i = 0; i < grid_rows(g); i++) {
            const struct grid_cell *c = strip_cell(&p, i, k);

            p.width[k] = max(p.width[k], strip_text(c->text));
            p.best[k] |= c->best;
        }
        p.width[k] = max(p.width[k] + p.best[k],
                         strip_text(strip_column(&p, k)->title));
    }
    for (int k = 0; k < p.columns; k++)
        if (strip_starts_group(&p, k))
            p.width[k] += max(0, strip_text(strip_column(&p, k)->group) -
                                     strip_group(&p, k));
    return p;
}

/* ---- narrower ---- */

static int longest_word(const char *s)
{
    int most = 0;

    for (size_t n; *s; s += n, s += *s == ' ') {
        n = strcspn(s, " ");
        most = max(most, bytes_width(s, n));
    }
    return most;
}

/* Returns the minimum width of a column.  The heading can shrink to its longest
 * word, and so can left-aligned texts of a list.  The last column of a list can
 * shrink to LAST even if it has longer words, which then overhang. */
static int narrowest(const struct strip *p, int k)
{
    int head = longest_word(strip_column(p, k)->title), most = 0;
    int words = p->g->listing && strip_column(p, k)->left;

    for (int i = 0; i < grid_rows(p->g); i++) {
        const char *text = strip_cell(p, i, k)->text;

        most = max(most, words ? longest_word(text) : strip_text(text));
    }
    if (words && k == p->columns - 1 && most > LAST)
        most = LAST;
    return max(head, most + p->best[k]);
}

/* Makes the strip at most `most` wide, if possible.  Repeatedly takes one
 * character from the widest column that can still shrink. */
static void squeeze(struct strip *p, int most)
{
    int *least = arena_zero(p->g->memory, (size_t)p->columns * sizeof *least);

    for (int k = 0; k < p->columns; k++)
        least[k] = narrowest(p, k);
    for (int over = strip_width(p) - most; over > 0; over--) {
        int widest = -1;

        for (int k = 0; k < p->columns; k++)
            if (p->width[k] > least[k] &&
                (widest < 0 || p->width[k] > p->width[widest]))
                widest = k;
        if (widest < 0)
            return;
        p->width[widest]--;
    }
}

/* ---- end of a strip ---- */

/* Returns 2 if a strip may end before column c because a group ends there, 1 if
 * it may end there inside a group, or 0 if it must not end there. */
static int seam(const struct grid *g, int c)
{
    if (c == g->columns || strcmp(g->column[c - 1].group, g->column[c].group))
        return 2;
    return !g->column[c].with;
}

static struct strip strip_fit(const struct grid *g, int from, int to, int most)
{
    struct strip p = strip_new(g, from, to);

    if (g->listing || p.columns == 2) /* two columns cannot be divided */
        squeeze(&p, most);
    return p;
}

struct strip strip_next(const struct grid *g, int from, int before, int most)
{
    int end[3] = {0};

    if (g->columns == 1)
        return strip_new(g, 1, 1);
    for (int to = from + 1; to <= before; to++) {
        if (seam(g, to) == 0)
            continue;
        struct strip p = strip_fit(g, from, to, most);

        if (end[1] && strip_width(&p) > most)
            break;
        end[1] = to;
        if (seam(g, to) == 2)
            end[2] = to;
    }
    return strip_fit(g, from, end[2] ? end[2] : end[1], most);
}
