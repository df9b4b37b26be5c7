/*
 * The data of the picture:
 *
 *   NAME.tsv: panel and line (from 1), case, measure, value, low and high of
 *   its interval, claimed_low, claimed_high, verdict; a field without a bound
 *   or a word is -
 */
#include "plots/interval_plot.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "plots/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_LINE = 24, LEGEND = 44, PANEL_LINE = 17, PANEL_GAP = 12, PITCH = 28,
       NAME_LINE = 15, AXIS = 38, FOOT = 6 };     /* pixels, from above */
/* The maximum number of letters in a line of a title and in a line of a name,
 * and the maximum number of lines of either. */
enum { TITLE = 122, NAME = 56, NAME_LINES = 6 };
static const double LETTER = 8;      /* width of a letter, pixels */
static const double TINY = 1.0 / 50; /* as in interval_logarithmic */

/* ---- the axis of a panel ---- */

struct axis { double low, high, least; int logarithmic; };

static void widen(struct axis *a, double x)
{
    if (!isfinite(x))
        return;
    a->low = fmin(a->low, x);
    a->high = fmax(a->high, x);
    if (x > 0)
        a->least = fmin(a->least, x);
}

static struct axis all_of(const struct interval_panel *p)
{
    struct axis a = {INFINITY, -INFINITY, INFINITY, 0};

    for (int i = 0; i < p->n; i++) {
        const struct interval_line *l = &p->line[i];

        widen(&a, l->value);
        widen(&a, l->between.low);
        widen(&a, l->between.high);
        widen(&a, l->claimed.low);
        widen(&a, l->claimed.high);
    }
    return a;
}

int interval_logarithmic(const struct interval_panel *p)
{
    double bound = INFINITY, most = 0;

    for (int i = 0; i < p->n; i++) {
        const struct interval_line *l = &p->line[i];
        const double claimed[] = {l->claimed.low, l->claimed.high};

        if (l->value < 0 || l->between.low < 0)
            return 0;
        for (int k = 0; k < 2; k++)
            if (claimed[k] > 0)
                bound = fmin(bound, claimed[k]);
        if (isfinite(l->value))
            most = fmax(most, l->value);
    }
    return bound < TINY * most;
}

/* Returns the axis of a panel, with a margin at both ends.  On a logarithmic
 * axis that has to show zeros, the left margin is wider, because zeros are
 * drawn there. */
static struct axis axis_of(const struct interval_panel *p)
{
    struct axis a = all_of(p);

    a.logarithmic = interval_logarithmic(p);
    if (a.logarithmic) {
        double step = fmax(pow(a.high / a.least, 0.05), 1.3);

        a.low = a.least / (a.low > 0 ? step : pow(step, 3));
        a.high *= step;
        return a;
    }
    double pad = 0.06 * (a.high - a.low);
    pad = pad > 0 ? pad : fmax(0.05 * fabs(a.high), 1e-3);
    a.low -= pad;
    a.high += pad;
    return a;
}

/* ---- words ---- */

/* Returns the length of the first line of *s, which is broken at a blank after
 * at most `most` characters, and advances *s to the next line. */
static int next_line(const char **s, size_t most)
{
    size_t at = strlen(*s);

    if (at > most) {
        for (at = most; at && (*s)[at] != ' '; at--)
            ;
        at = at ? at : most;
    }
    *s += at;
    *s += strspn(*s, " ");
    return (int)at;
}

/* Breaks a text into at most `lines` lines.  Sets the gnuplot variables NAME1,
 * NAME2, ... to the lines and NAMEs to their number, where NAME is `name`.
 * Returns the number of lines. */
static int put_broken(struct picture *p, const char *name, const char *s,
                      size_t most, int lines)
{
    OWNED(free) char *number = str_format("%ss", name);
    int n = 0;

    while (*s && n < lines) {
        const char *line = s;
        int length = next_line(&s, most);

        n++;
        picture_text_i(p, name, n, "%.*s%s", length, line,
                       n == lines && *s ? " ..." : "");
    }
    picture_number(p, number, n);
    return n;
}

/* The widths of the columns of text, in characters, and the greatest number of
 * lines of a name. */
struct widths { int name, measured, claim, lines; };

static int max(int a, int b) { return a > b ? a : b; }

static struct widths widths_of(const struct interval_plot *r)
{
    int least = (int)strlen("measured") + 1;
    struct widths w = {0, least, least, 1};

    for (int k = 0; k < r->panels; k++)
        for (int i = 0; i < r->panel[k].n; i++) {
            const struct interval_line *l = &r->panel[k].line[i];
            int lines = 0;

            for (const char *s = l->name; *s && lines < NAME_LINES; lines++)
                w.name = max(w.name, next_line(&s, NAME));
            w.lines = max(w.lines, lines);
            w.measured = max(w.measured, (int)strlen(l->measured));
            w.claim = max(w.claim, (int)strlen(l->claim));
        }
    return w;
}

/* ---- the data ---- */

static void put_bound(FILE *out, double x)
{
    if (isfinite(x))
        picture_put_number(out, "\t", x);
    else
        fputs("\t-", out);
}

static void put_word(FILE *out, const char *word)
{
    picture_put_text(out, "\t", *word ? word : "-");
}

