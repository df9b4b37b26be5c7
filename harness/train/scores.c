#include "harness/train/scores.h"

#include "harness/base/err.h"

#include <string.h>

/* ---- one number per example ---- */

/* Completes `rows`, an array of `n` values of `size` bytes, with the values
 * that other ranks have.  mask[rank * n + i] is 1 if the rank has value `i`.
 * Does nothing if `rows` is NULL. */
static void share_rows(const struct zero1 *s, const char *mask, size_t n,
                       void *rows, size_t size)
{
    OWNED(free) char *all = calloc((size_t)s->n * n + 1, size);
    char *own = all + (size_t)s->me * n * size;

    if (!rows)
        return;
    memcpy(own, rows, n * size);
    ranks_gather(s->ranks, all, n * size);
    for (size_t i = 0; i < (size_t)s->n * n; i++)
        if (mask[i])
            memcpy((char *)rows + i % n * size, all + i * size, size);
}

static int any_stopped(const struct zero1 *s, int stopped)
{
    int other = 0;

    ranks_wish(s->ranks, &stopped, &other);
    return stopped;
}

int scores_share(struct scores *x, const struct zero1 *s, const char *mine,
                 int stopped)
{
    size_t n = (size_t)x->n;

    stopped = any_stopped(s, stopped);
    if (s->n == 1 || stopped)
        return stopped;
    OWNED(free) char *mask = calloc((size_t)s->n, n + 1);
    memcpy(mask + (size_t)s->me * n, mine, n);
    ranks_gather(s->ranks, mask, n);
    share_rows(s, mask, n, x->nll, sizeof *x->nll);
    share_rows(s, mask, n, x->hits, sizeof *x->hits);
    share_rows(s, mask, n, x->tokens, sizeof *x->tokens);
    share_rows(s, mask, n, x->guess, sizeof *x->guess);
    return 0;
}

/* ---- texts, packed in this order: for each example its index, then for each
 * of its hypotheses the score and the text with its closing NUL ---- */

static size_t put(char *to, const void *from, size_t bytes)
{
    if (to)
        memcpy(to, from, bytes);
    return bytes;
}

/* Packs this rank's texts into `to`, unless `to` is NULL.  Returns the size of
 * the packed texts in bytes. */
static size_t pack(char *to, const struct scores *x, const char *mine)
{
    size_t at = 0;

    for (int e = 0; e < x->n; e++) {
        if (!mine[e])
            continue;
        at += put(to ? to + at : NULL, &e, sizeof e);
        for (int i = 0; i < x->nbest; i++) {
            const char *text = x->best[e * x->nbest + i];

            at += put(to ? to + at : NULL, &x->score[e * x->nbest + i],
                      sizeof *x->score);
            at += put(to ? to + at : NULL, text, strlen(text) + 1);
        }
    }
    return at;
}

static void unpack(struct scores *x, const char *from, size_t bytes)
{
    for (const char *p = from, *end = from + bytes; p < end;) {
        int e;

        memcpy(&e, p, sizeof e);
        p += sizeof e;
        REQUIRE(e >= 0 && e < x->n, "example %d of %d", e, x->n);
        for (int i = 0; i < x->nbest; i++) {
            memcpy(&x->score[e * x->nbest + i], p, sizeof *x->score);
            p += sizeof *x->score;
            x->best[e * x->nbest + i] = p;
            p += strlen(p) + 1;
        }
        x->text[e] = x->best[e * x->nbest];
    }
}

int scores_share_texts(struct scores *x, const struct zero1 *s,
                       const char *mine, int stopped, struct arena *a)
{
    stopped = any_stopped(s, stopped);
    if (s->n == 1 || stopped)
        return stopped;
    OWNED(free) size_t *bytes = calloc((size_t)s->n, sizeof *bytes);
    OWNED(free) void **block = calloc((size_t)s->n, sizeof *block);

    bytes[s->me] = pack(NULL, x, mine);
    ranks_gather(s->ranks, bytes, sizeof *bytes);
    for (int r = 0; r < s->n; r++)
        block[r] = arena_take(a, bytes[r] + 1);
    pack(block[s->me], x, mine);
    ranks_share(s->ranks, block, bytes);
    for (int r = 0; r < s->n; r++)
        if (r != s->me)
            unpack(x, block[r], bytes[r]);
    return 0;
}
