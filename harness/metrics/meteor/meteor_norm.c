/*
 * Each rule passes once, left to right, over windows that do not overlap:
 *
 *   1. blanks round all but letters, digits, blanks and . , - ' ` ‘ ’
 *   2. two dots and more are a word of their own
 *   3. (x),(y)          ->  x , y    unless both are digits; three passes
 *   4. ` ‘ ’ -> '       “ ” '' -> blank " blank       – -> -   -- -> -
 *   5. (letter, digit or dot)-(letter or digit)  ->  two words
 *   6. x'y  ->  x ' y   except  letter'letter and digit's  ->  x 'y
 *   7. word.  ->  word .  except dotted words, which lose their dots, and words
 *      of the prefix list or before a small letter, which keep theirs
 */
#include "harness/metrics/meteor/meteor_norm.h"

#include "harness/base/array.h"
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/metrics/lines.h"

#include <stdlib.h>
#include <string.h>

void meteor_prefixes_read(struct meteor_prefixes *p, const struct lines *list)
{
    struct words w = {0};

    *p = (struct meteor_prefixes){map_of_copies(), map_of_copies()};
    for (size_t i = 0; list && i < list->n; i++) {
        words_split(&w, list->line[i], strlen(list->line[i]));
        if (!w.n || w.word[0].s[0] == '#')
            continue;
        int numeric = w.n > 1 && slice_equal(w.word[1],
                                             (struct slice){"#NUMERIC_ONLY#",
                                                            14});
        map_number(numeric ? p->numeric : p->always, w.word[0].s, w.word[0].n);
    }
    words_free(&w);
}

void meteor_prefixes_close(struct meteor_prefixes *p)
{
    map_free(p->always);
    map_free(p->numeric);
    *p = (struct meteor_prefixes){0};
}

/* ---- characters ---- */

struct chars { uint32_t *c; size_t n, cap; };

static void put(struct chars *t, uint32_t c)
{
    ARRAY_ROOM(t->c, t->n, t->cap);
    t->c[t->n++] = c;
}

static void put_text(struct chars *t, const char *s)
{
    while (*s)
        put(t, (unsigned char)*s++);
}

static void become(struct chars *t, struct chars *from)
{
    free(t->c);
    *t = *from;
}

static int in(uint32_t c, uint32_t first, uint32_t last)
{
    return c >= first && c <= last;
}

/* Western European and Cyrillic. */
static int is_alpha(uint32_t c)
{
    return in(c, 'A', 'Z') || in(c, 'a', 'z') || in(c, 0xC0, 0xD6) ||
           in(c, 0xD8, 0xF6) || in(c, 0xF8, 0x17E) || in(c, 0x400, 0x527) ||
           in(c, 0xA640, 0xA66E) || in(c, 0xA67E, 0xA697) ||
           in(c, 0x1D00, 0x1D7F);
}

static int is_digit(uint32_t c) { return in(c, '0', '9'); }
static int is_alnum(uint32_t c) { return is_alpha(c) || is_digit(c); }
static int no_alpha(uint32_t c) { return !is_alpha(c); }
static int no_digit(uint32_t c) { return !is_digit(c); }
static int no_alnum(uint32_t c) { return !is_alnum(c); }
static int alnum_or_dot(uint32_t c) { return is_alnum(c) || c == '.'; }
static int is_s(uint32_t c) { return c == 's'; }
static int is_quote(uint32_t c) { return c == '`' || in(c, 0x2018, 0x2019); }

/* ---- rules ---- */

struct rule {
    int (*first)(uint32_t);
    char sign;
    int (*second)(uint32_t);
    const char *with; /* in place of the sign */
};

static void apply(struct chars *t, const struct rule *r)
{
    struct chars out = {0};

    for (size_t i = 0; i < t->n;) {
        const uint32_t *c = t->c + i;

        if (i + 2 < t->n && r->first(c[0]) && c[1] == (uint32_t)r->sign &&
            r->second(c[2])) {
            put(&out, c[0]);
            put_text(&out, r->with);
            put(&out, c[2]);
            i += 3;
        } else {
            put(&out, *c);
            i++;
        }
    }
    become(t, &out);
}

