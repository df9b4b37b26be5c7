#include "harness/data/sentence.h"

#include <stdint.h>
#include <string.h>
#include <unictype.h>
#include <unistr.h>

/* Returns the character at s, or 0 at the end; sets *next to the position after
 * this character. */
static ucs4_t take(const char *s, const char **next)
{
    ucs4_t c = (unsigned char)*s;

    if (c < 0x80)
        *next = s + (c != 0);
    else
        *next = (const char *)u8_next(&c, (const uint8_t *)s);
    return c;
}

static int is_space(ucs4_t c)
{
    return c < 0x80 ? c == ' ' || (c >= '\t' && c <= '\r')
                    : uc_is_property_white_space(c);
}

static int is_word(ucs4_t c)
{
    return c == '_' || uc_is_general_category_withtable(
                           c, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_N);
}

static const char *skip_space(const char *s)
{
    for (const char *next; is_space(take(s, &next)); s = next)
        ;
    return s;
}

/* Returns the end of the first sentence: white space, or the closing NUL. */
static const char *end_of(const char *s)
{
    const char *next, *mark = s;

    while (*(mark += strcspn(mark, ".!?:"))) {
        const char *after = skip_space(++mark);

        if (after > mark && uc_is_general_category_withtable(
                                take(after, &next), UC_CATEGORY_MASK_Lu))
            return mark;
    }
    return mark;
}

int sentence_count(const char *s)
{
    int n = 0;

    for (s = skip_space(s); *s; n++)
        s = skip_space(end_of(s));
    return n;
}

const char *sentence_take(const char **s, struct arena *a)
{
    const char *from = skip_space(*s), *to = end_of(from);
    size_t n = (size_t)(to - from);
    char *copy = arena_take(a, n + 1);

    memcpy(copy, from, n);
    copy[n] = 0;
    *s = skip_space(to);
    return copy;
}

int sentence_tokens(const char *s)
{
    int n = 0, inside = 0; /* inside: in a run of word characters */

    while (*s) {
        ucs4_t c = take(s, &s);
        int word = is_word(c);

        n += word ? !inside : !is_space(c);
        inside = word;
    }
    return n;
}

const char *sentence_word(const char **s, size_t *n)
{
    const char *next, *from;

    while (**s && !is_word(take(*s, &next)))
        *s = next;
    from = *s;
    while (**s && is_word(take(*s, &next)))
        *s = next;
    *n = (size_t)(*s - from);
    return *n ? from : NULL;
}
