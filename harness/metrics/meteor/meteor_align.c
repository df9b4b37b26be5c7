/*
 * Matches whose words have no other match are fixed.  For the others, a beam of
 * 40 paths passes over the reference from left to right.  At each word, a path
 * has one branch for each match of the word with an unused hypothesis word, in
 * the order of the matches, then one branch without a match.  The best path has
 * the most matches, then the fewest chunks, then the smallest distance (the sum
 * of |reference position - hypothesis position|); if all are equal, it is the
 * path that was created first.
 *
 * Two peculiarities of the Java program are part of the score.  Its number of
 * matches is an integer to which 1/2 is added for a match that is not exact, so
 * such matches do not count.  The distance of a match is added to the path
 * after the branch with this match is made, so it counts in the later branches
 * of the path, but not in this branch.
 */
#include "harness/metrics/meteor/meteor.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"

#include <stdlib.h>
#include <string.h>

enum { BEAM = 40 };

struct path {
    int matches, chunks, distance;
    int end;    /* end of the open chunk in the hypothesis, or -1 */
    int parent; /* index in the previous beam                     */
    int taken;  /* index of a candidate, or -1                    */
    int order;
};

/* A path in the beam, with its used words and its matches. */
struct state { struct path path; char *used; struct meteor_match *match; };

struct search {
    const struct meteor_candidates *c;
    struct state bank[2][BEAM], *beam, *next;
    int width;
    struct path *path; /* branches of the whole beam at one word */
    int paths;
    size_t cap;
};

static int better(const void *a, const void *b)
{
    const struct path *x = a, *y = b;

    if (x->matches != y->matches)
        return y->matches - x->matches;
    if (x->chunks != y->chunks)
        return x->chunks - y->chunks;
    if (x->distance != y->distance)
        return x->distance - y->distance;
    return x->order - y->order;
}

static void add_path(struct search *s, struct path p)
{
    ARRAY_ROOM(s->path, s->paths, s->cap);
    p.order = s->paths;
    s->path[s->paths++] = p;
}

/* Returns `p` after it has taken the match `m`, with its distance unchanged. */
static struct path extend_path(const struct search *s, struct path p,
                               struct meteor_match m)
{
    p.matches += s->c->matches_of_stage[m.stage];
    p.chunks += p.end >= 0 && p.end != m.hyp;
    p.end = m.hyp + 1;
    return p;
}

static void branch(struct search *s, int rank, int j)
{
    const struct meteor_candidates *c = s->c;
    const struct state *from = &s->beam[rank];
    struct path p = from->path;

    p.parent = rank;
    p.taken = -1;
    if (from->match[j].hyp >= 0) { /* the match is fixed */
        p = extend_path(s, p, from->match[j]);
        p.distance += abs(j - from->match[j].hyp);
        add_path(s, p);
        return;
    }
    for (int k = c->first[j]; k < c->first[j + 1]; k++) {
        if (from->used[c->match[k].hyp])
            continue;
        struct path q = extend_path(s, p, c->match[k]);
        q.taken = k;
        add_path(s, q);
        p.distance += abs(j - c->match[k].hyp);
    }
    p.chunks += p.end >= 0;
    p.end = -1;
    add_path(s, p);
}

/* Makes the best branches at reference word j the next beam. */
static void select_beam(struct search *s, int j)
{
    const struct meteor_candidates *c = s->c;
    struct state *old = s->beam;

    qsort(s->path, (size_t)s->paths, sizeof *s->path, better);
    s->width = s->paths < BEAM ? s->paths : BEAM;
    for (int r = 0; r < s->width; r++) {
        const struct path *p = &s->path[r];
        const struct state *from = &s->beam[p->parent];
        struct state *to = &s->next[r];

        to->path = *p;
        memcpy(to->used, from->used, (size_t)c->hyp_words);
        memcpy(to->match, from->match,
               (size_t)c->ref_words * sizeof *to->match);
        if (p->taken >= 0) {
            to->match[j] = c->match[p->taken];
            to->used[to->match[j].hyp] = 1;
        }
    }
    s->beam = s->next;
    s->next = old;
}

static void fix_lonely(struct state *start, const struct meteor_candidates *c,
                       struct arena *scratch)
{
    int *uses = arena_zero(scratch, ((size_t)c->hyp_words + 1) * sizeof *uses);

    for (int k = 0; k < c->first[c->ref_words]; k++)
        uses[c->match[k].hyp]++;
    for (int j = 0; j < c->ref_words; j++) {
        const struct meteor_match *m = &c->match[c->first[j]];

        start->match[j] = (struct meteor_match){-1, -1};
        if (c->first[j + 1] - c->first[j] == 1 && uses[m->hyp] == 1) {
            start->match[j] = *m;
            start->used[m->hyp] = 1;
        }
    }
}

static struct search *search_new(const struct meteor_candidates *c,
                                 struct arena *scratch)
{
    struct search *s = arena_zero(scratch, sizeof *s);

    s->c = c;
    s->beam = s->bank[0];
    s->next = s->bank[1];
    for (int i = 0; i < 2 * BEAM; i++) {
        struct state *at = &s->bank[i / BEAM][i % BEAM];

        at->used = arena_zero(scratch, (size_t)c->hyp_words + 1);
        at->match = arena_take(scratch, ((size_t)c->ref_words + 1) *
                                            sizeof *at->match);
    }
    fix_lonely(s->beam, c, scratch);
    s->beam->path.end = -1;
    s->width = 1;
    return s;
}

/* Closes the last chunk of every path and returns the best path. */
static const struct state *finish(struct search *s)
{
    struct state *best = s->beam;

    for (int r = 0; r < s->width; r++) {
        struct state *at = &s->beam[r];

        at->path.chunks += at->path.end >= 0;
        at->path.order = r;
        if (better(&at->path, &best->path) < 0)
            best = at;
    }
    return best;
}

void meteor_align(struct meteor_match *best, const struct meteor_candidates *c,
                  struct arena *scratch)
{
    struct search *s = search_new(c, scratch);

    for (int j = 0; j < c->ref_words; j++) {
        s->paths = 0;
        for (int r = 0; r < s->width; r++)
            branch(s, r, j);
        select_beam(s, j);
    }
    memcpy(best, finish(s)->match, (size_t)c->ref_words * sizeof *best);
    free(s->path);
}

int meteor_chunks(const struct meteor_match *match, int ref_words)
{
    int chunks = 0, end = -1;

    for (int j = 0; j < ref_words; j++) {
        int hyp = match[j].hyp;

        chunks += hyp >= 0 && hyp != end;
        end = hyp >= 0 ? hyp + 1 : -1;
    }
    return chunks;
}
