/*
 * heat: draws the maps (matrices of attention weights or scores) that cells
 * store in attention/sentence (train/sentence.h): the figure `sentence` draws
 * each variant's attention on one sentence after training, the figure `scores`
 * R, the attention scores that do not depend on the input, before and after
 * training.  There is one picture NAME_TASK for each task, with one row for
 * each variant and one panel for each map.  A variant's maps are those of its
 * finished cell with the lowest seed.
 *
 *   NAME_TASK.tsv has a block for each panel, with the columns variant, seed,
 *   head (from 1), when (start, end), row and key (from 1), value
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/style.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADS = 4, SIDE = 256, MAP = 128, SMALL = 112, HEAD = 104, FOOT = 80 };
enum { STEP = MAP + 52, BLOCK = 40, GAP = 8, LETTERS = 150 };
enum { START, END, TIMES };

static const char *const times[TIMES] = {"start", "end"};
static const char *const stacks[] = {"encoder.0", "decoder.0", NULL};

struct heat {
    const char *title, *note;
    const char *start, *end;   /* datasets; start NULL: show only end  */
    const char *rows, *keys;   /* attributes with the size of a map    */
    int         scores;        /* 1: values of either sign; a variant
                                  whose values are all 0 is omitted    */
};

/* Maps of one cell. */
struct maps {
    long long heads, rows, keys;
    double   *of[TIMES]; /* [heads][rows][keys]; NULL: not shown */
    char    **token;
    size_t    tokens;
    double    largest;   /* largest absolute value */
};

static void maps_close(struct maps *m)
{
    for (int t = 0; t < TIMES; t++)
        free(m->of[t]);
    cell_free_strings(m->token, m->tokens);
}
OWNER_OF_VALUE(maps_close, struct maps)

/* A picture that is being made. */
struct canvas {
    const struct heat   *heat;
    const struct report *report;
    const char          *task, *stack;
    struct picture       picture;
    int                  rows, panels, silent, lines;
    int                  biased; /* 1: scores include a relative position bias
                                    (T5); if one variant has it, all do */
    long long            heads; /* maximum number of heads of a row */
};

/* ---- reading ---- */

static int read_map(double **out, const struct maps *m,
                    struct cell_reader *cell, const char *group,
                    const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", group, name);
    size_t n;

    PASS(cell_get_array(cell, path, out, &n));
    if (m->heads < 1 || m->rows < 1 || m->keys < 1 || m->heads > SIDE ||
        m->rows > SIDE || m->keys > SIDE ||
        n != (size_t)(m->heads * m->rows * m->keys))
        return err_set(ERR_STORE, "%s has %zu values, not %lld x %lld x %lld",
                       path, n, m->heads, m->rows, m->keys);
    return OK;
}

static void find_largest(struct maps *m)
{
    size_t n = (size_t)(m->heads * m->rows * m->keys);

    for (int t = 0; t < TIMES; t++)
        for (size_t i = 0; m->of[t] && i < n; i++)
            m->largest = fmax(m->largest, fabs(m->of[t][i]));
}

/* Reads the maps of a cell.  Returns ERR_EMPTY if the cell has none. */
static int maps_read(struct maps *m, const struct heat *h, const char *stack,
                     struct cell_reader *cell)
{
    OWNED(free) char *group = str_format("attention/sentence/%s", stack);
    OWNED(free) char *tokens = str_format("%s/tokens", group);

    PASS(cell_get_int(cell, group, "heads", &m->heads));
    PASS(cell_get_int(cell, group, h->rows, &m->rows));
    PASS(cell_get_int(cell, group, h->keys, &m->keys));
    if (h->start)
        PASS(read_map(&m->of[START], m, cell, group, h->start));
    PASS(read_map(&m->of[END], m, cell, group, h->end));
    PASS(cell_get_strings(cell, tokens, &m->token, &m->tokens));
    find_largest(m);
    return OK;
}

/* Returns 1 if the cell has an attention in the stack, but an earlier version
 * of the program stored the cell without maps. */
