/*
 * gap: the difference of each variant from the first one, in cross-entropy on
 * the test set, against a number that the experiment varies (`steps`, `N`,
 * `layers` or `d`).  There is one picture for each task and number, with a line
 * for each variant.  A dot is one seed, paired with the same seed of the first
 * variant; the line joins the means over seeds.  Below zero a variant is better
 * than the first one.  Other varied settings are the same on both sides, and
 * only numbers at which both sides have cells are drawn.
 *
 *   gap_TASK_KEY.tsv: variant (the row's name without the number), what (seed,
 *   mean), number, seed (0 for a mean), difference in nats
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/line_labels.h"
#include "plots/picture.h"
#include "plots/select.h"
#include "plots/style.h"
#include "plots/sweep.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const keys[] = {",steps=", ",N=", ",layers=", ",d="};

enum { KEYS = sizeof keys / sizeof *keys };

static const struct frame panel = {0.095, 0.69, 0.115, 0.88};

struct loss { int line; long number; long long seed; double ce; };

struct gaps {
    const struct report *r;
    const char *task, *key;
    const char *const *line; /* ends with NULL                             */
    int         first;       /* length of the name of the first variant    */
    struct loss *loss;       /* one for each finished cell of the lines    */
    int         losses;
    enum select_lost *lost;  /* one for each cell of the report            */
    double      low, high;   /* range of the differences                   */
    long        least, most; /* range of the numbers                       */
    double     *last;        /* of each line: the mean at its largest number;
                                NAN: the line has no difference            */
};

/* ---- reading ---- */

static int read_losses(struct gaps *g)
{
    const struct report *r = g->r;
    struct sweep_point p;

    g->loss = arena_zero(r->memory, ((size_t)r->n + 1) * sizeof *g->loss);
    PASS(select_losses(&g->lost, r, g->task));
    for (int i = 0; i < r->n; i++) {
        OWNED(cell_close) struct cell_reader *cell = NULL;
        const struct report_cell *c = &r->cell[i];
        struct loss *to = &g->loss[g->losses];

        if (c->state != CELL_DONE || strcmp(c->task, g->task) || g->lost[i] ||
            !sweep_read(&p, c->variant, g->key, r->memory))
            continue;
        PASS(report_read(&cell, r, c->id));
        PASS(cell_get_metric(cell, "ce", &to->ce));
        to->line = names_index(g->line, p.line);
        to->number = p.value;
        to->seed = c->seed;
        g->losses++;
    }
    return OK;
}

/* Returns the difference of a loss from that of the first variant with the same
 * settings, number and seed; NAN if there is no such cell. */
static double gap_of(const struct gaps *g, const struct loss *x)
{
    const char *rest = strchr(g->line[x->line], ',');

    for (int i = 0; i < g->losses; i++) {
        const struct loss *y = &g->loss[i];
        const char *line = g->line[y->line];

        if (y->number == x->number && y->seed == x->seed &&
            !strncmp(line, g->line[0], (size_t)g->first) &&
            !strcmp(line + g->first, rest ? rest : ""))
            return x->ce - y->ce;
    }
    return NAN;
}

/* ---- writing ---- */

static void put_row(struct gaps *g, FILE *out, int line, const char *what,
                    long number, long long seed, double gap)
{
    picture_put_text(out, "", g->line[line]);
    fprintf(out, "\t%s\t%ld\t%lld", what, number, seed);
    picture_put_number(out, "\t", gap);
    fputc('\n', out);
    g->low = fmin(g->low, gap);
    g->high = fmax(g->high, gap);
    g->least = number < g->least ? number : g->least;
    g->most = number > g->most ? number : g->most;
}

/* Writes the seeds of a line at a number, then their mean.  Returns the mean,
 * NAN if there are no seeds. */
static double put_number(struct gaps *g, FILE *out, int line, long number)
{
    double sum = 0;
    int seeds = 0;

    for (int i = 0; i < g->losses; i++) {
        const struct loss *x = &g->loss[i];
        double gap = gap_of(g, x);

        if (x->line != line || x->number != number || isnan(gap))
            continue;
        put_row(g, out, line, "seed", number, x->seed, gap);
        sum += gap;
        seeds++;
    }
    if (!seeds)
        return NAN;
    put_row(g, out, line, "mean", number, 0, sum / seeds);
    return sum / seeds;
}

/* Writes a line if it has differences at two numbers or more.  Lines of the
 * first variant are zero and are not written. */
