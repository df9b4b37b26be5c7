/*
 * Greedy search: while a shift reduces the edit distance, the best shift is
 * applied; edits = shifts + the remaining distance.
 *
 * The distance is Levenshtein's, within a beam of columns around the diagonal.
 * A block of at most MOST_LENGTH hypothesis words may be shifted if the same
 * words are in the reference, at most MOST_DISTANCE words away.  Both the block
 * and these reference words must contain an error, and the first of these words
 * must not be aligned with a word of the block.  The targets are the positions
 * after the hypothesis words that are aligned with these reference words or
 * with the word before them.  The best shift has the largest gain (reduction of
 * the distance), then the largest length, then the smallest start, then the
 * smallest target.  After MOST_CANDIDATES trials the search ends without
 * applying the shift that it has just found.
 */
#include "harness/metrics/bleu/ter.h"

#include "harness/base/arena.h"

#include <math.h>
#include <string.h>

enum {
    MOST_LENGTH = 10,
    MOST_DISTANCE = 50,
    MOST_CANDIDATES = 1000,
    BEAM = 25,
    INFINITE = 1 << 30
};

enum edit { MATCH, SUBSTITUTE, DELETE, INSERT }; /* from hypothesis to
                                                    reference */

struct search {
    const int *ref;
    size_t     n_hyp, n_ref;
    int       *hyp, *trial;    /* after the shifts so far; a candidate   */
    int       *cost, *scratch; /* (n_hyp+1,n_ref+1) distances of hyp and
                                  of trial                               */
    char      *edit;           /* last edit of each path in `cost`       */
    int       *align;          /* [n_ref] the hypothesis word at or before
                                  each reference word, or -1             */
    char      *hyp_err, *ref_err;
    long       candidates;
};

struct shift { long gain; size_t length, start, target; };

/* Computes row i of the distances from the row `above`, and, unless `edit` is
 * NULL, the last edit of each distance. */
static void fill_row(const struct search *s, size_t i, int word,
                     const int *above, int *row, char *edit)
{
    double ratio = (double)s->n_ref / (double)s->n_hyp;
    long beam = BEAM < ratio / 2 ? (long)ceil(ratio / 2 + BEAM) : BEAM;
    long diagonal = (long)floor((double)i * ratio);
    long columns = (long)s->n_ref + 1;
    long from = diagonal > beam ? diagonal - beam : 0;
    long to = diagonal + beam < columns ? diagonal + beam : columns;

    if (i == s->n_hyp)
        to = columns;
    for (long j = 0; j < columns; j++)
        row[j] = INFINITE;
    for (long j = from; j < to; j++) {
        int best = j ? INFINITE : above[0] + 1;
        enum edit how = DELETE;

        if (j) {
            int same = word == s->ref[j - 1], diag = above[j - 1] + !same;

            if (diag < best) {
                best = diag;
                how = same ? MATCH : SUBSTITUTE;
            }
            if (above[j] + 1 < best) {
                best = above[j] + 1;
                how = DELETE;
            }
            if (row[j - 1] + 1 < best) {
                best = row[j - 1] + 1;
                how = INSERT;
            }
        }
        row[j] = best;
        if (edit)
            edit[j] = (char)how;
    }
}

static int distance(const struct search *s)
{
    size_t width = s->n_ref + 1;

    for (size_t j = 0; j < width; j++) {
        s->cost[j] = (int)j;
        s->edit[j] = INSERT;
    }
    for (size_t i = 1; i <= s->n_hyp; i++)
        fill_row(s, i, s->hyp[i - 1], s->cost + (i - 1) * width,
                 s->cost + i * width, s->edit + i * width);
    return s->cost[s->n_hyp * width + s->n_ref];
}

/* Returns the distance of s->trial, whose first `same` words are those of
 * s->hyp. */
static int trial_distance(const struct search *s, size_t same)
{
    size_t width = s->n_ref + 1;

    for (size_t i = same + 1; i <= s->n_hyp; i++)
        fill_row(s, i, s->trial[i - 1],
                 (i == same + 1 ? s->cost : s->scratch) + (i - 1) * width,
                 s->scratch + i * width, NULL);
    return (same < s->n_hyp ? s->scratch : s->cost)[s->n_hyp * width +
                                                    s->n_ref];
}

/* Follows the edits back from the end.  Sets hyp_err and ref_err to 1 for words
 * without a match and to 0 for the others, and sets align. */
static void trace(const struct search *s)
{
    size_t i = s->n_hyp, j = s->n_ref, width = s->n_ref + 1;

    while (i || j) {
        enum edit how = (enum edit)s->edit[i * width + j];

        if (how != DELETE) {
            s->align[j - 1] = (int)i - 1;
            s->ref_err[j - 1] = how != MATCH;
        }
        if (how != INSERT)
            s->hyp_err[i - 1] = how != MATCH;
        i -= how != INSERT;
        j -= how != DELETE;
    }
}