static int is_older(struct cell_reader *cell, const char *stack)
{
    OWNED(free) char *group = str_format("attention/end/%s", stack);
    OWNED(free) char *own = str_format("attention/sentence/%s", stack);
    double entropy;
    long long heads;

    return cell_get_real(cell, group, "entropy_nats", &entropy) == OK &&
           cell_get_int(cell, own, "heads", &heads) == ERR_EMPTY;
}

/* Returns the finished cell with the lowest seed, or NULL if none is
 * finished. */
static const struct report_cell *first_cell(const struct report *r,
                                            const char *task,
                                            const char *variant)
{
    const struct report_cell *first = NULL;

    for (int i = 0; i < r->n; i++)
        if (r->cell[i].state == CELL_DONE &&
            select_is(&r->cell[i], task, variant) &&
            (!first || r->cell[i].seed < first->seed))
            first = &r->cell[i];
    return first;
}

/* ---- one row ---- */

static void put_map(FILE *out, const struct report_cell *c,
                    const struct maps *m, int head, int time)
{
    const double *x = m->of[time] + head * m->rows * m->keys;

    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->keys; j++) {
            picture_put_text(out, "", c->variant);
            fprintf(out, "\t%lld\t%d\t%s\t%d\t%d", c->seed, head + 1,
                    times[time], i + 1, j + 1);
            picture_put_number(out, "\t", *x++);
            fputc('\n', out);
        }
    fputs("\n\n", out);
}

static void put_panel(struct canvas *v, const struct report_cell *c,
                      const struct maps *m, int head, int time)
{
    int both = v->heat->start != NULL;

    put_map(v->picture.data, c, m, head, time);
    picture_number_i(&v->picture, "row", ++v->panels, v->rows);
    picture_number_i(&v->picture, "column", v->panels,
                     both ? TIMES * head + time + 1 : head + 1);
    picture_number_i(&v->picture, "side", v->panels, (double)m->rows);
    picture_number_i(&v->picture, "keys", v->panels, (double)m->keys);
}

static void put_row(struct canvas *v, const struct report_cell *c,
                    const struct maps *m, const struct style *look)
{
    v->rows++;
    for (int h = 0; h < m->heads && h < HEADS; h++)
        for (int t = v->heat->start ? START : END; t < TIMES; t++)
            put_panel(v, c, m, h, t);
    v->heads = m->heads > v->heads ? m->heads : v->heads;
    picture_text_i(&v->picture, "variant", v->rows, "%s", c->variant);
    style_put(&v->picture, v->rows, look);
    picture_number_i(&v->picture, "largest", v->rows, m->largest);
}

/* Puts the tokens of the sentence, broken into lines.  All rows have the
 * sentence of the first row. */
static void put_sentence(struct canvas *v, const struct maps *m)
{
    OWNED(text_free) struct text line = {0};
    int lines = 0;

    text_put(&line, "tokens:");
    for (size_t i = 0; i < m->tokens; i++) {
        text_format(&line, " %s", m->token[i]);
        if (line.n < LETTERS && i + 1 < m->tokens)
            continue;
        picture_text_i(&v->picture, "sentence", ++lines, "%s", line.s);
        text_clear(&line);
    }
    v->lines = lines;
}

static int put_variant(struct canvas *v, const char *variant,
                       const struct style *look)
{
    const struct report_cell *c = first_cell(v->report, v->task, variant);
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(maps_close) struct maps m = {0};
    long long biased = 0;

    if (!c)
        return OK;
    PASS(report_read(&cell, v->report, c->id));
    int rc = maps_read(&m, v->heat, v->stack, cell);
    PASS(cell_maybe(rc));
    v->silent += rc == ERR_EMPTY && is_older(cell, v->stack);
    if (rc == ERR_EMPTY || (v->heat->scores && !(m.largest > 0)))
        return OK;
    PASS(cell_maybe(cell_get_int(cell, "config", "relative_bias", &biased)));
    v->biased |= biased != 0;
    if (!v->rows)
        put_sentence(v, &m);
    put_row(v, c, &m, look);
    return OK;
}

/* ---- the picture ---- */

