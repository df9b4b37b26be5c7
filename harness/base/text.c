#include "harness/base/text.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <unistr.h>

void text_add(struct text *t, const char *s, size_t bytes)
{
    ARRAY_MORE(t->s, t->n, t->cap, bytes + 1);
    memcpy(t->s + t->n, s, bytes);
    t->n += bytes;
    t->s[t->n] = 0;
}

void text_put(struct text *t, const char *s) { text_add(t, s, strlen(s)); }

void text_format(struct text *t, const char *fmt, ...)
{
    va_list ap, copy;

    va_start(ap, fmt);
    va_copy(copy, ap);
    size_t n = (size_t)vsnprintf(NULL, 0, fmt, copy);
    va_end(copy);
    ARRAY_MORE(t->s, t->n, t->cap, n + 1);
    vsnprintf(t->s + t->n, n + 1, fmt, ap);
    va_end(ap);
    t->n += n;
}

void text_clear(struct text *t)
{
    t->n = 0;
    text_add(t, "", 0);
}

void text_free(struct text *t)
{
    free(t->s);
    *t = (struct text){0};
}

char *text_keep(struct text *t, struct arena *a)
{
    char *kept = arena_text(a, t->s ? t->s : "");

    text_free(t);
    return kept;
}

void text_move(struct text *t, struct text *from)
{
    text_put(from, "");
    text_free(t);
    *t = *from;
    *from = (struct text){0};
}

int text_is_space(uint32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) ||
           c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

static int is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

int text_steers(uint32_t c)
{
    return is_control(c) || uc_is_property_bidi_control(c);
}

char *text_clean(const char *s, int one_line)
{
    size_t bytes = strlen(s), length;
    struct text t = {0};

    text_put(&t, "");
    for (size_t i = 0; i < bytes; i += length) {
        uint32_t c = text_decode(s, i, bytes, &length);

        text_add_char(&t, one_line && is_control(c) ? ' ' : c);
    }
    return t.s;
}

int text_printable(const char *s)
{
    size_t bytes = strlen(s), length;

    if (u8_check((const uint8_t *)s, bytes))
        return 0;
    for (size_t i = 0; i < bytes; i += length)
        if (is_control(text_decode(s, i, bytes, &length)))
            return 0;
    return 1;
}

uint32_t text_decode_long(const char *s, size_t bytes, size_t *length)
{
    ucs4_t c;

    *length = (size_t)u8_mbtouc(&c, (const uint8_t *)s, bytes);
    return c;
}

void text_add_char(struct text *t, uint32_t c)
{
    uint8_t utf8[6];
    int n = u8_uctomb(utf8, c, sizeof utf8);

    REQUIRE(n > 0, "U+%04X is not a character", (unsigned)c);
    text_add(t, (const char *)utf8, (size_t)n);
}

void text_swap(struct text *t, const char *s, const char *const pair[][2])
{
    while (*s) {
        int i = 0;

        while (pair[i][0] && strncmp(s, pair[i][0], strlen(pair[i][0])))
            i++;
        if (pair[i][0])
            text_put(t, pair[i][1]);
        else
            text_add(t, s, 1);
        s += pair[i][0] ? strlen(pair[i][0]) : 1;
    }
}

void text_shell(struct text *t, const char *s)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "_-+=./:,@%";

    /* zsh expands =NAME to a path. */
    if (*s && *s != '=' && !s[strspn(s, plain)]) {
        text_put(t, s);
        return;
    }
    text_put(t, "'");
    for (; *s; s++)
        text_add(t, *s == '\'' ? "'\\''" : s, *s == '\'' ? 4 : 1);
    text_put(t, "'");
}

char *text_quoted(const char *s)
{
    struct text t = {0};

    text_shell(&t, s);
    return t.s;
}

size_t text_rstrip(const char *s, size_t bytes)
{
    size_t end = 0;

    for (size_t i = 0, length; i < bytes; i += length)
        if (!text_is_space(text_decode(s, i, bytes, &length)))
            end = i + length;
    return end;
}

