#include "harness/metrics/text.h"

#include "harness/base/err.h"

#include <stdlib.h>
#include <string.h>
#include <unistr.h>

void text_add(struct text *t, const char *s, size_t bytes)
{
    if (t->n + bytes + 1 > t->cap) {
        t->cap = 2 * (t->n + bytes + 1);
        t->s = realloc(t->s, t->cap);
        REQUIRE(t->s, "out of memory: %zu bytes", t->cap);
    }
    memcpy(t->s + t->n, s, bytes);
    t->n += bytes;
    t->s[t->n] = 0;
}

void text_free(struct text *t)
{
    free(t->s);
    *t = (struct text){0};
}

void text_move(struct text *t, struct text *from)
{
    text_free(t);
    *t = *from;
    *from = (struct text){0};
}

static int is_space(ucs4_t c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) ||
           c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

/* The character at s[i], and its length; a bad byte is U+FFFD. */
static ucs4_t decode(const char *s, size_t i, size_t bytes, size_t *length)
{
    ucs4_t c;
    int n = u8_mbtouc(&c, (const uint8_t *)s + i, bytes - i);

    *length = (size_t)n;
    return c;
}

size_t text_rstrip(const char *s, size_t bytes)
{
    size_t end = 0;

    for (size_t i = 0, length; i < bytes; i += length)
        if (!is_space(decode(s, i, bytes, &length)))
            end = i + length;
    return end;
}

void text_join_words(struct text *out, const char *s, size_t bytes)
{
    size_t start = 0, words = 0, length;

    for (size_t i = 0; i <= bytes; i += length) {
        int end = i == bytes || is_space(decode(s, i, bytes, &length));

        if (i == bytes)
            length = 1;
        if (!end)
            continue;
        if (i > start) {
            text_add(out, " ", words++ > 0);
            text_add(out, s + start, i - start);
        }
        start = i + length;
    }
}