static void put_line(struct gaps *g, FILE *out, int line)
{
    const char *name = g->line[line];
    long number = 0;

    g->last[line] = NAN;
    if (!strncmp(name, g->line[0], (size_t)g->first) &&
        (!name[g->first] || name[g->first] == ','))
        return;
    number = sweep_next(g->r, g->task, g->key, name, 0);
    if (sweep_next(g->r, g->task, g->key, name, number) == LONG_MAX)
        return;
    for (; number < LONG_MAX;
         number = sweep_next(g->r, g->task, g->key, name, number)) {
        double mean = put_number(g, out, line, number);

        g->last[line] = isnan(mean) ? g->last[line] : mean;
    }
    fputc('\n', out);
}

/* Sets number1, number2, ... to the numbers of all lines, the least first. */
static void put_numbers(struct picture *p, const struct gaps *g)
{
    char variable[24];
    int n = 0;

    for (long next = g->least; next <= g->most;) {
        long last = next;

        snprintf(variable, sizeof variable, "number%d", ++n);
        picture_number(p, variable, (double)last);
        next = LONG_MAX;
        for (const char *const *line = g->line; *line; line++) {
            long at = sweep_next(g->r, g->task, g->key, *line, last);

            next = at < next ? at : next;
        }
    }
    picture_number(p, "numbers", n);
}

static void put_axes(struct picture *p, struct gaps *g)
{
    double pad = fmax(0.05 * (fmax(g->high, 0) - fmin(g->low, 0)), 1e-3);

    g->low = fmin(g->low, 0) - pad;
    g->high = fmax(g->high, 0) + pad;
    picture_number(p, "low", g->low);
    picture_number(p, "high", g->high);
    picture_number(p, "least", (double)g->least);
    picture_number(p, "most", (double)g->most);
    put_numbers(p, g);
    line_labels_frame(p, "panel", &panel);
}

static void put_words(struct picture *p, const struct gaps *g)
{
    struct arena *a = g->r->memory;

    picture_text(p, "title", "%s", select_title(
        g->r, arena_format(a, "Difference from %.*s", g->first, g->line[0]),
        g->task));
    picture_text(p, "told", "below 0: better than %.*s; a mark is one seed, "
                 "paired with the same seed; lines join the means",
                 g->first, g->line[0]);
    picture_text(p, "axis", "%.*s", (int)strlen(g->key) - 2, g->key + 1);
    picture_text(p, "note", "%s", select_absent(g->r, g->task, g->lost));
}

static void put_ends(struct picture *p, const struct gaps *g, int lines)
{
    const struct style *look = looks_of(g->line, g->r->memory);
    struct end *end = arena_zero(g->r->memory,
                                 ((size_t)lines + 1) * sizeof *end);
    int n = 0;

    for (int i = 0; i < lines; i++)
        if (!isnan(g->last[i]))
            end[n++] = (struct end){
                &look[i], g->line[i], "",
                (g->last[i] - g->low) / (g->high - g->low)};
    line_labels_put(p, end, n, &panel);
}

static int draw_gap(const struct report *r, const struct output *to,
                    const char *task, const char *key, int *drawn)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("gap_%s_%.*s", task,
                                        (int)strlen(key) - 2, key + 1);
    struct gaps g = {.r = r, .task = task, .key = key, .low = INFINITY,
                     .line = sweep_lines(r, task, key), .high = -INFINITY,
                     .least = LONG_MAX};
    int lines = 0;

    if (!g.line[0])
        return OK;
    while (g.line[lines])
        lines++;
    g.first = (int)strcspn(g.line[0], ",");
    g.last = arena_zero(r->memory, (size_t)lines * sizeof *g.last);
    PASS(read_losses(&g));
    PASS(picture_begin(&p, to, name));
    fputs("variant\twhat\tnumber\tseed\tdifference\n", p.data);
    for (int i = 0; i < lines; i++)
        put_line(&g, p.data, i);
    if (g.least >= g.most)
        return OK;
    (*drawn)++;
    put_axes(&p, &g);
    put_words(&p, &g);
    put_ends(&p, &g, lines);
    return picture_end(&p, "gap");
}

static int render(const struct report *r, const struct output *to)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++)
        for (int k = 0; k < KEYS; k++)
            PASS(draw_gap(r, to, *task, keys[k], &drawn));
    return drawn ? OK : err_set(ERR_EMPTY, "%s: needs a variant that, like the "
                                "first one, has cells at two values of steps, "
                                "N, layers or d", r->store);
}

const struct figure figure_gap = {
    .name = "gap",
    .title = "Difference from the first variant by steps, length, depth or "
             "width",
    .render = render,
};