char *text_strip(char *s)
{
    size_t n = strlen(s), length;

    while (n && text_is_space(text_decode(s, 0, n, &length))) {
        s += length;
        n -= length;
    }
    s[text_rstrip(s, n)] = 0;
    return s;
}

char *text_strip_ascii(char *s)
{
    static const char space[] = " \t\n\v\f\r";
    size_t n;

    s += strspn(s, space);
    for (n = strlen(s); n && strchr(space, s[n - 1]);)
        n--;
    s[n] = 0;
    return s;
}

size_t text_unmark(char *s, size_t bytes)
{
    size_t n = 0;

    for (size_t i = strncmp(s, "\xef\xbb\xbf", 3) ? 0 : 3; i < bytes; i++)
        if (s[i] != '\r' || s[i + 1] != '\n')
            s[n++] = s[i];
    s[n] = 0;
    return n;
}

void words_add(struct words *w, const char *s, size_t n)
{
    ARRAY_ROOM(w->word, w->n, w->cap);
    w->word[w->n++] = (struct slice){s, n};
}

void words_split(struct words *w, const char *s, size_t bytes)
{
    size_t start = 0;

    w->n = 0;
    for (size_t i = 0, length; i < bytes; i += length) {
        if (!text_is_space(text_decode(s, i, bytes, &length)))
            continue;
        if (i > start)
            words_add(w, s + start, i - start);
        start = i + length;
    }
    if (bytes > start)
        words_add(w, s + start, bytes - start);
}

void words_free(struct words *w)
{
    free(w->word);
    *w = (struct words){0};
}

int slice_equal(struct slice a, struct slice b)
{
    return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

void text_join_words(struct text *out, const char *s, size_t bytes)
{
    OWNED(words_free) struct words w = {0};

    words_split(&w, s, bytes);
    for (size_t i = 0; i < w.n; i++) {
        text_add(out, " ", i > 0);
        text_add(out, w.word[i].s, w.word[i].n);
    }
}

static int is_ascii(const char *s, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)s[i] >= 0x80)
            return 0;
    return 1;
}

static void lower_ascii(struct text *out, const char *s, size_t bytes)
{
    text_add(out, s, bytes);
    for (char *c = out->s + out->n - bytes; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
}

static void lower_run(struct text *out, const char *s, size_t bytes)
{
    size_t n;
    OWNED(free) uint8_t *low = u8_tolower((const uint8_t *)s, bytes, "", NULL,
                                          NULL, &n);

    REQUIRE(low, "not UTF-8: %zu bytes", bytes);
    text_add(out, (const char *)low, n);
}

/* Returns 1 if the next character that is not case-ignorable is cased. */
static int next_is_cased(const char *s, size_t bytes)
{
    for (size_t i = 0, length; i < bytes; i += length) {
        uint32_t c = text_decode(s, i, bytes, &length);

        if (!uc_is_property(c, UC_PROPERTY_CASE_IGNORABLE))
            return uc_is_property(c, UC_PROPERTY_CASED);
    }
    return 0;
}

/* Maps a capital sigma by Unicode's condition Final_Sigma: it becomes a final
 * sigma if it follows a cased character and does not precede one.  u8_tolower
 * is not used for a sigma, because that function considers an apostrophe the
 * end of a word. */
void text_lower(struct text *out, const char *s, size_t bytes)
{
    size_t from = 0;
    int cased = 0;

    if (is_ascii(s, bytes)) {
        lower_ascii(out, s, bytes);
        return;
    }
    for (size_t i = 0, length; i < bytes; i += length) {
        uint32_t c = text_decode(s, i, bytes, &length);
        size_t next = i + length;

        if (c == 0x03A3) {
            lower_run(out, s + from, i - from);
            text_add_char(out, cased && !next_is_cased(s + next, bytes - next)
                                   ? 0x03C2 : 0x03C3);
            from = next;
        }
        if (!uc_is_property(c, UC_PROPERTY_CASE_IGNORABLE))
            cased = uc_is_property(c, UC_PROPERTY_CASED);
    }
    lower_run(out, s + from, bytes - from);
}
