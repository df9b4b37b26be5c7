/*
 * gap: draws the difference of each variant from the first one, in
 * cross-entropy on the test set, against a number that the experiment varies
 * (`steps`, `N`, `layers` or `d`).  There is one picture for each task and
 * number, with a line for each variant.  A mark is one seed, paired with the
 * same seed of the first variant; the line joins the means over seeds.  Below
 * zero a variant is better than the first one.  Other varied settings are the
 * same on both sides, and only numbers at which both sides have cells are
 * drawn.
 *
 *   gap_TASK_KEY.tsv: variant (the row's name without the number), number, seed
 *   (-: mean over seeds), difference in nats.  The means follow the seeds, in a
 *   block for each variant
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "plots/figure.h"
#include "plots/sweep.h"

#include <math.h>
#include <string.h>

static const char *const keys[] = {",steps=", ",N=", ",layers=", ",d=", NULL};

static const struct column columns[] = {
    {"variant", NULL, COLUMN(struct sweep_row, line)},
    {"number", NULL, COLUMN(struct sweep_row, number)},
    {"seed", NULL, COLUMN(struct sweep_row, seed)},
    {"difference", NULL, COLUMN(struct sweep_row, y[0])},
    {.type = COLUMN_END}};

/* Returns the length of the name of the first variant. */
static size_t first_of(const struct sweep *s)
{
    return strcspn(s->line[0], ",");
}

/* Returns 1 if the line is the first variant's, with the settings `rest` (NULL:
 * any). */
static int is_first(const struct sweep *s, const char *line, const char *rest)
{
    size_t n = first_of(s);

    return !strncmp(line, s->line[0], n) &&
           (rest ? !strcmp(line + n, rest) : strchr(",", line[n]) != NULL);
}

/* Returns 1 if the line is drawn, because it is not the first variant's and has
 * cells at two or more numbers of the swept setting. */
static int is_drawn(const struct sweep *s, int line)
{
    long long first = 0;

    for (int i = 0; i < s->n; i++) {
        const struct sweep_cell *c = &s->cell[i];

        if (c->line != line || is_first(s, s->line[line], NULL))
            continue;
        if (first && c->number != first)
            return 1;
        first = c->number;
    }
    return 0;
}

/* Sets the difference of a cell from that of the first variant with the same
 * settings, number and seed. */
static int values(struct sweep_row *out, const struct sweep *s,
                  const struct sweep_cell *x)
{
    const char *rest = strchr(out->line, ',');

    for (const struct sweep_cell *y = s->cell; y->line >= 0; y++)
        if (y->number == x->number && y->cell->seed == x->cell->seed &&
            is_first(s, s->line[y->line], rest ? rest : "")) {
            out->y[0] = x->ce - y->ce;
            return is_drawn(s, x->line) ? OK : FIGURE_NONE;
        }
    return FIGURE_NONE;
}

static int draw_gap(const struct sweep *s, const struct output *to)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("gap_%s_%.*s", s->task, s->name,
                                        s->key + 1);
    struct arena *a = s->r->memory;
    const char *first = arena_format(a, "%.*s", (int)first_of(s), s->line[0]);
    struct chart c = {.panels = 1, .zero = 1, .dots = CHART_MARKS};
    struct chart_panel *panel = c.panel;
    int n = 0;

    *panel = (struct chart_panel){
        .y_title = "difference in test cross-entropy, nats", .left = 0.11,
        .right = 0.69, .least = INFINITY, .log_x = 1, .ticks = 1, .x = 2,
        .y = 4, .x_title = arena_format(a, "%.*s", s->name, s->key + 1)};
    PASS(picture_begin(&p, to, name));
    PASS(sweep_lines(&c, &p, s, columns, values));
    if (!(panel->least < panel->most))
        return FIGURE_NONE;
    for (int i = 0; i < c.n; i++)
        if (!isnan(c.line[i].end)) {
            c.line[n] = c.line[i];
            c.line[n++].value = "";
        }
    c.n = n;
    chart_pad(panel, 1e-3);
    chart_pad_log(&panel->least, &panel->most, 1.1);
    c.title = select_title(s->r, arena_format(a, "Difference from %s", first),
                           s->task);
    c.subtitle = arena_format(a, "below 0: better than %s; a mark is one seed, "
                              "paired with the same seed; lines join the means",
                              first);
    c.note = select_absent(s->r, s->task, s->lost);
    return chart_end(&p, &c, s->r);
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    int drawn = 0;

    (void)f;
    for (const char *const *key = keys; *key; key++) {
        struct sweep s;
        int rc = sweep_read(&s, r, task, *key);

        if (rc == OK)
            rc = draw_gap(&s, to);
        PASS(rc);
        drawn += rc == OK;
    }
    return drawn ? OK : FIGURE_NONE;
}

const struct figure figure_gap = {
    .name = "gap",
    .title = "Difference from the first variant by steps, length, depth or "
             "width",
    .none = "needs a variant that, like the first one, has cells at two values "
            "of steps, N, layers or d",
    .draw = draw,
};
