/*
 * sentence: draws each variant's attention on one sentence after training, the
 * maps (matrices of attention weights) that cells store in attention/sentence
 * (train/sentence.h).  There is one picture sentence_TASK for each task, with a
 * block for each variant and a panel for each head.  A variant's maps are those
 * of its finished cell with the lowest seed.
 *
 *   sentence_TASK.tsv has a block for each panel, with the columns variant,
 *   seed, head (from 1), row and key (from 1), weight
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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADS = 4, SIDE = 256, MAP = 128, HEAD = 104, FOOT = 80 };
enum { STEP = MAP + 52, BLOCK = 40, GAP = 8, LETTERS = 150 };

static const char *const stacks[] = {"encoder.0", "decoder.0", NULL};

/* Maps of one cell. */
struct maps {
    long long heads, rows, keys;
    double   *of; /* [heads][rows][keys] */
    char    **token;
    size_t    tokens;
};

static void maps_close(struct maps *m)
{
    free(m->of);
    cell_free_strings(m->token, m->tokens);
}
OWNER_OF_VALUE(maps_close, struct maps)

/* A picture that is being made. */
struct canvas {
    const struct report *report;
    const char          *task, *stack;
    struct picture       picture;
    int                  rows, panels, lines;
    int                  silent; /* variants with a cell of an earlier version,
                                    which has no maps */
    long long            heads; /* maximum number of heads of a row */
};

/* ---- reading ---- */

/* Reads the maps of a cell.  Returns ERR_EMPTY if the cell has none. */
static int maps_read(struct maps *m, const char *stack,
                     struct cell_reader *cell)
{
    OWNED(free) char *group = str_format("attention/sentence/%s", stack);
    OWNED(free) char *tokens = str_format("%s/tokens", group);
    OWNED(free) char *weights = str_format("%s/end", group);
    size_t n;

    PASS(cell_get_int(cell, group, "heads", &m->heads));
    PASS(cell_get_int(cell, group, "rows", &m->rows));
    PASS(cell_get_int(cell, group, "keys", &m->keys));
    PASS(cell_get_array(cell, weights, &m->of, &n));
    if (m->heads < 1 || m->rows < 1 || m->keys < 1 || m->heads > SIDE ||
        m->rows > SIDE || m->keys > SIDE ||
        n != (size_t)(m->heads * m->rows * m->keys))
        return err_set(ERR_STORE, "%s has %zu values, not %lld x %lld x %lld",
                       weights, n, m->heads, m->rows, m->keys);
    return cell_get_strings(cell, tokens, &m->token, &m->tokens);
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

/* ---- one row ---- */

static void put_panel(struct canvas *v, const struct report_cell *c,
                      const struct maps *m, int head)
{
    FILE *out = v->picture.data;
    const double *x = m->of + head * m->rows * m->keys;

    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->keys; j++) {
            picture_put_text(out, "", c->variant);
            fprintf(out, "\t%lld\t%d\t%d\t%d", c->seed, head + 1, i + 1,
                    j + 1);
            picture_put_number(out, "\t", *x++);
            fputc('\n', out);
        }
    fputs("\n\n", out);
    picture_number_i(&v->picture, "row", ++v->panels, v->rows);
    picture_number_i(&v->picture, "column", v->panels, head + 1);
    picture_number_i(&v->picture, "side", v->panels, (double)m->rows);
    picture_number_i(&v->picture, "keys", v->panels, (double)m->keys);
}

static void put_row(struct canvas *v, const struct report_cell *c,
                    const struct maps *m, const struct style *look)
{
    v->rows++;
    for (int h = 0; h < m->heads && h < HEADS; h++)
        put_panel(v, c, m, h);
    v->heads = m->heads > v->heads ? m->heads : v->heads;
    picture_text_i(&v->picture, "variant", v->rows, "%s", c->variant);
    style_put(&v->picture, v->rows, look);
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
    const struct report_cell *c = select_first(v->report, v->task, variant);
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(maps_close) struct maps m = {0};

    if (!c)
        return OK;
    PASS(report_read(&cell, v->report, c->id));
    int rc = maps_read(&m, v->stack, cell);
    PASS(cell_maybe(rc));
    v->silent += rc == ERR_EMPTY && is_older(cell, v->stack);
    if (rc == ERR_EMPTY)
        return OK;
    if (!v->rows)
        put_sentence(v, &m);
    put_row(v, c, &m, look);
    return OK;
}

/* ---- the picture ---- */

/* Returns the height of the picture, with as many blocks side by side as
 * fit. */
static int height_of(const struct canvas *v, int shown)
{
    int across = (PICTURE_WIDTH - 12) / (BLOCK + shown * (MAP + GAP));

    return HEAD + STEP * ((v->rows + across - 1) / across) + FOOT;
}

static void put_words(struct canvas *v)
{
    struct picture *p = &v->picture;
    int shown = v->heads < HEADS ? (int)v->heads : HEADS;

    picture_number(p, "rows", v->rows);
    picture_number(p, "panels", v->panels);
    picture_number(p, "heads", shown);
    picture_number(p, "lines", v->lines);
    picture_number(p, "map", MAP);
    picture_number(p, "step", STEP);
    picture_number(p, "head", HEAD);
    picture_number(p, "height", height_of(v, shown));
    picture_text(p, "title", "%s", select_title(
                     v->report, "Attention of one sentence after training",
                     v->task));
    const char *heads = shown < v->heads
                            ? arena_format(v->report->memory,
                                           "first %d of %lld heads", shown,
                                           v->heads)
                            : "all heads";
    picture_text(p, "note", "%.*s, layer 1, %s, first seed; the weights of "
                 "each row sum to 1%s", (int)strcspn(v->stack, "."), v->stack,
                 heads, v->silent ? arena_format(
                     v->report->memory, "; omitted, because no maps are "
                     "stored: %d variant%s", v->silent,
                     v->silent == 1 ? "" : "s") : "");
}

static int draw_stack(struct canvas *v, const struct output *to)
{
    OWNED(free) char *name = str_format("sentence_%s", v->task);
    const char *const *variant = select_variants(v->report);
    const struct style *look = looks_of(variant, v->report->memory);

    PASS(picture_begin(&v->picture, to, name));
    fputs("variant\tseed\thead\trow\tkey\tweight\n\n\n", v->picture.data);
    for (int i = 0; variant[i]; i++)
        PASS(put_variant(v, variant[i], &look[i]));
    if (!v->panels)
        return OK;
    put_words(v);
    return picture_end(&v->picture, "sentence");
}

/* Draws the maps of the encoder or, if there are none, of the decoder. */
static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    (void)f;
    for (int s = 0; stacks[s]; s++) {
        struct canvas v = {.report = r, .task = task, .stack = stacks[s]};
        int rc = draw_stack(&v, to);

        picture_abandon(&v.picture);
        PASS(rc);
        if (v.panels)
            return OK;
    }
    return FIGURE_NONE;
}

const struct figure figure_sentence = {
    .name = "sentence",
    .title = "Heat maps of one sentence's attention, by variant and head",
    .none = "no cell has heat maps 'end'; earlier versions of synthbench do "
            "not store them",
    .draw = draw,
};
