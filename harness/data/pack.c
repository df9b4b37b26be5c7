#include "harness/data/pack.h"

#include "harness/base/err.h"
#include "harness/data/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_INTS = 4, SPLIT_INTS = 3, ROW_INTS = 7 };

static void put_ints(FILE *f, const int *x, int n)
{
    if (n)
        fwrite(x, sizeof *x, (size_t)n, f);
}

static void put_text(FILE *f, const char *s) { fwrite(s, 1, strlen(s) + 1, f); }

static void put_split(FILE *numbers, FILE *texts, const struct examples *e)
{
    put_ints(numbers, (int[]){e->n, e->dropped, e->truncated}, SPLIT_INTS);
    for (int i = 0; i < e->n; i++) {
        const struct example *r = &e->row[i];
        int head[ROW_INTS] = {r->nsource, r->ntarget, r->label, r->words,
                              r->text != NULL, r->subtask, r->group};

        put_ints(numbers, head, ROW_INTS);
        put_ints(numbers, r->source, r->nsource);
        put_ints(numbers, r->target, r->ntarget);
        if (r->text)
            put_text(texts, r->text);
    }
}

void pack_dataset(char **data, size_t *bytes, const struct dataset *d,
                  const char *model, size_t model_bytes)
{
    char *part[2] = {NULL, NULL};
    size_t size[2];
    FILE *numbers = open_memstream(&part[0], &size[0]);
    FILE *texts = open_memstream(&part[1], &size[1]);
    int head[HEAD_INTS] = {d->kind, d->vocab, d->classes, (int)model_bytes};

    REQUIRE(numbers && texts, "out of memory");
    put_ints(numbers, head, HEAD_INTS);
    put_text(texts, d->source);
    fwrite(model, 1, model_bytes, texts);
    for (int s = 0; s < SPLITS; s++)
        put_split(numbers, texts, &d->split[s]);
    int bad = ferror(numbers) | ferror(texts);
    bad |= fclose(numbers) | fclose(texts);
    REQUIRE(!bad, "out of memory");
    uint64_t count = size[0] / sizeof(int);
    *bytes = sizeof count + size[0] + size[1];
    *data = malloc(*bytes);
    REQUIRE(*data, "out of memory: %zu bytes", *bytes);
    memcpy(*data, &count, sizeof count);
    memcpy(*data + sizeof count, part[0], size[0]);
    memcpy(*data + sizeof count + size[0], part[1], size[1]);
    free(part[0]);
    free(part[1]);
}

/* The payload's digest was right, so what does not fit here is our fault. */
struct cursor {
    const int *number, *numbers_end;
    const char *text, *texts_end;
};

static const int *get_ints(struct cursor *c, int n)
{
    const int *x = c->number;

    REQUIRE(n >= 0 && n <= c->numbers_end - x, "%d numbers of %td", n,
            c->numbers_end - x);
    c->number += n;
    return n ? x : NULL;
}

static const char *get_bytes(struct cursor *c, size_t n)
{
    const char *s = c->text;

    REQUIRE(n <= (size_t)(c->texts_end - s), "%zu bytes of %td", n,
            c->texts_end - s);
    c->text += n;
    return s;
}

static const char *get_text(struct cursor *c)
{
    size_t left = (size_t)(c->texts_end - c->text);

    return get_bytes(c, strnlen(c->text, left) + 1);
}

static void get_split(struct examples *e, struct cursor *c, struct arena *a)
{
    const int *head = get_ints(c, SPLIT_INTS);

    *e = (struct examples){
        .n = head[0], .dropped = head[1], .truncated = head[2]};
    e->row = arena_take(a, (size_t)e->n * sizeof *e->row);
    for (int i = 0; i < e->n; i++) {
        const int *h = get_ints(c, ROW_INTS);
        struct example *r = &e->row[i];

        *r = (struct example){
            .nsource = h[0], .ntarget = h[1], .label = h[2], .words = h[3],
            .subtask = h[5], .group = h[6]};
        r->source = get_ints(c, r->nsource);
        r->target = get_ints(c, r->ntarget);
        r->text = h[4] ? get_text(c) : NULL;
    }
}

int unpack_dataset(struct dataset *out, const char *data, size_t bytes)
{
    struct cursor c;
    uint64_t count;
    int rc = OK;

    REQUIRE(bytes >= sizeof count, "%zu bytes", bytes);
    memcpy(&count, data, sizeof count);
    REQUIRE(count <= (bytes - sizeof count) / sizeof(int),
            "%zu numbers in %zu bytes", (size_t)count, bytes);
    c.number = (const int *)(const void *)(data + sizeof count);
    c.numbers_end = c.number + count;
    c.text = (const char *)c.numbers_end;
    c.texts_end = data + bytes;
    const int *head = get_ints(&c, HEAD_INTS);
    out->kind = (enum task_kind)head[0];
    out->vocab = head[1];
    out->classes = head[2];
    snprintf(out->source, sizeof out->source, "%s", get_text(&c));
    size_t model_bytes = (size_t)head[3];
    const char *model = get_bytes(&c, model_bytes);
    if (model_bytes)
        TRY(tokenizer_load(&out->tokenizer, model, model_bytes));
    for (int s = 0; s < SPLITS; s++)
        get_split(&out->split[s], &c, out->memory);
out:
    return rc;
}