/* Returns the height of the picture.  Rows of scores are one below another; of
 * sentences, as many blocks as fit are side by side. */
static int height_of(const struct canvas *v, int shown)
{
    int across = (PICTURE_WIDTH - 12) / (BLOCK + shown * (MAP + GAP));

    return v->heat->scores ? HEAD + (SMALL + 12) * v->rows + FOOT / 2
                           : HEAD + STEP * ((v->rows + across - 1) / across) +
                                 FOOT;
}

static void put_words(struct canvas *v)
{
    struct picture *p = &v->picture;
    int shown = v->heads < HEADS ? (int)v->heads : HEADS;

    picture_number(p, "rows", v->rows);
    picture_number(p, "panels", v->panels);
    picture_number(p, "heads", shown);
    picture_number(p, "times", v->heat->start ? TIMES : 1);
    picture_number(p, "lines", v->lines);
    picture_number(p, "map", v->heat->scores ? SMALL : MAP);
    picture_number(p, "step", STEP);
    picture_number(p, "head", HEAD);
    picture_number(p, "height", height_of(v, shown));
    picture_text(p, "title", "%s", select_title(v->report, v->heat->title,
                                                v->task));
    if (v->heat->scores)
        picture_text(p, "bias", "%s", v->biased
                     ? "R includes the relative position bias; variants "
                       "without R, such as uniform, show the bias only" : "");
    const char *heads = shown < v->heads
                            ? arena_format(v->report->memory,
                                           "first %d of %lld heads", shown,
                                           v->heads)
                            : "all heads";
    picture_text(p, "note", "%.*s, layer 1, %s, first seed; %s%s",
                 (int)strcspn(v->stack, "."), v->stack, heads, v->heat->note,
                 v->silent ? arena_format(
                     v->report->memory, "; omitted, because no maps are "
                     "stored: %d variant%s", v->silent,
                     v->silent == 1 ? "" : "s") : "");
}

static int draw_stack(struct canvas *v, const char *figure,
                      const struct output *to)
{
    OWNED(free) char *name = str_format("%s_%s", figure, v->task);
    const char *const *variant = select_variants(v->report);
    const struct style *look = looks_of(variant, v->report->memory);

    PASS(picture_begin(&v->picture, to, name));
    fputs("variant\tseed\thead\twhen\trow\tkey\tvalue\n\n\n", v->picture.data);
    for (int i = 0; variant[i]; i++)
        PASS(put_variant(v, variant[i], &look[i]));
    if (!v->panels)
        return OK;
    put_words(v);
    return picture_end(&v->picture, figure);
}

/* Draws the maps of the encoder or, if there are none, of the decoder. */
static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    for (int s = 0; stacks[s]; s++) {
        struct canvas v = {.heat = f->with, .report = r, .task = task,
                           .stack = stacks[s]};
        int rc = draw_stack(&v, f->name, to);

        picture_abandon(&v.picture);
        PASS(rc);
        if (v.panels)
            return OK;
    }
    return FIGURE_NONE;
}

static const struct heat sentence = {
    .title = "Attention of one sentence after training",
    .note = "the weights of each row sum to 1",
    .end = "end",
    .rows = "rows",
    .keys = "keys",
};

const struct figure figure_sentence = {
    .name = "sentence",
    .title = "Heat maps of one sentence's attention, by variant and head",
    .none = "no cell has heat maps 'end'; earlier versions of synthbench do "
            "not store them",
    .draw = draw,
    .with = &sentence,
};

static const struct heat scores = {
    .title = "R before and after training",
    .note = "blue: positive; orange: negative; after +-: the variant's "
            "largest absolute value, drawn darkest",
    .start = "scores_start",
    .end = "scores_end",
    .rows = "scores_rows",
    .keys = "scores_keys",
    .scores = 1,
};

const struct figure figure_scores = {
    .name = "scores",
    .title = "Heat maps of R, the scores of random variants, before and after "
             "training",
    .none = "no cell has heat maps 'scores_end'; earlier versions of "
            "synthbench do not store them",
    .draw = draw,
    .with = &scores,
};
