/* Marks the bytes of a file as used, at most once each, and reads them with
 * cursors. */
#include "harness/store/image_private.h"

#include <stdio.h>
#include <string.h>

/* ---- failing ---- */

int image_fail(struct image *f, uint64_t at, const char *what)
{
    if (image_failed(f))
        return -1;
    if (at == IMAGE_NOWHERE)
        snprintf(f->why, sizeof f->why, "some data was never stored");
    else
        snprintf(f->why, sizeof f->why, "%s, at byte %llu", what,
                 (unsigned long long)at);
    return -1;
}

int image_failed(const struct image *f) { return *f->why != 0; }

const char *image_why(const struct image *f) { return f->why; }

/* ---- bytes ---- */

/* Marks the bytes [`at`, `at` + `n`) as used.  Returns 1, or 0 if one of these
 * bytes was used before. */
static int take_bits(unsigned char *bits, uint64_t at, uint64_t n)
{
    for (uint64_t i = at; i < at + n;) {
        int whole = i % 8 == 0 && at + n - i >= 8;
        unsigned char mask = (unsigned char)(whole ? 0xff : 1u << i % 8);

        if (bits[i / 8] & mask)
            return 0;
        bits[i / 8] |= mask;
        i += whole ? 8 : 1;
    }
    return 1;
}

struct cursor image_look(struct image *f, uint64_t at, uint64_t n)
{
    if (at > f->n) {
        image_fail(f, at, "an address is beyond the end of the file");
        at = f->n;
    }
    return (struct cursor){f, at, n < f->n - at ? at + n : f->n};
}

struct cursor image_claim(struct image *f, uint64_t at, uint64_t n)
{
    struct cursor c = image_look(f, at, n);

    if (c.end - c.at < n)
        image_fail(f, at, "data extends beyond the end of the file (it is cut "
                          "off, or is not HDF5)");
    else if (!take_bits(f->taken, at, n))
        image_fail(f, at, "two objects overlap");
    return c;
}

const unsigned char *cursor_bytes(struct cursor *c, uint64_t n)
{
    if (image_failed(c->f) || n > c->end - c->at) {
        image_fail(c->f, c->at, "data is truncated");
        return NULL;
    }
    c->at += n;
    return c->f->bytes + c->at - n;
}

uint64_t cursor_take(struct cursor *c, int bytes)
{
    const unsigned char *p = cursor_bytes(c, (uint64_t)bytes);
    uint64_t x = 0;

    if (p && bytes == 8) /* most numbers; this machine is little-endian, too */
        memcpy(&x, p, 8);
    else
        for (int i = 0; p && i < bytes; i++)
            x |= (uint64_t)p[i] << 8 * i;
    return x;
}

void cursor_skip(struct cursor *c, uint64_t n) { cursor_bytes(c, n); }

uint64_t cursor_left(const struct cursor *c)
{
    return image_failed(c->f) ? 0 : c->end - c->at;
}

void cursor_expect(struct cursor *c, const char *signature)
{
    const unsigned char *p = cursor_bytes(c, 4);

    if (p && memcmp(p, signature, 4))
        image_fail(c->f, c->at - 4, "unexpected signature");
}

void cursor_want(struct cursor *c, int bytes, uint64_t value, const char *what)
{
    uint64_t at = c->at;

    if (cursor_take(c, bytes) != value)
        image_fail(c->f, at, what);
}
