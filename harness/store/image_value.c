/* Reads the values of datasets and attributes: numbers, also from chunks, and
 * texts from the global heap. */
#include "harness/base/err.h"
#include "harness/store/image_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistr.h>
#include <zlib.h>

/* ---- chunks ---- */

static int inflate_all(unsigned char *out, size_t n, const unsigned char *in,
                       size_t bytes)
{
    uLongf got = n;

    return uncompress(out, &got, in, bytes) == Z_OK && got == n;
}

/* Reverses the shuffle filter, which stores the first bytes of all values, then
 * their second bytes, and so on. */
static void unshuffle(unsigned char *out, const unsigned char *in, size_t size,
                      size_t n)
{
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < n; i++)
            out[i * size + k] = in[k * n + i];
}

static int read_part(struct image *f, const struct image_value *v,
                     const struct image_chunk *k, unsigned char *out,
                     unsigned char *room)
{
    size_t size = type_size(v->type), all = v->chunk * size;
    const unsigned char *in = f->bytes + k->at;
    uint64_t n = v->n - k->first < v->chunk ? v->n - k->first : v->chunk;

    if (k->deflated && !inflate_all(room, all, in, k->bytes))
        return image_fail(f, k->at, "a chunk cannot be decompressed");
    if (!k->deflated)
        memcpy(room, in, all);
    if (k->shuffled)
        unshuffle(room + all, room, size, v->chunk);
    memcpy(out + k->first * size, room + (k->shuffled ? all : 0), n * size);
    return 0;
}

/* Copies the v->n values, as they are in the file, to `out`. */
static int read_all(struct image *f, const struct image_value *v, void *out)
{
    size_t size = type_size(v->type);
    int bad = 0;

    if (!v->chunk) {
        if (v->n)
            memcpy(out, f->bytes + v->at, v->n * size);
        return 0;
    }
    OWNED(free) unsigned char *room = malloc(2 * v->chunk * size);
    for (int i = 0; i < v->chunks && !bad; i++)
        bad = read_part(f, v, &v->part[i], out, room);
    return bad;
}

/* Numbers in the file are little-endian, like the numbers of this machine, so
 * they are copied unchanged. */
int image_numbers(struct image *f, const struct image_value *v, void *out)
{
    REQUIRE(v->type != IMAGE_TEXT, "texts are not numbers");
    return read_all(f, v, out);
}

int image_reals(struct image *f, const struct image_value *v, double *out)
{
    size_t size = type_size(v->type);
    OWNED(free) unsigned char *raw = malloc(v->n * size + 1);
    int bad = image_numbers(f, v, raw);

    for (uint64_t i = 0; i < v->n && !bad; i++) {
        const unsigned char *p = raw + i * size;
        float single;
        int32_t small;
        int64_t large;

        switch (v->type) {
        case IMAGE_FLOAT: memcpy(&single, p, 4); out[i] = (double)single; break;
        case IMAGE_INT: memcpy(&small, p, 4); out[i] = small; break;
        case IMAGE_LONG: memcpy(&large, p, 8); out[i] = (double)large; break;
        default: memcpy(&out[i], p, 8);
        }
    }
    return bad;
}

/* ---- texts, which are in collections of the global heap (III.E) ---- */

enum { COLLECTION = 4096 }; /* bytes of the smallest collection */

struct collection {
    uint64_t at;
    size_t   n;
    /* The texts, sorted by index. */
    struct text_at { unsigned index; uint64_t at, bytes; } *text;
};

static int by_index(const void *a, const void *b)
{
    const struct text_at *x = a, *y = b;

    return (x->index > y->index) - (x->index < y->index);
}

/* Lists the objects of a claimed collection and returns their number.  `c`
 * starts after the header of the collection.  If `out` is NULL, only counts the
 * objects. */