static void put_line(FILE *out, const struct interval_line *l, int panel, int i)
{
    fprintf(out, "%d\t%d", panel, i);
    put_word(out, l->of);
    put_word(out, l->measure);
    picture_put_number(out, "\t", l->value);
    put_bound(out, l->between.low);
    put_bound(out, l->between.high);
    put_bound(out, l->claimed.low);
    put_bound(out, l->claimed.high);
    put_word(out, l->verdict);
    fputc('\n', out);
}

/* ---- the picture ---- */

/* Puts the title of panel k, to the right of names of width `left` (pixels).
 * Returns its number of lines. */
static int put_titles(struct picture *p, const struct interval_panel *panel,
                      int k, double left)
{
    OWNED(free) char *name = str_format("title%d_", k);
    int n = 0;

    for (int i = 0; panel->title[i]; i++)
        for (const char *s = panel->title[i], *line = s; *s; line = s) {
            int length = next_line(&s, (size_t)((PICTURE_WIDTH - left) /
                                                LETTER));

            picture_text_i(p, name, ++n, "%.*s", length, line);
        }
    picture_number_i(p, "titles", k, n);
    return n;
}

static void put_words(struct picture *p, const struct interval_panel *panel,
                      int k)
{
    OWNED(free) char *measured = str_format("measured%d_", k);
    OWNED(free) char *claim = str_format("claim%d_", k);

    for (int i = 0; i < panel->n; i++) {
        const struct interval_line *l = &panel->line[i];
        OWNED(free) char *name = str_format("name%d_%d_", k, i + 1);

        put_broken(p, name, l->name, NAME, NAME_LINES);
        picture_text_i(p, measured, i + 1, "%s", l->measured);
        picture_text_i(p, claim, i + 1, "%s", l->claim);
    }
}

static int has_zero(const struct interval_panel *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->line[i].value <= 0)
            return 1;
    return 0;
}

static void put_numbers(struct picture *p, int k, const struct interval_panel
                        *panel, int top, int bottom)
{
    struct axis a = axis_of(panel);
    const struct { const char *name; double value; } all[] = {
        {"lines", panel->n}, {"top", top}, {"bottom", bottom},
        {"low", a.low}, {"high", a.high}, {"logarithmic", a.logarithmic},
        {"unit", panel->unit}, {"zero", a.logarithmic && has_zero(panel)}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        picture_number_i(p, all[i].name, k, all[i].value);
}

/* Puts the panels one below another, beginning `y` pixels below the top, to the
 * right of names of width `left`.  `lines` is the greatest number of lines of a
 * name. */
static void put_panels(struct picture *p, const struct interval_plot *r, int y,
                       double left, int lines)
{
    int pitch = PITCH + NAME_LINE * (lines - 1);

    for (int k = 0; k < r->panels; k++) {
        const struct interval_panel *panel = &r->panel[k];
        int titles = put_titles(p, panel, k + 1, left);
        int top = y + PANEL_GAP + PANEL_LINE * titles + PANEL_GAP / 2;

        y = top + pitch * panel->n;
        put_numbers(p, k + 1, panel, top, y);
        put_words(p, panel, k + 1);
        for (int i = 0; i < panel->n; i++)
            put_line(p->data, &panel->line[i], k + 1, i + 1);
        y += AXIS;
    }
    picture_number(p, "height", y + FOOT);
}

/* Puts the verdicts that occur in the picture side by side in the legend. */
static void put_legend(struct picture *p, const struct interval_plot *r)
{
    static const char *const verdict[] = {"holds", "fails", "undecided", ""};
    static const double wide[] = {75, 65, 110, 0}; /* pixels */
    double at = 138;

    for (int v = 0; v < 4; v++) {
        int has = 0;

        for (int k = 0; k < r->panels; k++)
            for (int i = 0; i < r->panel[k].n; i++)
                has |= !strcmp(r->panel[k].line[i].verdict, verdict[v]);
        picture_number_i(p, "legend", v + 1, has ? at : 0);
        at += has ? wide[v] : 0;
    }
}

int interval_plot(const struct interval_plot *r, const struct output *to,
                  const char *name)
{
    OWNED(picture_abandon) struct picture p = {0};
    struct widths w = widths_of(r);
    double left = 30 + LETTER * w.name;

    PASS(picture_begin(&p, to, name));
    fputs("panel\tline\tcase\tmeasure\tvalue\tlow\thigh\tclaimed_low\t"
          "claimed_high\tverdict\n", p.data);
    int heads = put_broken(&p, "head", r->title, TITLE, NAME_LINES);
    heads += put_broken(&p, "verdict", r->verdict, TITLE, NAME_LINES);
    picture_number(&p, "head_line", HEAD_LINE);
    picture_number(&p, "name_line", NAME_LINE);
    picture_number(&p, "panel_line", PANEL_LINE);
    picture_number(&p, "panels", r->panels);
    picture_number(&p, "left", left);
    picture_number(&p, "wide_measured", 20 + LETTER * w.measured);
    picture_number(&p, "wide_claim", 20 + LETTER * w.claim);
    put_legend(&p, r);
    put_panels(&p, r, HEAD_LINE * heads + LEGEND, left, w.lines);
    return picture_end(&p, "interval_plot");
}
