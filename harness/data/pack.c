#include "harness/data/pack.h"

#include "harness/base/err.h"
#include "harness/data/tokenizer.h"

#include <stdio.h>
#include <string.h>

enum {
    HEAD_INTS = 4,
    ROW_INTS = 8,
    SPLIT_INTS = 3,
    END_INTS = 2 + SPLITS * SPLIT_INTS
};

/* ---- writing ---- */

static int put_ints(struct packing *p, const int *x, int n)
{
    return n ? preparing_add(p->to, x, (size_t)n * sizeof *x) : OK;
}

/* Up to a whole int. */
static size_t padding(size_t bytes) { return -bytes % sizeof(int); }

static int put_bytes(struct packing *p, const char *s, size_t bytes)
{
    static const char zero[sizeof(int)];

    if (bytes)
        PASS(preparing_add(p->to, s, bytes));
    if (padding(bytes))
        PASS(preparing_add(p->to, zero, padding(bytes)));
    return OK;
}

int pack_begin(struct packing *p, const struct dataset *d, const char *model,
               size_t model_bytes)
{
    int head[HEAD_INTS] = {d->kind, d->vocab, d->classes, (int)model_bytes};

    PASS(put_ints(p, head, HEAD_INTS));
    return put_bytes(p, model, model_bytes);
}

int pack_example(struct packing *p, enum split s, const struct example *e)
{
    size_t text_bytes = e->text ? strlen(e->text) + 1 : 0;
    int head[ROW_INTS] = {e->nsource, e->ntarget, e->label, e->words,
                          e->subtask, e->group, (int)text_bytes};

    REQUIRE(!e->prompt, "a prompt of %d ids cannot be stored", e->prompt);
    PASS(put_ints(p, head, ROW_INTS));
    PASS(put_ints(p, e->source, e->nsource));
    PASS(put_ints(p, e->target, e->ntarget));
    PASS(put_bytes(p, e->text, text_bytes));
    p->count[s].n++;
    return OK;
}

int pack_end(struct packing *p, const struct dataset *d)
{
    size_t source_bytes = strlen(d->source) + 1;
    int end[END_INTS] = {d->subset, (int)source_bytes}, *to = end + 2;

    for (int s = 0; s < SPLITS; s++) {
        *to++ = p->count[s].n;
        *to++ = p->count[s].dropped;
        *to++ = p->count[s].truncated;
    }
    PASS(put_bytes(p, d->source, source_bytes));
    return put_ints(p, end, END_INTS);
}

int packed_counts(int n[SPLITS], const char *cache, const char *key)
{
    int end[END_INTS];
    int rc = prepared_last(end, sizeof end, cache, key, "dataset");

    for (int s = 0; rc == 1 && s < SPLITS; s++) {
        n[s] = end[2 + s * SPLIT_INTS];
        if (n[s] < 0)
            return 0;
    }
    return rc;
}

/* ---- reading: the digest was right, so what does not fit is our fault ---- */

struct cursor { const int *at, *end; };

static const int *get_ints(struct cursor *c, int n)
{
    const int *x = c->at;

    REQUIRE(n >= 0 && n <= c->end - x, "%d numbers read, %td left", n,
            c->end - x);
    c->at += n;
    return n ? x : NULL;
}

static const char *get_bytes(struct cursor *c, int n)
{
    size_t bytes = (size_t)n + padding((size_t)n);

    REQUIRE(n >= 0, "%d bytes", n);
    return (const char *)get_ints(c, (int)(bytes / sizeof(int)));
}

static void get_split(struct examples *e, struct cursor *c, const int *counts,
                      struct arena *a)
{
    *e = (struct examples){
        .n = counts[0], .dropped = counts[1], .truncated = counts[2]};
    e->row = arena_take(a, (size_t)e->n * sizeof *e->row);
    for (int i = 0; i < e->n; i++) {
        const int *h = get_ints(c, ROW_INTS);
        struct example *r = &e->row[i];

        *r = (struct example){.nsource = h[0], .ntarget = h[1], .label = h[2],
                              .words = h[3], .subtask = h[4], .group = h[5]};
        r->source = get_ints(c, r->nsource);
        r->target = get_ints(c, r->ntarget);
        r->text = get_bytes(c, h[6]);
    }
}

int unpack_dataset(struct dataset *d)
{
    struct cursor c = {.at = (const int *)(const void *)d->file.data};

    c.end = c.at + d->file.bytes / sizeof(int) - END_INTS;
    const int *head = get_ints(&c, HEAD_INTS), *end = c.end;

    d->kind = (enum task_kind)head[0];
    d->vocab = head[1];
    d->classes = head[2];
    const char *model = get_bytes(&c, head[3]);
    if (model)
        PASS(tokenizer_load(&d->tokenizer, model, (size_t)head[3]));
    for (int s = 0; s < SPLITS; s++)
        get_split(&d->split[s], &c, end + 2 + (ptrdiff_t)s * SPLIT_INTS,
                  d->memory);
    snprintf(d->source, sizeof d->source, "%s", get_bytes(&c, end[1]));
    d->subset = end[0];
    return OK;
}