static size_t list_texts(struct cursor c, struct text_at *out)
{
    size_t n = 0;

    while (cursor_left(&c) >= 16) {
        unsigned index = (unsigned)cursor_take(&c, 2);

        cursor_skip(&c, 6);
        uint64_t bytes = cursor_take(&c, 8);
        if (index == 0) /* free space, up to the end */
            break;
        if (out)
            out[n] = (struct text_at){index, c.at, bytes};
        n++;
        if (bytes > cursor_left(&c))
            image_fail(c.f, c.at, "a text is truncated");
        cursor_skip(&c, (bytes + 7) / 8 * 8);
    }
    return n;
}

static void open_collection(struct image *f, uint64_t at,
                            struct collection **out)
{
    struct cursor c = image_look(f, at, 16);
    struct collection *h = arena_zero(f->memory, sizeof *h);

    cursor_expect(&c, "GCOL");
    cursor_want(&c, 4, 1, "unsupported text collection version");
    uint64_t n = cursor_take(&c, 8);
    if (n < COLLECTION)
        image_fail(f, at, "a text collection is too small");
    image_claim(f, at, n);
    if (image_failed(f))
        return;
    c.end = at + n;
    h->at = at;
    h->n = list_texts(c, NULL);
    h->text = arena_take(f->memory, h->n * sizeof *h->text);
    list_texts(c, h->text);
    qsort(h->text, h->n, sizeof *h->text, by_index);
    *out = h;
}

/* Returns the text with the index `index` in the collection at the address
 * `at`, or NULL.  Collections do not overlap, so at most one begins in each
 * block of COLLECTION bytes. */
static const struct text_at *find_text(struct image *f, uint64_t at,
                                       unsigned index)
{
    struct text_at want = {.index = index};

    if (at >= f->n) {
        image_fail(f, at, "an address is beyond the end of the file");
        return NULL;
    }
    struct collection **h = &f->heap[at / COLLECTION];
    if (!*h)
        open_collection(f, at, h);
    if (image_failed(f))
        return NULL;
    const struct text_at *t =
        (*h)->at != at || !(*h)->n
            ? NULL
            : bsearch(&want, (*h)->text, (*h)->n, sizeof want, by_index);
    if (!t)
        image_fail(f, at, "a text is missing");
    return t;
}

/* Returns a copy of a text, or NULL on failure.  `reference` is the length of
 * the text (4 bytes), the address of its collection (8) and its index (4).
 * Adds the length to *all, which may not exceed the size of the file. */
static char *read_text(struct image *f, const unsigned char *reference,
                       uint64_t *all)
{
    uint64_t n = 0, at = 0, index = 0;

    for (int i = 0; i < 16; i++) {
        uint64_t *part = i < 4 ? &n : i < 12 ? &at : &index;

        *part |= (uint64_t)reference[i] << 8 * (i - (i < 4 ? 0 : i < 12 ? 4
                                                                         : 12));
    }
    *all += n;
    const struct text_at *t = n ? find_text(f, at, (unsigned)index) : NULL;
    if (image_failed(f))
        return NULL;
    if (n && (n > t->bytes || *all > f->n || memchr(f->bytes + t->at, 0, n) ||
              u8_check(f->bytes + t->at, n))) {
        image_fail(f, t->at, "a text is not UTF-8, or is shorter than "
                   "declared");
        return NULL;
    }
    char *s = malloc(n + 1);
    if (n)
        memcpy(s, f->bytes + t->at, n);
    s[n] = 0;
    return s;
}

int image_texts(struct image *f, const struct image_value *v, char **out)
{
    OWNED(free) unsigned char *room = NULL;
    const unsigned char *from;
    uint64_t all = 0;
    int bad = 0;

    REQUIRE(v->type == IMAGE_TEXT, "numbers are not texts");
    memset(out, 0, v->n * sizeof *out);
    if (v->chunk) {
        from = room = malloc(v->n * 16 + 1);
        bad = read_all(f, v, room);
    } else {
        from = f->bytes + (v->n ? v->at : 0);
    }
    for (uint64_t i = 0; i < v->n && !bad; i++) {
        out[i] = read_text(f, from + 16 * i, &all);
        bad = !out[i];
    }
    return bad ? -1 : 0;
}
