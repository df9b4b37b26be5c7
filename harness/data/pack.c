#include "harness/data/pack.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/data/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD_INTS = 6,
    ROW_INTS = 8,
    SPLIT_INTS = 4,
    END_INTS = 2 + SPLITS * SPLIT_INTS + 2,
    FORMAT = 0x70616b33, /* the last int; earlier formats used small numbers */
    IDS_OF_16_BITS = 1 << 16
};

/* Returns the number of bytes from `bytes` to the next multiple of `unit`. */
static size_t padding(size_t bytes, size_t unit) { return -bytes % unit; }

static size_t ints_of(size_t bytes)
{
    return (bytes + padding(bytes, sizeof(int))) / sizeof(int);
}

static int id_bytes_of(int vocab)
{
    return vocab <= IDS_OF_16_BITS ? sizeof(uint16_t) : sizeof(int);
}

/* ---- writing ---- */

static int put(struct packing *p, const void *data, size_t bytes)
{
    p->at += (long long)bytes;
    return bytes ? preparing_add(p->to, data, bytes) : OK;
}

static int put_padding(struct packing *p, size_t unit)
{
    static const char zero[8];

    return put(p, zero, padding((size_t)p->at, unit));
}

int pack_begin(struct packing *p, const struct dataset *d, const char *model,
               size_t model_bytes)
{
    int head[HEAD_INTS] = {d->kind, d->vocab, d->classes,
                           id_bytes_of(d->vocab), (int)model_bytes};

    PASS(put(p, head, sizeof head));
    PASS(put(p, model, model_bytes));
    return put_padding(p, sizeof(int));
}

static size_t body_ints(const struct example *e, size_t id_bytes)
{
    return ints_of((size_t)(e->nsource + e->ntarget) * id_bytes) +
           ints_of(e->text ? strlen(e->text) + 1 : 0);
}

static char *put_ids(char *to, const int *id, int n, size_t id_bytes)
{
    uint16_t *narrow = (uint16_t *)(void *)to;

    if (id_bytes == sizeof *id && n)
        memcpy(to, id, (size_t)n * sizeof *id);
    else
        for (int i = 0; i < n; i++)
            narrow[i] = (uint16_t)id[i];
    return to + (size_t)n * id_bytes;
}

const void *pack_rows(size_t *bytes, const struct example *row, int n,
                      int vocab, struct arena *a)
{
    size_t id_bytes = (size_t)id_bytes_of(vocab), at = (size_t)n * ROW_INTS;
    size_t ints = at;

    for (int i = 0; i < n; i++)
        ints += body_ints(&row[i], id_bytes);
    *bytes = ints * sizeof(int);
    int *block = arena_zero(a, *bytes), *head = block;
    for (int i = 0; i < n; i++, head += ROW_INTS) {
        const struct example *e = &row[i];
        int text = e->text ? (int)strlen(e->text) + 1 : 0;
        const int of_row[ROW_INTS] = {e->nsource, e->ntarget, e->label,
                                      e->words, e->subtask, e->group, text,
                                      (int)at};
        char *to = (char *)(block + at);

        REQUIRE(!e->prompt, "a prompt of %d ids cannot be stored", e->prompt);
        memcpy(head, of_row, sizeof of_row);
        to = put_ids(to, e->source, e->nsource, id_bytes);
        put_ids(to, e->target, e->ntarget, id_bytes);
        at += body_ints(e, id_bytes);
        if (text)
            memcpy(block + at - ints_of((size_t)text), e->text, (size_t)text);
    }
    return block;
}

int pack_add(struct packing *p, enum split s, const void *rows, size_t bytes,
             int n)
{
    if (!n)
        return OK;
    ARRAY_ROOM(p->block, p->all, p->cap);
    p->block[p->all++] = (struct pack_block){p->at, p->count[s].n, n};
    p->blocks[s]++;
    p->count[s].n += n;
    return put(p, rows, bytes);
}

int pack_end(struct packing *p, const struct dataset *d)
{
    size_t source_bytes = strlen(d->source) + 1;
    int end[END_INTS] = {d->subset, (int)source_bytes}, *to = end + 2;

    for (int s = 0; s < SPLITS; s++) {
        *to++ = p->blocks[s];
        *to++ = p->count[s].n;
        *to++ = p->count[s].dropped;
        *to++ = p->count[s].truncated;
    }
    PASS(put_padding(p, sizeof(long long)));
    PASS(put(p, d->source, source_bytes));
    PASS(put_padding(p, sizeof(long long)));
    PASS(put(p, p->block, (size_t)p->all * sizeof *p->block));
    end[END_INTS - 1] = FORMAT;
    return put(p, end, sizeof end);
}