static void copy(int **to, const int *from, size_t n)
{
    memcpy(*to, from, n * sizeof *from);
    *to += n;
}

/* Sets s->trial to s->hyp, with the block of the shift moved to before word
 * m->target. */
static void move(const struct search *s, const struct shift *m)
{
    const int *h = s->hyp;
    size_t end = m->start + m->length, n = s->n_hyp, t = m->target;
    int *to = s->trial;

    if (t < m->start) {
        copy(&to, h, t);
        copy(&to, h + m->start, m->length);
        copy(&to, h + t, m->start - t);
        copy(&to, h + end, n - end);
        return;
    }
    if (t <= end) /* a target in the block counts from the block's end */
        t = m->length + t < n ? m->length + t : n;
    copy(&to, h, m->start);
    copy(&to, h + end, t - end);
    copy(&to, h + m->start, m->length);
    copy(&to, h + t, n - t);
}

static int is_better(const struct shift *a, const struct shift *b)
{
    if (a->gain != b->gain)
        return a->gain > b->gain;
    if (a->length != b->length)
        return a->length > b->length;
    if (a->start != b->start)
        return a->start < b->start;
    return a->target < b->target;
}

/* Tries each target of `block`, which matches the reference at word r.  `now`
 * is the distance before the shift; *best and *found are updated. */
static void try_block(struct search *s, struct shift block, size_t r, int now,
                      struct shift *best, int *found)
{
    long last = -1;

    if (!memchr(s->hyp_err + block.start, 1, block.length) ||
        !memchr(s->ref_err + r, 1, block.length))
        return;
    if (s->align[r] >= (long)block.start &&
        s->align[r] < (long)(block.start + block.length))
        return;
    for (long k = -1; k < (long)block.length; k++) {
        long at = (long)r + k, target = at < 0 ? 0 : s->align[at] + 1;

        if (target == last)
            continue;
        last = target;
        block.target = (size_t)target;
        move(s, &block);
        size_t same = block.target < block.start ? block.target : block.start;
        block.gain = now - trial_distance(s, same);
        s->candidates++;
        if (!*found || is_better(&block, best))
            *best = block;
        *found = 1;
    }
}

/* Returns the best shift; its gain is not positive if no shift helps. */
static struct shift find_shift(struct search *s, int now)
{
    struct shift best = {.gain = 0};
    int found = 0;

    for (size_t h = 0; h < s->n_hyp; h++)
        for (size_t r = 0; r < s->n_ref; r++) {
            struct shift block = {.start = h};

            if ((h > r ? h - r : r - h) > MOST_DISTANCE)
                continue;
            while (block.length < MOST_LENGTH && h + block.length < s->n_hyp &&
                   r + block.length < s->n_ref &&
                   s->hyp[h + block.length] == s->ref[r + block.length]) {
                block.length++;
                try_block(s, block, r, now, &best, &found);
                if (s->candidates >= MOST_CANDIDATES)
                    return best;
            }
        }
    return best;
}

static long search(struct search *s)
{
    long shifts = 0;

    for (;;) {
        int now = distance(s);

        trace(s);
        struct shift best = find_shift(s, now);
        if (s->candidates >= MOST_CANDIDATES || best.gain <= 0)
            return shifts + now;
        move(s, &best);
        memcpy(s->hyp, s->trial, s->n_hyp * sizeof *s->hyp);
        shifts++;
    }
}

long ter_edits(const int *hyp, size_t n_hyp, const int *ref, size_t n_ref)
{
    size_t cells = (n_hyp + 1) * (n_ref + 1);
    OWNED(arena_free) struct arena *a = arena_new();
    struct search s = {
        .ref = ref, .n_hyp = n_hyp, .n_ref = n_ref,
        .hyp = arena_zero(a, (n_hyp + 1) * sizeof(int)),
        .trial = arena_zero(a, (n_hyp + 1) * sizeof(int)),
        .cost = arena_zero(a, cells * sizeof(int)),
        .scratch = arena_zero(a, cells * sizeof(int)),
        .edit = arena_zero(a, cells),
        .align = arena_zero(a, (n_ref + 1) * sizeof(int)),
        .hyp_err = arena_zero(a, n_hyp + 1),
        .ref_err = arena_zero(a, n_ref + 1)};

    if (!n_ref || !n_hyp)
        return (long)(n_ref + n_hyp);
    memcpy(s.hyp, hyp, n_hyp * sizeof *hyp);
    return search(&s);
}