static void separate(struct chars *t) /* 1, 2 */
{
    struct chars out = {0};

    for (size_t i = 0; i < t->n; i++) {
        uint32_t c = t->c[i];
        int dots = c == '.' && i + 1 < t->n && t->c[i + 1] == '.';
        int other = !is_alnum(c) && !is_quote(c) && c != ' ' && c != '.' &&
                    c != ',' && c != '-' && c != '\'';

        if (dots || other)
            put(&out, ' ');
        put(&out, c);
        for (; dots && i + 1 < t->n && t->c[i + 1] == '.'; i++)
            put(&out, '.');
        if (dots || other)
            put(&out, ' ');
    }
    become(t, &out);
}

static void same_quotes(struct chars *t) /* 4 */
{
    struct chars out = {0};

    for (size_t i = 0; i < t->n; i++)
        if (is_quote(t->c[i]))
            t->c[i] = '\'';
        else if (t->c[i] == 0x2013)
            t->c[i] = '-';
    for (size_t i = 0; i < t->n; i++) {
        uint32_t c = t->c[i];
        int twice = i + 1 < t->n && t->c[i + 1] == c;

        if (in(c, 0x201C, 0x201D) || (c == '\'' && twice)) {
            put_text(&out, " \" ");
            i += c == '\'';
        } else {
            put(&out, c);
            i += c == '-' && twice;
        }
    }
    become(t, &out);
}

static void put_word(struct text *out, const struct words *w, size_t i,
                     const struct meteor_prefixes *p);

void meteor_normalise(struct text *out, const char *line,
                      const struct meteor_prefixes *p)
{
    static const struct rule commas[] = {
        {no_digit, ',', no_digit, " , "},
        {is_digit, ',', no_digit, " , "},
        {no_digit, ',', is_digit, " , "},
    }, marks[] = {
        {alnum_or_dot, '-', is_alnum, " "},
        {no_alpha, '\'', no_alpha, " ' "},
        {no_alnum, '\'', is_alpha, " ' "},
        {is_alpha, '\'', no_alpha, " ' "},
        {is_alpha, '\'', is_alpha, " '"},
        {is_digit, '\'', is_s, " '"},
    };
    struct chars t = {0};
    struct text split = {0};
    struct words w = {0};
    size_t bytes = strlen(line), length;

    put(&t, ' ');
    for (size_t i = 0; i < bytes; i += length)
        put(&t, text_decode(line, i, bytes, &length));
    put(&t, ' ');
    separate(&t);
    for (size_t i = 0; i < sizeof commas / sizeof *commas; i++)
        apply(&t, &commas[i]);
    same_quotes(&t);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        apply(&t, &marks[i]);
    for (size_t i = 0; i < t.n; i++)
        text_add_char(&split, t.c[i]);
    words_split(&w, split.s, split.n);
    text_add(out, "", 0);
    for (size_t i = 0; i < w.n; i++) {
        text_add(out, " ", i > 0);
        put_word(out, &w, i, p);
    }
    words_free(&w);
    text_free(&split);
    free(t.c);
}

/* ---- dots ---- */

static int has_letter(struct slice w)
{
    for (size_t i = 0, length; i < w.n; i += length)
        if (is_alpha(text_decode(w.s, i, w.n, &length)))
            return 1;
    return 0;
}

static int keeps_dot(struct slice stem, const struct words *w, size_t i,
                     const struct meteor_prefixes *p)
{
    char next = i + 1 < w->n ? w->word[i + 1].s[0] : ' ';

    if (map_find(p->always, stem.s, stem.n) >= 0 ||
        (next >= 'a' && next <= 'z'))
        return 1;
    return map_find(p->numeric, stem.s, stem.n) >= 0 && next >= '0' &&
           next <= '9';
}

static void put_word(struct text *out, const struct words *w, size_t i,
                     const struct meteor_prefixes *p)
{
    struct slice word = w->word[i], stem = {word.s, word.n - 1};
    int dotted = word.n > 1 && word.s[stem.n] == '.' &&
                 word.s[stem.n - 1] != '.';

    if (dotted && memchr(stem.s, '.', stem.n) && has_letter(stem)) {
        for (size_t k = 0; k < stem.n; k++)
            text_add(out, &stem.s[k], stem.s[k] != '.');
    } else if (dotted && !keeps_dot(stem, w, i, p)) {
        text_add(out, stem.s, stem.n);
        text_add(out, " .", 2);
    } else {
        text_add(out, word.s, word.n);
    }
}