void pack_drop(struct packing *p)
{
    preparing_drop(p->to);
    free(p->block);
    *p = (struct packing){.to = NULL};
}

int packed_counts(int n[SPLITS], const char *cache, const char *key)
{
    int end[END_INTS];
    int rc = prepared_last(end, sizeof end, cache, key, "dataset");

    if (rc == 1 && end[END_INTS - 1] != FORMAT)
        return 0;
    for (int s = 0; rc == 1 && s < SPLITS; s++) {
        n[s] = end[2 + s * SPLIT_INTS + 1];
        if (n[s] < 0)
            return 0;
    }
    return rc;
}

/* ---- reading: the digest matched, so bad data is a programming error ---- */

static const int *end_of(const struct prepared *p)
{
    return (const int *)(const void *)(p->data + p->bytes) - END_INTS;
}

int pack_is_current(const struct prepared *p)
{
    return p->bytes >= (HEAD_INTS + END_INTS) * sizeof(int) &&
           end_of(p)[END_INTS - 1] == FORMAT;
}

int unpack_dataset(struct dataset *d)
{
    const char *base = d->file.data;
    const int *head = (const int *)(const void *)base, *end = end_of(&d->file);
    const struct pack_block *block = (const void *)end;

    for (int s = 0; s < SPLITS; s++)
        block -= end[2 + s * SPLIT_INTS];
    const char *source = (const char *)block - end[1];
    source -= padding((size_t)end[1], sizeof(long long));
    REQUIRE((const char *)block > base && source >= base + sizeof *head,
            "%zu bytes are too few", d->file.bytes);
    d->kind = (enum task_kind)head[0];
    d->vocab = head[1];
    d->classes = head[2];
    PASS(tokenizer_load(&d->tokenizer, (const char *)(head + HEAD_INTS),
                        (size_t)head[4]));
    for (int s = 0; s < SPLITS; s++) {
        const int *of = end + 2 + (ptrdiff_t)s * SPLIT_INTS;

        d->split[s] = (struct examples){
            .n = of[1], .dropped = of[2], .truncated = of[3],
            .packed = {base, block, of[0], head[3]}};
        block += of[0];
    }
    snprintf(d->source, sizeof d->source, "%s", source);
    d->subset = end[0];
    return OK;
}

static const struct pack_block *block_of(const struct packed *p, int i)
{
    const struct pack_block *low = p->block, *high = low + p->blocks;

    while (high - low > 1) {
        const struct pack_block *middle = low + (high - low) / 2;

        if (middle->first <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const int *ids_of(const char *from, int n, int id_bytes,
                         struct arena *a)
{
    const uint16_t *narrow = (const uint16_t *)(const void *)from;

    if (!n || !a)
        return NULL;
    if (id_bytes == sizeof(int))
        return (const int *)(const void *)from;
    int *id = arena_take(a, (size_t)n * sizeof *id);
    for (int i = 0; i < n; i++)
        id[i] = narrow[i];
    return id;
}

struct example examples_row(const struct examples *e, int i, struct arena *a)
{
    const struct packed *p = &e->packed;

    REQUIRE(i >= 0 && i < e->n, "row %d of %d", i, e->n);
    if (e->row)
        return e->row[i];
    const struct pack_block *b = block_of(p, i);
    const int *block = (const int *)(const void *)(p->base + b->at);
    const int *h = block + (ptrdiff_t)(i - b->first) * ROW_INTS;
    const char *ids = (const char *)(block + h[7]);
    size_t all = (size_t)(h[0] + h[1]) * (size_t)p->id_bytes;

    return (struct example){
        .source = ids_of(ids, h[0], p->id_bytes, a),
        .target = ids_of(ids + (size_t)h[0] * (size_t)p->id_bytes, h[1],
                         p->id_bytes, a),
        .nsource = h[0], .ntarget = h[1], .label = h[2], .words = h[3],
        .subtask = h[4], .group = h[5],
        .text = h[6] ? (const char *)(block + h[7] + ints_of(all)) : NULL};
}
