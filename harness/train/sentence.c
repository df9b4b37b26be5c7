#include "harness/train/sentence.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const places[SENTENCE_PLACES] = {"encoder", "decoder"};

static int least(int a, int b) { return a < b ? a : b; }

/* ---- recording ---- */

static int is_first(enum tape_place place, int layer)
{
    return layer == 0 && (place == TAPE_ENCODER || place == TAPE_DECODER);
}

/* Copies the first sentence of `x` (h,sentences,n,m) to *to. */
static void keep(struct sentence_map *to, const struct attend *a, int sentences,
                 const real *x)
{
    size_t head = (size_t)sentences * (size_t)a->n * (size_t)a->m;

    to->heads = least(a->h, SENTENCE_HEADS);
    to->rows = least(a->n, SENTENCE_SIDE);
    to->keys = least(a->m, SENTENCE_SIDE);
    for (int h = 0; h < to->heads; h++)
        for (int i = 0; i < to->rows; i++)
            memcpy(to->x[h][i], x + (size_t)h * head +
                   (size_t)i * (size_t)a->m,
                   (size_t)to->keys * sizeof *x);
}

void sentence_weights(struct sentence *s, enum tape_place place, int layer,
                      const struct attend *a, const real *p)
{
    int once = attend_once(a);

    if (is_first(place, layer))
        keep(&s->weight[place], a, once ? 1 : a->b, p);
}

void sentence_scores(struct sentence *s, enum tape_place place, int layer,
                     const struct attend *a, const real *x)
{
    if (is_first(place, layer) && a->shared)
        keep(&s->score[place], a, 1, x);
}

/* ---- storing ---- */

static const char *token(const struct dataset *d, int id, struct arena *a)
{
    static const char *const own[ID_FIRST] = {
        [ID_PAD] = "<pad>", [ID_EOS] = "</s>", [ID_UNK] = "<unk>"};

    if (id >= 0 && id < ID_FIRST)
        return own[id];
    OWNED(free) char *text = text_clean(dataset_text(d, &id, 1, a), 1);
    return arena_text(a, *text ? text : "_");
}

/* Writes the token of each row of the attention matrix: of the source or, for
 * the decoder, of its input. */
static int put_tokens(struct cell_writer *w, const char *group,
                      const struct dataset *d, const struct example *e,
                      enum tape_place place, int rows)
{
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(free) char *path = str_format("%s/tokens", group);
    const char *text[SENTENCE_SIDE];

    for (int i = 0; i < rows; i++)
        text[i] = token(d, place == TAPE_ENCODER ? e->source[i]
                           : i ? e->target[i - 1] : d->start, a);
    return cell_put_strings(w, path, text, (size_t)rows);
}

static int put_map(struct cell_writer *w, const char *group, const char *name,
                   const struct sentence_map *m, int rows, int keys)
{
    OWNED(free) char *path = str_format("%s/%s", group, name);
    const struct cell_shape shape = {3, {(size_t)m->heads, (size_t)rows,
                                         (size_t)keys}};
    size_t n = shape.dim[0] * shape.dim[1] * shape.dim[2], at = 0;
    OWNED(free) double *x = malloc((n + 1) * sizeof *x);

    for (int h = 0; h < m->heads; h++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < keys; j++)
                x[at++] = (double)m->x[h][i][j];
    return cell_put_grid(w, path, "1", x, &shape);
}

static int put_scores(struct cell_writer *w, const char *group,
                      const struct sentence_map *start,
                      const struct sentence_map *end)
{
    if (!end->heads)
        return OK;
    PASS(cell_put_int(w, group, "scores_rows", end->rows));
    PASS(cell_put_int(w, group, "scores_keys", end->keys));
    PASS(put_map(w, group, "scores_start", start, start->rows, start->keys));
    return put_map(w, group, "scores_end", end, end->rows, end->keys);
}

/* Writes the values of one place (encoder or decoder) without padding: only
 * rows that are tokens and, if rows and keys are the same tokens, only keys
 * that are tokens. */
static int put_place(struct cell_writer *w, const struct dataset *d,
                     enum tape_place place, const struct sentence *start,
                     const struct sentence *end)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const struct example e = examples_row(&d->split[SPLIT_VALID], end->example,
                                          a);
    const struct sentence_map *m = &end->weight[place];
    OWNED(free) char *group = str_format("attention/sentence/%s.0",
                                         places[place]);
    int n = place == TAPE_ENCODER ? e.nsource : e.ntarget;
    int rows = least(m->rows, n);
    int keys = m->keys == m->rows ? rows : m->keys;

    PASS(cell_put_int(w, group, "heads", m->heads));
    PASS(cell_put_int(w, group, "rows", rows));
    PASS(cell_put_int(w, group, "keys", keys));
    PASS(put_tokens(w, group, d, &e, place, rows));
    PASS(put_map(w, group, "start", &start->weight[place], rows, keys));
    PASS(put_map(w, group, "end", m, rows, keys));
    return put_scores(w, group, &start->score[place], &end->score[place]);
}

int sentence_put(struct cell_writer *w, const struct dataset *d,
                 const struct sentence *start, const struct sentence *end)
{
    for (int p = 0; p < SENTENCE_PLACES; p++)
        if (end->weight[p].heads)
            PASS(put_place(w, d, (enum tape_place)p, start, end));
    return OK;
}
